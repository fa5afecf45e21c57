import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planBodies, toBodyText, validFields } from '../../../contracts/cases/bodies.ts';
import { changesOf } from '../../../contracts/cases/change-cases.ts';
import { fullBodies } from '../../../contracts/cases/full-fields.ts';
import { createValues } from '../../../contracts/run/values.ts';
import { compile, type Resource, type Schema } from '../../../openapi/index.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';

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

const text = schemaOf('text(example="ann")');
const object = (of: Schema) => ({ type: 'object', required: ['of'], properties: { of } });

/** The texts that a run makes up, in their order. */
const fresh = (...numbers: number[]) => numbers.map((number) => `12ab3400000${number}`);
const of = (value: unknown) => ({ of: value });
const [one, two] = fresh(1, 2);

it.each([
  ['number(example=7)', 0.25, 0.25],
  ['number(example=7, minimum=1)', 940_040_017, undefined],
  ['[text](example=["ann"])', [one], [two]],
  ['[text(example="ann")](minItems=1)', [one], [two]],
  ['[number(example=7)](example=[7])', [0.25], [0.25]],
  ['{ of!: { of!: text(example="ann") } }', of(of(one)), of(of(two))],
  ['{ of!: text(example="ann") }(example={"of":"ann"})', of(one), of(two)],
  ['{ of!: any(allOf=[{"type":"string"}], example="ann") }', of(one), of(two)],
  ['{ of!: any(example="ann") }', of(one), of(two)],
  // Within an object, a number is rather how many.
  ['{ of!: int(example=7) }', of(0), of(0)],
  ['int(example=7)', 940_040_017, undefined],
  ['{ of!: text(example="ann", maxLength=20) }', of(one), of(two)],
  ['{ of!: text(example="ann", minLength=14) }', of(`${one}xx`), of(`${two}xx`)],
  ['[text](uniqueItems=true, minItems=2)', fresh(1, 2), fresh(3, 4)],
  ['[text](uniqueItems=true, example=["ann","bob"])', fresh(1, 2), fresh(3, 4)],
])('sends nothing in a create that may name an item of others: %s', (lead, needed, free) => {
  expect(sentLead(schemaOf(lead))).toEqual([needed, free]);
});

it.each([
  ['{ of!: "low" | "high" }', of('low')],
  ['["low" | "high" | "top"](uniqueItems=true, minItems=2)', ['low', 'high']],
  ['{ of!: text(maxLength=3, example="EUR") }', of('EUR')],
  ['{ of!: int(minimum=1, maximum=5, example=3) }', of(3)],
  ['{ of!: int(minimum=1, example=3) }', of(3)],
  ['{ of!: any(allOf=[{"type":"boolean","enum":[true]}]) }', of(true)],
  ['{ of!: any(allOf=[{"type":"boolean","default":true}]) }', of(true)],
  ['{ of!: date(example="2030-01-02") }', of('2030-01-02')],
])('keeps in a create what a schema bounds: %s', (lead, sent) => {
  expect(sentLead(schemaOf(lead))).toEqual([sent, sent]);
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
