import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { DataSyntaxError, locateInYaml, toJsonText } from '../../../mock/files/data-json.ts';
import { findInYaml, yamlToJson } from '../../../mock/files/read-data.ts';

/** A text that takes a while to read. */
const large = `pets:\n${'  - { id: 9007199254740993, name: "Rex", categoryId: 1 }\n'.repeat(5000)}`;

/** What comes of a task, and how many turns of the event loop others have meanwhile. */
async function countTurns<T>(task: Promise<T>): Promise<{ value: T; turns: number }> {
  let turns = 0;
  let isDone = false;
  const done = task.finally(() => (isDone = true));
  done.catch(() => {});
  for (; !isDone; turns++) await nextTurn();
  return { value: await done, turns };
}

it('reads a large text while others have their turns, the same as at once', async () => {
  const { value, turns } = await countTurns(yamlToJson(large));
  expect(turns).toBeGreaterThan(10);
  expect(value).toBe(toJsonText(large));
  expect(value).toContain('"id":9007199254740993');
});

it('finds places in a large text while others have their turns, the same as at once', async () => {
  const pointers = ['/pets/4990/name', '/pets/7'];
  const { value, turns } = await countTurns(findInYaml(large, pointers));
  expect(turns).toBeGreaterThan(10);
  expect(value).toEqual(locateInYaml(large, pointers));
  expect(value.size).toBe(2);
});

it('reads a small text at once', async () => {
  const { value, turns } = await countTurns(yamlToJson('pets: [{ id: 1 }]'));
  expect([value, turns]).toEqual(['{"pets":[{"id":1}]}', 1]);
});

it.each([
  ['what is no YAML', '  - [', /^is not valid YAML: /],
  ['what JSON cannot hold', '  - .inf', /must be a number of JSON, but is Infinity/],
])('says what is wrong with a large text: %s', async (_, end, message) => {
  const problemOf = (task: () => unknown) =>
    Promise.try(task).then(
      () => undefined,
      (error) => error,
    );
  const problem = await problemOf(() => yamlToJson(large + end));
  expect(problem).toBeInstanceOf(DataSyntaxError);
  expect(problem.message).toMatch(message);
  expect(problem).toEqual(await problemOf(() => toJsonText(large + end)));
});
