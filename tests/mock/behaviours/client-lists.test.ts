import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveEmpty } from '../../support/serve-document.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const query = (name: string, schema: object = text, description = '') => ({
  ...{ name, in: 'query', schema, description },
});

/** Tickets whose list has parameters and a description. */
async function tickets(parameters: object[], description = '') {
  const document = documentOf(
    `
    GET /tickets -> [Ticket]
    POST /tickets Ticket -> 201 Ticket
    `,
    { Ticket: '{ readonly id!: int, title, state: "open" | "closed", areaOfTown }' },
    { operations: { 'GET /tickets': { description, parameters } } },
  );
  const { send } = await serveEmpty(document);
  return {
    make: (body: object) => send('POST', '/tickets', body),
    titles: async (search = '') =>
      (await send('GET', `/tickets${search}`)).json.map(({ title }: { title: string }) => title),
  };
}

it('asks what the default of a filter asks, and shows what has no value for it', async () => {
  const states = { ...text, enum: ['open', 'closed', 'all'], default: 'open' };
  const { make, titles } = await tickets([query('state', states)]);
  await make({ title: 'A', state: 'open' });
  await make({ title: 'B', state: 'closed' });
  await make({ title: 'C' });
  expect(await titles()).toEqual(['A', 'C']);
  expect(await titles('?state=closed')).toEqual(['B']);
  expect(await titles('?state=all')).toEqual(['A', 'B', 'C']);
});

it.each([
  ['Lists tickets, with the most recent tickets appearing first.', ['C', 'B', 'A']],
  ['Lists tickets, newest first.', ['C', 'B', 'A']],
  ['Lists tickets in descending order of creation.', ['C', 'B', 'A']],
  ['Lists tickets. The first page shows the most.', ['A', 'B', 'C']],
])('lists items in the order of its description: %s', async (description, order) => {
  const paging = [query('limit', integer), query('starting_after', integer)];
  const { make, titles } = await tickets(paging, description);
  for (const title of ['A', 'B', 'C']) await make({ title });
  expect(await titles()).toEqual(order);
  const [first] = order;
  const ids: Record<string, number> = { A: 1, B: 2, C: 3 };
  expect(await titles(`?starting_after=${ids[first ?? '']}`)).toEqual(order.slice(1));
});

it('finds what qualifiers ask for, where a search has them', async () => {
  const said = 'Words and qualifiers, such as `state:open`.';
  const { make, titles } = await tickets([query('q', text, said)]);
  await make({ title: 'It is broken', state: 'open', areaOfTown: 'Back end' });
  await make({ title: 'Nothing is broken', state: 'closed', areaOfTown: 'front' });
  const find = (q: string) => titles(`?q=${encodeURIComponent(q)}`);
  expect(await find('state:closed broken')).toEqual(['Nothing is broken']);
  expect(await find('broken is')).toHaveLength(2);
  expect(await find('areaOfTown eq "back end" and state eq "open"')).toEqual(['It is broken']);
  expect(await find("areaOfTown:'back end' AND repo:any/thing")).toEqual(['It is broken']);
  expect(await find('-state:closed')).toEqual(['It is broken']);
  expect(await find('areaOfTown~"fro" OR state:"open"')).toHaveLength(2);
  expect(await find('state:open nothing')).toEqual([]);
});

it('sorts by the one property that begins with a word, and shows all where the limit is below 0', async () => {
  const parameters = [query('sort'), query('limit', { ...integer, default: 2 })];
  const { make, titles } = await tickets(parameters);
  for (const [title, areaOfTown] of Object.entries({ A: 'c', B: 'a', C: 'b' }))
    await make({ title, areaOfTown });
  expect(await titles()).toEqual(['A', 'B']);
  expect(await titles('?limit=-1&sort=area')).toEqual(['B', 'C', 'A']);
});

it.each([
  ['/tickets?fields=title', [{ id: 1, title: 'A', at: expect.any(String) }]],
  [
    '/tickets?fields=title,notes.text,other',
    [{ id: 1, title: 'A', notes: { text: 'b' }, at: expect.any(String) }],
  ],
  ['/tickets?fields=*', [expect.objectContaining({ state: 'open', notes: { text: 'b' } })]],
  ['/tickets?fields=unknown', [expect.objectContaining({ state: 'open', notes: { text: 'b' } })]],
  ['/tickets/1?opt_fields=state', { data: { id: 1, state: 'open' } }],
])('shows of items what %s asks for, and what they must have', async (path, json) => {
  const document = documentOf(`
    GET /tickets?fields -> [Ticket]
    POST /tickets { title, state, notes: { text } } -> 201 Ticket
    GET /tickets/{id}?opt_fields -> { data!: Ticket }
    Ticket: { id!: int, title, state, notes: { text }, readonly at!: date-time }
  `);
  const [parameter] = document.paths['/tickets/{id}']?.get.parameters ?? [];
  parameter.description = 'Returns only these properties.';
  const { send } = await serveEmpty(document);
  await send('POST', '/tickets', { title: 'A', state: 'open', notes: { text: 'b' } });
  expect((await send('GET', path)).json).toEqual(json);
});
