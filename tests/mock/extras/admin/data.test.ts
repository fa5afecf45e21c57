import { describe, expect, it } from 'vitest';
import { createSend } from '../../../support/create-send.ts';
import { bearer, projectFile, shareTwin, startTwin } from '../../../support/twin.ts';

const twin = await shareTwin();

type Sent = { method?: string; body?: unknown; headers?: Record<string, string> };

/** Calls the admin's data; a body that is a text is sent as it is. */
const data = (path: string, { method = 'GET', body, headers }: Sent = {}, of = twin.origin) =>
  createSend(`${of}/__admin/data/`)(method, path, body, headers);

const api = (path: string, body?: object) =>
  createSend(`${twin.api}/`, bearer('demo-pro'))(body ? 'POST' : 'GET', path, body);

const rex = { name: 'Rex', categoryId: 1, status: 'sold' };

it('lists the whole of a collection, or what equals its filters, in parts too', async () => {
  const all = await data('pets');
  expect(all.headers.get('content-type')).toBe('application/json');
  const { items, meta } = all.json;
  expect(meta.total).toBe(await twin.app.store.count('pets'));
  expect(items).toHaveLength(meta.total);
  const listed = JSON.parse((await api('pets?limit=100&status=sold')).text);
  const sold = await data('pets?status=sold');
  expect(sold.json).toEqual({ items: listed, meta: { total: listed.length } });
  expect(sold.json.items.length).toBeGreaterThan(2);
  const part = await data('pets?status=sold&skip=1&limit=2');
  expect(part.json).toEqual({ items: listed.slice(1, 3), meta: { total: listed.length } });
  expect((await data('pets?limit=0')).json).toEqual({ items: [], meta });
  const head = await data('pets', { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
});

it('adds an item, to which it gives the next id', async () => {
  const next = (await twin.app.store.save()).pets?.next;
  const { status, json, headers } = await data('pets', { method: 'POST', body: rex });
  expect([status, json]).toEqual([201, { id: next, ...rex }]);
  expect(headers.get('location')).toBe(`/__admin/data/pets/${next}`);
  expect((await api(`pets/${next}`)).text).toBe(JSON.stringify(json));
  expect((await api('pets', rex)).text).toContain(`"id":${Number(next) + 1},`);
});

it('adds an item with an id of its own that is free, to the digit', async () => {
  const id = '9223372036854775807';
  const body = `{"name":"Far","categoryId":9007199254740993,"id":${id}}`;
  const added = await data('pets', { method: 'POST', body });
  expect(added.text).toBe(`{"id":${id},"name":"Far","categoryId":9007199254740993}`);
  expect(added.headers.get('location')).toBe(`/__admin/data/pets/${id}`);
  expect((await data(`pets/${id}`)).text).toBe(added.text);
  expect((await data('pets')).text).toContain(`,${added.text}],"meta"`);
  const again = await data('pets', { method: 'POST', body });
  expect([again.status, again.json.code]).toEqual([409, 'id_taken']);
  expect(again.json.message).toBe(
    `An item of pets has the id ${id}. PUT replaces it, and PATCH changes it.`,
  );
  await data('pets', { method: 'POST', body: { ...rex, id: 500 } });
  expect((await api('pets', rex)).text).toContain('"id":501,');
});

it('replaces an item in its place, or adds one with this id', async () => {
  const replaced = await data('pets/2', { method: 'PUT', body: rex });
  expect([replaced.status, replaced.json]).toEqual([200, { id: 2, ...rex }]);
  const ids = (await data('pets')).json.items.map((item: { id: number }) => item.id);
  expect(ids.slice(0, 3)).toEqual([1, 2, 3]);
  expect((await api('pets?limit=2')).text).toContain(`,${replaced.text}]`);
  const { name, categoryId } = rex;
  const added = await data('pets/9007199254740993', { method: 'PUT', body: { name, categoryId } });
  expect([added.status, added.text]).toEqual([
    201,
    '{"id":9007199254740993,"name":"Rex","categoryId":1}',
  ]);
  const same = '{"id":9007199254740993,"name":"Max","categoryId":1}';
  expect(await data('pets/9007199254740993', { method: 'PUT', body: same })).toMatchObject({
    status: 200,
    text: same,
  });
});

it.each(['application/merge-patch+json; charset=utf-8'])(
  'changes fields by a merge patch sent as %s',
  async (type) => {
    await data('pets/9007199254740993', { method: 'PUT', body: rex });
    const headers = { 'Content-Type': type };
    const patched = await data('pets/9007199254740993', {
      method: 'PATCH',
      headers,
      body: '{"status":null,"categoryId":9007199254740995}',
    });
    expect([patched.status, patched.text]).toEqual([
      200,
      '{"id":9007199254740993,"name":"Rex","categoryId":9007199254740995}',
    ]);
    const id = { method: 'PATCH', body: '{"id":9007199254740993,"status":"pending"}' };
    expect((await data('pets/9007199254740993', id)).text).toContain('"status":"pending"');
    expect((await api('pets?status=pending&limit=100')).text).toContain('9007199254740993');
  },
);

it('deletes an item, whose id is not assigned again', async () => {
  const added = await data('pets', { method: 'POST', body: rex });
  const path = `pets/${added.json.id}`;
  expect(await data(path, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
  const gone = await data(path, { method: 'DELETE' });
  expect(gone).toMatchObject({ status: 404, json: { code: 'not_found' } });
  expect(gone.json.message).toBe(`pets has no item with the id "${added.json.id}".`);
  for (const method of ['GET', 'PATCH'])
    expect(await data(path, { method, ...(method === 'PATCH' && { body: {} }) })).toMatchObject({
      status: 404,
    });
  expect((await api(path)).status).toBe(404);
  expect((await data('pets', { method: 'POST', body: rex })).json.id).toBe(added.json.id + 1);
});

it('deletes what equals filters, or all, and gives the number', async () => {
  const { total } = (await data('pets')).json.meta;
  const sold = (await data('pets?status=sold')).json.meta.total;
  const deleted = await data('pets?status=sold', { method: 'DELETE' });
  expect(deleted).toMatchObject({ status: 200, json: { removed: sold } });
  expect((await api('pets?status=sold')).text).toBe('[]');
  expect((await data('pets')).json.meta.total).toBe(total - sold);
  expect((await data('pets', { method: 'DELETE' })).json).toEqual({ removed: total - sold });
  expect((await api('pets')).text).toBe('[]');
  expect((await data('pets')).json).toEqual({ items: [], meta: { total: 0 } });
});

describe('refuses', () => {
  it.each<[string, string, Sent, string, string[]]>([
    [
      'a field that is missing, and one of another type',
      'pets',
      { method: 'POST', body: { name: 7 } },
      '"categoryId" is required. "name" must be a string, but is 7.',
      ['/categoryId', '/name'],
    ],
    [
      'a value that is none of the listed',
      'pets/1',
      { method: 'PATCH', body: { status: 'gone' } },
      '"status" must be one of "available", "pending", "sold", but is "gone".',
      ['/status'],
    ],
    [
      'another id than that of the path',
      'pets/1',
      { method: 'PATCH', body: '{"id":9007199254740993}' },
      '"id" must be 1, as in the path, but is 9007199254740993. The id of an item cannot be changed.',
      ['/id'],
    ],
    [
      'an id that is no integer',
      'pets/one',
      { method: 'PUT', body: rex },
      '"id" must be an integer, but is "one".',
      ['/id'],
    ],
  ])('%s', async (_, path, sent, sentences, pointers) => {
    const before = await data('pets');
    const { status, json } = await data(path, sent);
    expect(json.message).toBe(`The body is not a valid item of pets. ${sentences}`);
    expect([status, json.code, json.status]).toEqual([400, 'invalid_body', 400]);
    expect(json.problems.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
    expect(await data('pets')).toMatchObject({ text: before.text });
  });

  it.each<[string, string, Sent, number, string]>([
    [
      'an unknown collection',
      'toys',
      {},
      404,
      'There is no collection "toys". Collections are pets.',
    ],
    [
      'an unknown filter',
      'pets?colour=red',
      {},
      400,
      'There is no query parameter "colour". Use status, skip, limit.',
    ],
    [
      'a filter with a value that no item can have',
      'pets?status=none',
      { method: 'DELETE' },
      400,
      'Query parameter "status" must be one of available, pending, sold, but is "none".',
    ],
    ['no body', 'pets', { method: 'POST' }, 400, 'The body is missing.'],
    [
      'another media type',
      'pets/1',
      { method: 'PATCH', body: '{}', headers: { 'Content-Type': 'application/json-patch+json' } },
      415,
      'The body must be sent as "Content-Type: application/merge-patch+json" or "application/json", but is application/json-patch+json.',
    ],
  ])('%s', async (_, path, sent, status, message) => {
    const before = await data('pets');
    const refused = await data(path, sent);
    expect(refused.json.message).toContain(message);
    expect([refused.status, refused.json.status]).toEqual([status, status]);
    expect(await data('pets')).toMatchObject({ text: before.text });
  });
});

it('stores hostile fields as they are, and no prototype', async () => {
  const name = '</script>\u202e\u001b[31m"\\ \ud83d\udc15';
  const body = `{"__proto__":{"x":1},"name":${JSON.stringify(name)},"categoryId":1}`;
  expect((await data('pets', { method: 'POST', body })).json.problems).toEqual([
    { pointer: '/__proto__', problem: expect.stringContaining('"__proto__" is unknown.') },
  ]);
  const added = await data('pets', { method: 'POST', body: { name, categoryId: 1 } });
  expect((await data(`pets/${added.json.id}`)).json.name).toBe(name);
});

it('changes one sandbox alone', async () => {
  const before = (await api('pets?limit=100')).text;
  const { origin } = twin;
  const own = `${origin}/sandboxes/own`;
  expect((await data('pets', { method: 'DELETE' }, own)).json.removed).toBeGreaterThan(10);
  const added = await data('pets', { method: 'POST', body: rex }, own);
  expect(added.headers.get('location')).toMatch(/^\/sandboxes\/own\/__admin\/data\/pets\/\d+$/);
  expect((await api('pets?limit=100')).text).toBe(before);
  const { json } = await data('../sandboxes/own', {}, origin);
  expect(json.items).toEqual({ pets: 1 });
});

it('describes the collections of the document', async () => {
  const { json } = await data('../collections');
  const operations = { list: 'listPets', create: 'createPet', read: 'getPet' };
  const status = expect.objectContaining({ enum: ['available', 'pending', 'sold'] });
  const pets = {
    name: 'pets',
    idProperty: 'id',
    items: await twin.app.store.count('pets'),
    operations,
    filters: [{ name: 'status', schema: status }],
    parameters: [
      { parameter: 'limit', effect: 'page size' },
      { parameter: 'status', effect: 'filter' },
    ],
  };
  expect(json).toEqual({ collections: [pets], singleObjects: [] });
  const one = await data('../collections/pets');
  expect(one.json).toEqual({ ...pets, schema: expect.anything() });
  expect(one.json.schema).toMatchObject({
    type: 'object',
    required: ['name', 'categoryId', 'id'],
    properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' }, status },
  });
  expect(one.text).not.toContain('$ref');
  expect(one.text).not.toContain('x-source');
  expect((await data('../collections/toys')).json.message).toBe(
    'There is no collection "toys". Collections are pets.',
  );
});

describe('with another document', () => {
  it('keeps text ids, and filters as the API does', async () => {
    const { origin } = await startTwin({
      spec: projectFile('tests/support/shelters.yaml'),
      pets: 8,
    });
    const { json } = await data('shelters?open=true', {}, origin);
    expect(json.items.every(({ open }: { open: boolean }) => open)).toBe(true);
    const one = (await data('shelters/3', {}, origin)).json;
    expect(one.id).toBe('3');
    const named = await data(
      'shelters/old%20town',
      { method: 'PUT', body: { ...one, id: 'old town' } },
      origin,
    );
    expect(named.status).toBe(201);
    expect((await data('shelters/old%20town', {}, origin)).json.id).toBe('old town');
    const next = await data(
      'shelters',
      { method: 'POST', body: { ...one, id: undefined } },
      origin,
    );
    expect([next.status, next.json.id]).toEqual([201, '9']);
    expect((await data('shelters?open=maybe', {}, origin)).json.message).toContain('true or false');
  });

  it('takes skip and limit for paging alone, also where filters have these names', async () => {
    const { origin } = await startTwin({
      spec: projectFile('tests/support/ladders.yaml'),
      pets: 8,
    });
    const all = (await data('ladders', {}, origin)).json;
    expect(all.items).toHaveLength(8);
    const part = await data('ladders?skip=2&limit=3', {}, origin);
    expect(part.json).toEqual({ items: all.items.slice(2, 5), meta: { total: 8 } });
    const refused = await data('ladders?limit=3', { method: 'DELETE' }, origin);
    expect([refused.status, refused.json.message]).toEqual([
      400,
      'There is no query parameter "limit". Use colour.',
    ]);
    const { filters } = (await data('../collections/ladders', {}, origin)).json;
    expect(filters.map(({ name }: { name: string }) => name)).toEqual(['colour']);
  });
});
