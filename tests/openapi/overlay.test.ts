import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { applyAction, toTree } from '../../openapi/apply-overlay.ts';
import { type Overlay, parseOverlay, readOverlay } from '../../openapi/overlay.ts';
import type { RawDocument } from '../../openapi/schema.ts';
import { makeFolder } from '../support/make-folder.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  tags: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
  paths: { '/pets': { get: { tags: ['x'], responses: { 200: { description: 'ok' } } } } },
};

function overlay(...actions: object[]) {
  return parseOverlay({ overlay: '1.0.0', info: { title: 'T', version: '1' }, actions }, 'o.yaml');
}

function applyOverlay<Value extends object>(given: Value, { file, actions }: Overlay) {
  const copy: RawDocument = toTree(given);
  for (const [index, action] of actions.entries())
    applyAction(copy, action, { file, number: index + 1 });
  return copy;
}

it('merges objects, joins arrays, and replaces the rest', () => {
  const update = {
    get: { tags: ['y'], summary: 'Lists', responses: { 200: { description: 'no' } } },
  };
  const changed = applyOverlay(document, overlay({ target: "$.paths['/pets']", update }));
  expect(changed.paths['/pets'].get).toEqual({
    tags: ['x', 'y'],
    summary: 'Lists',
    responses: { 200: { description: 'no' } },
  });
  expect(document.paths['/pets'].get.tags).toEqual(['x']);
});

it('appends an entry to each selected array, and removes each selected node', () => {
  const changed = applyOverlay(
    document,
    overlay(
      { target: '$.tags', update: { name: 'd' } },
      { target: "$.tags[?@.name != 'b']", remove: true },
      { target: '$.info.version', remove: true },
    ),
  );
  expect(changed).toMatchObject({ tags: [{ name: 'b' }], info: { title: 'Pets' } });
  expect(changed.info).not.toHaveProperty('version');
});

it('does nothing where an action selects nothing, and takes __proto__ for a name', () => {
  const update = JSON.parse('{"__proto__": {"polluted": true}}');
  const changed = applyOverlay(
    document,
    overlay({ target: '$.nothing', remove: true }, { target: '$.info', update }),
  );
  expect(Object.keys(changed.info)).toEqual(['title', 'version', '__proto__']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

it.each([
  ['$.list[2,0]', ['b']],
  ['$.list[0,-3,2]', ['b']],
  ["$..['list', 'x'][1, 0]", ['c']],
])('removes the nodes of %s, each once', (target, list) => {
  const changed = applyOverlay({ list: ['a', 'b', 'c'] }, overlay({ target, remove: true }));
  expect(changed).toEqual({ list });
});

it('removes nodes whose parents it removes too', () => {
  const before = { list: [['a'], ['b', 'c']], other: { list: [] } };
  const changed = applyOverlay(before, overlay({ target: '$.list..*', remove: true }));
  expect(changed).toEqual({ list: [], other: { list: [] } });
  expect(applyOverlay(before, overlay({ target: '$.*', remove: true }))).toEqual({});
});

const unusable: [what: string, raw: unknown, says: string][] = [
  ['no object', [], 'it contains no object'],
  ['another version', { overlay: '2.0.0' }, '"overlay" must be 1.0.0'],
  ['no info', { overlay: '1.0.0' }, '"info" must have a title and a version'],
];

it.each(unusable)('refuses an overlay with %s in one line', (_, raw, says) => {
  expect(() => parseOverlay(raw, 'o.yaml')).toThrow(
    `o.yaml cannot be used as an overlay: ${says}.`,
  );
});

const wrongActions: [what: string, action: unknown, says: string][] = [
  ['no object', 'x', 'action 2 must be an object'],
  ['no target', { update: {} }, 'action 2 has no "target"'],
  ['no effect', { target: '$' }, 'action 2 has neither "update" nor "remove: true"'],
  ['a wrong remove', { target: '$', remove: 'yes' }, 'action 2 "remove" must be true or false'],
  ['no JSONPath', { target: '$.a[', update: {} }, 'action 2 has a "target" that is no JSONPath'],
];

it.each(wrongActions)('refuses an action with %s by its number', (_, action, says) => {
  expect(() => overlay({ target: '$', update: {} }, action as object)).toThrow(says);
});

it('refuses what cannot be applied by the number of the action', () => {
  const first = { target: '$.info', update: { summary: 's' } };
  const says = (second: object) => () => applyOverlay(document, overlay(first, second));
  expect(says({ target: '$.openapi', update: {} })).toThrow(
    'o.yaml cannot be applied: action 2 ($.openapi) selects a value that is neither an object nor an array.',
  );
  expect(says({ target: '$.info', update: 1 })).toThrow('its "update" must be an object');
  expect(says({ target: '$', remove: true })).toThrow('would remove the whole document');
});

it('reads YAML and JSON, and says what is wrong with a file', async () => {
  const folder = makeFolder();
  const file = join(folder, 'o.yaml');
  await writeFile(
    file,
    'overlay: 1.0.0\ninfo: {title: T, version: 1}\nactions: [{target: $, update: {x-id: 9007199254740993}}]\n',
  );
  const files = new Set<string>();
  const read = await readOverlay(file, { files });
  expect(applyOverlay({}, read)).toEqual({ 'x-id': 9_007_199_254_740_993n });
  expect([...files]).toEqual([file]);
  await writeFile(file, 'a: [');
  await expect(readOverlay(file)).rejects.toThrow('is neither YAML nor JSON');
  await expect(readOverlay(join(folder, 'none'))).rejects.toThrow(
    'none does not exist. Name an OpenAPI Overlay',
  );
  await expect(readOverlay(folder)).rejects.toThrow('cannot be read (EISDIR)');
});
