import { expect, it } from 'vitest';
import { findSchemaFaults } from '../../../contracts/description/reading/schema-faults.ts';

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
  const moves = new Map<string, string>();
  const root = { components: { schemas } };
  const place = { kind: 'schema', pointer: '/at', holder: {}, key: 'at', root } as const;
  const faults = findSchemaFaults(part, place, moves);
  return { faults, moves };
}

it('reads alternatives of which a value never fits one alone as anyOf', () => {
  const oneOf = [ref('Empty'), ref('Other'), ref('Unknown')];
  const part: Record<string, unknown> = { oneOf };
  const { faults, moves } = find(part);
  expect(faults.map(({ pointer }) => pointer)).toEqual(['/at/oneOf/2']);
  expect(faults[0]?.problem).toMatch(/asks for the same as an alternative before it/);
  faults[0]?.mend();
  expect(part).toEqual({ anyOf: oneOf });
  expect(moves.get('/at/anyOf')).toBe('/at/oneOf');
});

it.each([
  [{ oneOf: [ref('Empty'), ref('Other')] }],
  [{ oneOf: [ref('Titled'), ref('Named')] }],
  [{ oneOf: [{ type: 'string' }, { type: 'null' }] }],
  [{ oneOf: [{ type: 'string', maxLength: 3 }, { type: 'string' }] }],
  [{ oneOf: [ref('Empty'), ref('Unknown')], anyOf: [{}] }],
])('leaves other alternatives as they are: %j', (part) => {
  expect(find(part).faults).toEqual([]);
});
