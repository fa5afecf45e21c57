import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import description from '../../../mock/extras/admin/openapi.json' with { type: 'json' };
import { type Reason, type Step, steps } from '../../../mock/journal/reason.ts';
import { kinds } from '../../../openapi/model/kinds.ts';
import { projectFile } from '../../support/twin.ts';

type KeysOf<T> = T extends unknown ? keyof T : never;
type FieldsOf<S extends Step> = Exclude<
  KeysOf<Extract<Reason, { step: S }>>,
  'step' | 'error' | 'delay' | 'xTwin' | 'tolerated' | 'advice'
>;

/** The fields that the reason of each step has of its own; the compiler holds them complete. */
const fields: { [S in Exclude<Step, PlainStep>]: Record<FieldsOf<S>, true> } & Record<
  PlainStep,
  Record<string, never>
> = {
  connection: {},
  guard: {},
  sandbox: {},
  domain: { domain: true, outcome: true },
  admin: { operation: true },
  oauth: { endpoint: true, problem: true },
  options: {},
  routing: {},
  credentials: { problem: true, expected: true },
  limits: { outcome: true, plan: true, window: true, ban: true },
  forced: { preference: true },
  fault: { rule: true, code: true, fault: true },
  forwarded: { url: true },
  removal: { sunset: true },
  query: { parameter: true, problem: true, in: true },
  body: { problems: true },
  magic: { value: true },
  example: { name: true },
  behaviour: { kind: true, besides: true },
  store: { message: true },
  failure: { message: true },
};

type PlainStep = 'connection' | 'guard' | 'sandbox' | 'options' | 'routing';

const { schemas } = description.components;

it('lists the steps in the description, in their order', () => {
  expect(schemas.Step.enum).toEqual(steps);
  expect(Object.keys(schemas.Reason.discriminator.mapping)).toEqual(steps);
});

it.each(steps)('describes the reason of the step %s with its own fields', (step) => {
  const { mapping } = schemas.Reason.discriminator;
  const [, name] = mapping[step].split('#/components/schemas/');
  expect(schemas.Reason.oneOf).toContainEqual({ $ref: mapping[step] });
  const { step: own, ...others } = schemas[name as 'PlainReason'].properties as {
    step: { const?: string; enum?: string[] };
  };
  expect(own.enum ?? [own.const]).toContain(step);
  expect(Object.keys(others).toSorted()).toEqual(Object.keys(fields[step]).toSorted());
});

it('lists in the description the kinds of operations', () => {
  const { kind } = schemas.BehaviourReason.properties;
  expect(kind.enum).toEqual([...kinds, 'singleton', 'action', 'example', 'own']);
});

it('lists in docs/journal.md the fields of each step', async () => {
  const text = await readFile(projectFile('docs/journal.md'), 'utf8');
  const codesOf = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  const [, table = ''] = text.split(/^\| step \| .+\n\|(?:---\|)+\n/m);
  const [rows = ''] = table.split('\n\n');
  const listed = rows.split('\n').flatMap((row) => {
    const [, names, own] = row.split('|');
    return codesOf(names).map((step) => [step, codesOf(own).toSorted()] as const);
  });
  const expected = steps.map((step) => [step, Object.keys(fields[step]).toSorted()]);
  expect(listed).toEqual(expected);
});
