import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planBodies, toBodyText, validFields } from '../../../contracts/cases/bodies.ts';
import { changesOf } from '../../../contracts/cases/change-cases.ts';
import { fullBodies } from '../../../contracts/cases/full-fields.ts';
import { createValues } from '../../../contracts/run/values.ts';
import { compile, type Resource, type Schema } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';

function planOf(Lead: Schema, required: readonly string[], Besides?: Schema) {
  const lead = required.includes('lead') ? 'lead!' : 'lead';
  const document = compile(
    documentOf(
      `
      POST /tickets ${Besides ? '{ ticket!: Ticket, besides!: Besides }' : 'Ticket'} -> 201 Ticket
      GET /tickets/{id} -> Ticket
      PATCH /tickets/{id} Ticket -> Ticket
      Ticket: { readonly id: int, title!, ${lead}: Lead }
      `,
      { Lead, ...(Besides && { Besides }) },
    ),
  );
  const [resource] = document.resources as [Resource];
  return { document, resource, plan: planBodies(document, resource) };
}

/** Returns what a create sends for `lead`: where it is required, and where it is not. */
function sentLead(lead: Schema): [unknown, unknown] {
  const values = createValues('12ab34');
  const parse = (text: string) => JSON.parse(values.fill(text).text ?? '').lead;
  const [needed, free] = [planOf(lead, ['lead']), planOf(lead, [])];
  const [full = {}] = fullBodies(free.document, free.plan, 'a title');
  return [
    parse(toBodyText(needed.plan, validFields(needed.plan, 'a title'))),
    parse(toBodyText(free.plan, full)),
  ];
}

const [text, number] = [
  { type: 'string', example: 'ann' },
  { type: 'number', example: 7 },
];
const object = (of: Schema) => ({ type: 'object', required: ['of'], properties: { of } });

it.each([
  [number, 0.25, 0.25],
  [{ ...number, minimum: 1 }, 940_040_017, undefined],
  [
    { type: 'array', items: { type: 'string' }, example: ['ann'] },
    ['12ab34000001'],
    ['12ab34000002'],
  ],
  [{ type: 'array', minItems: 1, items: text }, ['12ab34000001'], ['12ab34000002']],
  [{ type: 'array', items: number, example: [7] }, [0.25], [0.25]],
  [object(object(text)), { of: { of: '12ab34000001' } }, { of: { of: '12ab34000002' } }],
  [{ ...object(text), example: { of: 'ann' } }, { of: '12ab34000001' }, { of: '12ab34000002' }],
  [
    object({ allOf: [{ type: 'string' }], example: 'ann' }),
    { of: '12ab34000001' },
    { of: '12ab34000002' },
  ],
  [object({ example: 'ann' }), { of: '12ab34000001' }, { of: '12ab34000002' }],
  // Within an object, a number is rather how many.
  [object({ type: 'integer', example: 7 }), { of: 0 }, { of: 0 }],
  [{ type: 'integer', example: 7 }, 940_040_017, undefined],
  [object({ ...text, maxLength: 20 }), { of: '12ab34000001' }, { of: '12ab34000002' }],
  [object({ ...text, minLength: 14 }), { of: '12ab34000001xx' }, { of: '12ab34000002xx' }],
  [
    { type: 'array', uniqueItems: true, minItems: 2, items: { type: 'string' } },
    ['12ab34000001', '12ab34000002'],
    ['12ab34000003', '12ab34000004'],
  ],
  [
    { type: 'array', uniqueItems: true, items: { type: 'string' }, example: ['ann', 'bob'] },
    ['12ab34000001', '12ab34000002'],
    ['12ab34000003', '12ab34000004'],
  ],
])('sends nothing in a create that may name an item of others: %j', (lead, needed, free) => {
  expect(sentLead(lead)).toEqual([needed, free]);
});

it.each([
  [object({ enum: ['low', 'high'] }), { of: 'low' }],
  [
    { type: 'array', uniqueItems: true, minItems: 2, items: { enum: ['low', 'high', 'top'] } },
    ['low', 'high'],
  ],
  [object({ type: 'string', maxLength: 3, example: 'EUR' }), { of: 'EUR' }],
  [object({ type: 'integer', minimum: 1, maximum: 5, example: 3 }), { of: 3 }],
  [object({ type: 'integer', minimum: 1, example: 3 }), { of: 3 }],
  [object({ allOf: [{ type: 'boolean', enum: [true] }] }), { of: true }],
  [object({ allOf: [{ type: 'boolean', default: true }] }), { of: true }],
  [object({ type: 'string', format: 'date', example: '2030-01-02' }), { of: '2030-01-02' }],
])('keeps in a create what a schema bounds: %j', (lead, sent) => {
  expect(sentLead(lead)).toEqual([sent, sent]);
});

it('sends nothing beside an item that may name one of others', () => {
  const { plan } = planOf({}, [], object(text));
  const body = createValues('12ab34').fill(toBodyText(plan, validFields(plan, 'a title'))).text;
  expect(JSON.parse(body ?? '')).toEqual({
    ticket: { title: 'a title' },
    besides: { of: '12ab34000001' },
  });
});

it('changes no list to an example of the document', () => {
  const { document, resource } = planOf({ type: 'array', items: text, example: ['ann'] }, []);
  const known = { item: { lead: [] }, own: {}, marker: 'a mark', fresh: '12ab34000009' };
  const changes = changesOf(document, resource, { ...known, named: ['title'] });
  expect(changes.map(({ body }) => body?.value)).toEqual([{ lead: ['12ab34000009'] }]);
});

it('sends no free text of an example at any depth', () => {
  const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 5 },
      fc.constant(text),
      tie('schema').map(object),
      tie('schema').map((items) => ({ type: 'array', minItems: 1, items })),
      tie('schema').map((part) => ({ allOf: [part] })),
      tie('schema').map((part) => ({ oneOf: [part, { type: 'null' }] })),
    ),
  }));
  fc.assert(
    fc.property(schema, (lead) => !JSON.stringify(sentLead(lead)).includes('ann')),
    { numRuns: 60 },
  );
});
