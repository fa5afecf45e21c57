import { expect, it } from 'vitest';
import { IndexedFilters } from '../../../mock/items/find-items.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveEmpty } from '../../support/serve-document.ts';

const upper = 'A0000000-0000-4000-8000-00000000000A';
const events = documentOf(`
  GET /events?age:number&count:int&at:date-time&owner:uuid&name&not_at:date-time&ids&filter:object&q -> [Event]
  POST /events Event -> 201 Event
  Event: { readonly id!: int, age: number, count: int, at: date-time | null, owner: uuid, name, ids: [uuid] }
`);
const sent = {
  ...{ age: 2.5, count: 100, at: '2020-01-01T00:00:00Z', owner: upper, name: '2.50' },
  ids: [upper],
};

/** Lists queries, and whether each finds the stored item. */
const equal: [query: string, isFound: boolean][] = [
  ['age=2.50', true],
  ['age=25e-1', true],
  ['age=2.51', false],
  ['count=100', true],
  ['at=2020-01-01T00:00:00.000Z', true],
  ['at=2020-01-01T02:00:00%2B02:00', true],
  ['at=2020-01-01T00:00:00.000001Z', false],
  ['at=2020-01-01T00:00:00%2B02:00', false],
  ['not_at=2020-01-01T00:00:00.000Z', false],
  [`owner=${upper.toLowerCase()}`, true],
  [`ids=${upper.toLowerCase()}`, true],
  ['name=2.50', true],
  ['name=2.5', false],
  ['filter[age]=2.50', true],
];

it('finds items by values, however these are written, and shows them as sent', async () => {
  const { send } = await serveEmpty(events);
  await send('POST', '/events', sent);
  for (const [query, isFound] of equal) {
    const { status, json } = await send('GET', `/events?${query}`);
    expect([query, status, json]).toEqual([query, 200, isFound ? [{ id: 1, ...sent }] : []]);
  }
  const ofAdmin = await send('GET', '/__admin/data/events?at=2020-01-01T00:00:00.000Z');
  expect(ofAdmin.json.meta.total).toBe(1);
});

const homes = documentOf(`
  GET /owners -> [Owner]
  POST /owners Owner -> 201 Owner
  GET /owners/{ownerId:uuid} -> Owner, 404
  PUT /owners/{ownerId:uuid} Owner -> 200 Owner, 201 Owner
  PATCH /owners/{ownerId:uuid} Owner -> 200 Owner, 404
  DELETE /owners/{ownerId:uuid} -> 204, 404
  GET /owners/{ownerId:uuid}/pets -> [Pet], 404
  POST /owners/{ownerId:uuid}/pets Pet -> 201 Pet
  GET /owners/{ownerId:uuid}/pets/{petId:uuid} -> Pet, 404
  GET /visits -> [Visit]
  POST /visits Visit -> 201 Visit, 422
  Owner: { id!: uuid, name }
  Pet: { readonly id!: uuid, name }
  Visit: { readonly id!: int, ownerId: uuid }
`);
const lower = upper.toLowerCase();

it.each([
  [upper, lower],
  [lower, upper],
])('finds what has the UUID %s at paths with %s, too', async (given, other) => {
  const { send } = await serveEmpty(homes);
  const owner = { id: given, name: 'Ada' };
  expect(await send('POST', '/owners', owner)).toEqual({ status: 201, json: owner });
  expect((await send('POST', '/owners', { ...owner, id: other })).status).toBe(409);
  for (const id of [given, other]) {
    expect(await send('GET', `/owners/${id}`)).toEqual({ status: 200, json: owner });
    expect((await send('PATCH', `/owners/${id}`, { id, name: 'Ada' })).status).toBe(200);
    expect((await send('PUT', `/owners/${id}`, owner)).status).toBe(200);
    expect((await send('POST', '/visits', { ownerId: id })).status).toBe(201);
  }
  const { json: pet } = await send('POST', `/owners/${given}/pets`, { name: 'Rex' });
  expect((await send('GET', `/owners/${other}/pets`)).json).toEqual([pet]);
  expect((await send('GET', `/owners/${other}/pets/${pet.id.toUpperCase()}`)).json).toEqual(pet);
  expect((await send('GET', `/__admin/data/owners/${other}`)).json).toEqual(owner);
  expect((await send('DELETE', `/owners/${other}`)).status).toBe(204);
  expect((await send('GET', '/owners')).json).toEqual([]);
  expect((await send('GET', '/__admin/data/owners%2F%7BownerId%7D%2Fpets')).json.meta.total).toBe(
    0,
  );
});

it('uses no index that was made of values of another form', () => {
  const at = (type: string) =>
    compile(
      documentOf('GET /events?at&name -> [Event]', { Event: `{ id!: int, at: ${type}, name }` }),
    ).resources;
  const before = new IndexedFilters(at('text'));
  expect([...(before.get('events')?.keys() ?? [])]).toEqual(['at', 'name']);
  const after = new IndexedFilters(at('date-time'), before);
  expect([...(after.get('events')?.keys() ?? [])]).toEqual(['name']);
});
