import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { Places } from '../../openapi/reading/places.ts';
import { findSchemaFaults } from '../../openapi/reading/schema-faults.ts';
import { jsonOf, toDocument } from '../support/serve-document.ts';

const schemas = {
  Base: { type: 'object', properties: { code: { type: 'string' } } },
  Empty: {
    allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { code: { default: 'A' } } }],
  },
  Unknown: {
    description: 'The key is unknown.',
    allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { code: { default: 'B' } } }],
  },
  Other: {
    allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { code: { enum: ['A'] } } }],
  },
  Titled: { type: 'object', properties: { title: { type: 'string' } } },
  Named: { type: 'object', properties: { name: { type: 'string' } } },
};
const ref = (name: keyof typeof schemas) => ({ $ref: `#/components/schemas/${name}` });

function find(part: Record<string, unknown>) {
  const places = new Places();
  const root = { components: { schemas }, at: part };
  const place = { kind: 'schema', pointer: '/at', holder: {}, key: 'at', field: '', root } as const;
  const faults = findSchemaFaults(part, place, places);
  return { faults, written: (pointer: string) => places.find(root, pointer) };
}

it('reads alternatives of which a value never fits one alone as anyOf', () => {
  const oneOf = [ref('Empty'), ref('Other'), ref('Unknown')];
  const part: Record<string, unknown> = { oneOf };
  const { faults, written } = find(part);
  expect(faults.map(({ pointer }) => pointer)).toEqual(['/at/oneOf/2']);
  expect(faults[0]?.problem).toMatch(/what fits it fits an alternative before it/);
  faults[0]?.mend();
  expect(part).toEqual({ anyOf: oneOf });
  expect(written('/at/anyOf/1')).toBe('/at/oneOf/1');
});

it('follows references into such alternatives', () => {
  const oneOf = [{ type: 'string', title: 'A' }, { type: 'string' }];
  const responses = { 200: jsonOf({ $ref: '#/components/schemas/Way/properties/from/oneOf/0' }) };
  const Way = { type: 'object', properties: { from: { oneOf } } };
  const document = toDocument(
    { '/a': { get: { responses } } },
    { components: { schemas: { Way } } },
  );
  const { operations, schemas, written } = compile(document);
  const [{ schema = {} } = {}] = operations[0]?.responses ?? [];
  expect(schemas.resolve(schema)).toEqual(oneOf[0]);
  expect(written.warnings.map(({ pointer }) => pointer)).toEqual([
    '#/components/schemas/Way/properties/from/oneOf/1',
  ]);
});

it('tells alternatives apart by the discriminator of a base that all of them extend', () => {
  const discriminator = { propertyName: 'kind' };
  const Base = { discriminator, required: ['kind'] };
  const extending = (name: string) => ({ allOf: [{ $ref: `#/components/schemas/${name}` }] });
  const all = { Base, Pet: extending('Base'), Cat: extending('Pet'), Dog: extending('Base') };
  const findOf = (part: Record<string, unknown>) => {
    const root = { components: { schemas: { ...all, Stone: {} } }, at: part };
    const place = {
      kind: 'schema',
      pointer: '/at',
      holder: {},
      key: 'at',
      field: '',
      root,
    } as const;
    return findSchemaFaults(part, place, new Places());
  };
  const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  for (const keyword of ['oneOf', 'anyOf']) {
    const part = { [keyword]: [refTo('Cat'), refTo('Dog')] };
    const [fault, ...others] = findOf(part);
    expect([fault?.problem, others]).toEqual([undefined, []]);
    fault?.mend();
    expect(part).toEqual({ [keyword]: [refTo('Cat'), refTo('Dog')], discriminator });
    expect(findOf({ [keyword]: [refTo('Cat'), refTo('Stone')] })).toEqual([]);
    expect(findOf({ [keyword]: [refTo('Cat'), extending('Base')] })).toEqual([]);
  }
});

it('reads objects that require none of their own properties as anyOf', () => {
  for (const other of [ref('Named'), { allOf: [ref('Named'), ref('Base')] }]) {
    const { faults } = find({ oneOf: [ref('Titled'), other] });
    expect(faults.map(({ pointer }) => pointer)).toEqual(['/at/oneOf/1']);
  }
});

it.each([
  [ref('Titled'), { ...schemas.Named, required: ['name'] }],
  [
    { ...schemas.Titled, minProperties: 1 },
    { ...schemas.Named, minProperties: 1 },
  ],
  [{ properties: { ...schemas.Titled.properties, name: {} }, required: ['name'] }, ref('Titled')],
  [
    { type: 'array', items: ref('Titled') },
    { type: 'array', items: { allOf: [ref('Titled'), ref('Named')], required: ['name'] } },
  ],
  [{ properties: { page: ref('Titled') } }, { properties: { page: ref('Base'), more: {} } }],
])('reads alternatives as anyOf of which one says more than the other: %j', (...oneOf) => {
  expect(find({ oneOf }).faults.map(({ pointer }) => pointer)).toEqual(['/at/oneOf/1']);
});

it.each(['[', '^[a-z]$'])('compares texts without the pattern that is ignored: %s', (pattern) => {
  const { faults } = find({
    oneOf: [{ type: 'string', pattern, example: 'a1' }, { type: 'string' }],
  });
  expect(faults.map(({ pointer }) => pointer)).toEqual(['/at/oneOf/1']);
});

it.each([
  [
    {
      oneOf: [
        { ...schemas.Titled, required: ['title'] },
        { ...schemas.Named, required: ['name'] },
      ],
    },
  ],
  [{ oneOf: [ref('Titled'), { ...schemas.Named, additionalProperties: false }] }],
  [{ oneOf: [ref('Named'), { properties: { name: { type: 'integer' } } }] }],
  [{ oneOf: [ref('Empty'), ref('Other')] }],
  [
    {
      oneOf: [
        { ...schemas.Titled, required: ['title'] },
        { ...schemas.Named, minProperties: 2 },
      ],
    },
  ],
  [{ oneOf: [{ type: 'string', maxLength: 3 }, { type: 'string' }] }],
  [{ oneOf: [ref('Empty'), ref('Unknown')], anyOf: [{}] }],
  [{ oneOf: [ref('Titled'), ref('Named')], discriminator: { propertyName: 'kind' } }],
])('leaves other alternatives as they are: %j', (part) => {
  expect(find(part).faults).toEqual([]);
});

it('ignores a type beside alternatives of which one has another', () => {
  const auto = { type: 'string', enum: ['auto'] };
  for (const keyword of ['oneOf', 'anyOf']) {
    const part = { type: 'boolean', [keyword]: [{ type: 'boolean' }, auto] };
    const { faults } = find(part);
    expect(faults.map(({ pointer }) => pointer)).toEqual(['/at/type']);
    faults[0]?.mend();
    expect(part).toEqual({ [keyword]: [{ type: 'boolean' }, auto] });
  }
  for (const alternatives of [[{ type: 'integer' }, { type: 'null' }], [auto, {}], []])
    expect(
      find({ type: 'number', anyOf: alternatives }).faults.map(({ pointer }) => pointer),
    ).not.toContain('/at/type');
});
