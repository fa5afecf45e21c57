import { describe, expect, it } from 'vitest';
import { createSend } from '../../../support/create-send.ts';
import { expectAnswer, expectError } from '../../../support/expect-answer.ts';
import { bearer, projectFile, shareTwin, startTwin } from '../../../support/twin.ts';

const twin = await shareTwin();

/** Calls the admin's data; a body that is a text is sent as it is. */
const dataOf = (origin: string) => createSend(`${origin}/__admin/data/`);
const data = dataOf(twin.origin);
const read = (path: string) => data('GET', path);

const api = (path: string, body?: object) =>
  createSend(`${twin.api}/`, bearer('demo-pro'))(body ? 'POST' : 'GET', path, body);

const rex = { name: 'Rex', categoryId: 1, status: 'sold' };

it('lists the whole of a collection, or what equals its filters, in parts too', async () => {
  const all = await read('pets');
  expect(all.headers.get('content-type')).toBe('application/json');
  const { items, meta } = all.json;
  expect(meta.total).toBe(await twin.app.store.count('pets'));
  expect(items).toHaveLength(meta.total);
  const listed = (await api('pets?limit=100&status=sold')).json;
  const sold = await read('pets?status=sold');
  expect(sold.json).toEqual({ items: listed, meta: { total: listed.length } });
  expect(sold.json.items.length).toBeGreaterThan(2);
  const part = await read('pets?status=sold&skip=1&limit=2');
  expect(part.json).toEqual({ items: listed.slice(1, 3), meta: { total: listed.length } });
  expect((await read('pets?limit=0')).json).toEqual({ items: [], meta });
  expect(await data('HEAD', 'pets')).toMatchObject({ status: 200, text: '' });
});

it('adds an item, to which it gives the next id', async () => {
  const next = (await twin.app.store.save()).pets?.next;
  const { status, json, headers } = await data('POST', 'pets', rex);
  expect([status, json]).toEqual([201, { id: next, ...rex }]);
  expect(headers.get('location')).toBe(`/__admin/data/pets/${next}`);
  expect((await api(`pets/${next}`)).text).toBe(JSON.stringify(json));
  expect((await api('pets', rex)).text).toContain(`"id":${Number(next) + 1},`);
});

it('adds an item with an id of its own that is free, to the digit', async () => {
  const id = '9223372036854775807';
  const body = `{"name":"Far","categoryId":9007199254740993,"id":${id}}`;
  const added = await data('POST', 'pets', body);
  expect(added.text).toBe(`{"id":${id},"name":"Far","categoryId":9007199254740993}`);
  expect(added.headers.get('location')).toBe(`/__admin/data/pets/${id}`);
  expect((await read(`pets/${id}`)).text).toBe(added.text);
  expect((await read('pets')).text).toContain(`,${added.text}],"meta"`);
  const taken = `An item of pets has the id ${id}. PUT replaces it, and PATCH changes it.`;
  expectError(await data('POST', 'pets', body), 409, 'id_taken', taken);
  await data('POST', 'pets', { ...rex, id: 500 });
  expect((await api('pets', rex)).text).toContain('"id":501,');
});

it('replaces an item in its place, or adds one with this id', async () => {
  const replaced = await data('PUT', 'pets/2', rex);
  expect([replaced.status, replaced.json]).toEqual([200, { id: 2, ...rex }]);
  const ids = (await read('pets')).json.items.map((item: { id: number }) => item.id);
  expect(ids.slice(0, 3)).toEqual([1, 2, 3]);
  expect((await api('pets?limit=2')).text).toContain(`,${replaced.text}]`);
  const path = 'pets/9007199254740993';
  const text = '{"id":9007199254740993,"name":"Rex","categoryId":1}';
  const added = await data('PUT', path, { name: 'Rex', categoryId: 1 });
  expect(added).toMatchObject({ status: 201, text });
  const same = text.replace('Rex', 'Max');
  expect(await data('PUT', path, same)).toMatchObject({ status: 200, text: same });
});

it('changes fields by a merge patch', async () => {
  const path = 'pets/9007199254740993';
  await data('PUT', path, rex);
  const type = { 'Content-Type': 'application/merge-patch+json; charset=utf-8' };
  const change = '{"status":null,"categoryId":9007199254740995}';
  const patched = await data('PATCH', path, change, type);
  const text = '{"id":9007199254740993,"name":"Rex","categoryId":9007199254740995}';
  expect(patched).toMatchObject({ status: 200, text });
  const again = await data('PATCH', path, '{"id":9007199254740993,"status":"pending"}');
  expect(again.text).toContain('"status":"pending"');
  expect((await api('pets?status=pending&limit=100')).text).toContain('9007199254740993');
});

it('deletes an item, whose id is not assigned again', async () => {
  const { id } = (await data('POST', 'pets', rex)).json;
  const path = `pets/${id}`;
  expect(await data('DELETE', path)).toMatchObject({ status: 204, text: '' });
  expectError(
    await data('DELETE', path),
    404,
    'not_found',
    `pets has no item with the id "${id}".`,
  );
  for (const answer of [await read(path), await data('PATCH', path, {}), await api(path)])
    expectAnswer(answer, 404);
  expect((await data('POST', 'pets', rex)).json.id).toBe(id + 1);
});

it('deletes what equals filters, or all, and gives the number', async () => {
  const { total } = (await read('pets')).json.meta;
  const sold = (await read('pets?status=sold')).json.meta.total;
  expectAnswer(await data('DELETE', 'pets?status=sold'), 200, { removed: sold });
  expect((await api('pets?status=sold')).text).toBe('[]');
  expect((await read('pets')).json.meta.total).toBe(total - sold);
  expect((await data('DELETE', 'pets')).json).toEqual({ removed: total - sold });
  expect((await api('pets')).text).toBe('[]');
  expect((await read('pets')).json).toEqual({ items: [], meta: { total: 0 } });
});

describe('refuses', () => {
  const notValid: Record<string, string[]> = {
    'POST pets {"name":7}': [
      '"categoryId" is required. "name" must be a string, but is 7.',
      ...['/categoryId', '/name'],
    ],
    'PATCH pets/1 {"status":"gone"}': [
      '"status" must be one of "available", "pending", "sold", but is "gone".',
      '/status',
    ],
    'PATCH pets/1 {"id":9007199254740993}': [
      '"id" must be 1, as in the path, but is 9007199254740993. The id of an item cannot be changed.',
      '/id',
    ],
    'PUT pets/one {"name":"Rex","categoryId":1}': ['"id" must be an integer, but is "one".', '/id'],
  };

  it.each(Object.entries(notValid))('%s', async (line, [sentences, ...pointers]) => {
    const before = await read('pets');
    const [method = '', path = '', body] = line.split(' ');
    const refused = await data(method, path, body);
    const message = `The body is not a valid item of pets. ${sentences}`;
    expectError(refused, 400, 'invalid_body', message);
    expect(refused.json.problems).toMatchObject(pointers.map((pointer) => ({ pointer })));
    expect((await read('pets')).text).toBe(before.text);
  });

  it.each(
    Object.entries({
      'GET toys': 'There is no collection "toys". Collections are pets.',
      'GET pets?colour=red': 'There is no query parameter "colour". Use status, skip, limit.',
      'DELETE pets?status=none':
        'Query parameter "status" must be one of available, pending, sold, but is "none".',
      'POST pets': 'The body is missing.',
    }),
  )('%s', async (line, message) => {
    const before = await read('pets');
    const [method = '', path = ''] = line.split(' ');
    const { status, json } = await data(method, path);
    expect(status).toBe(path === 'toys' ? 404 : 400);
    expect(json).toMatchObject({ status, message: expect.stringContaining(message) });
    expect((await read('pets')).text).toBe(before.text);
  });

  it('another media type', async () => {
    const type = { 'Content-Type': 'application/json-patch+json' };
    const { status, json } = await data('PATCH', 'pets/1', {}, type);
    expect([status, json.message]).toEqual([
      415,
      'The body must be sent as "Content-Type: application/merge-patch+json" or "application/json", but is application/json-patch+json.',
    ]);
  });
});

it('stores hostile fields as they are, and no prototype', async () => {
  const name = '</script>\u202e\u001b[31m"\\ \ud83d\udc15';
  const body = `{"__proto__":{"x":1},"name":${JSON.stringify(name)},"categoryId":1}`;
  expect((await data('POST', 'pets', body)).json.problems).toEqual([
    { pointer: '/__proto__', problem: expect.stringContaining('"__proto__" is unknown.') },
  ]);
  const added = await data('POST', 'pets', { name, categoryId: 1 });
  expect((await read(`pets/${added.json.id}`)).json.name).toBe(name);
});

it('changes one sandbox alone', async () => {
  const before = (await api('pets?limit=100')).text;
  const own = dataOf(`${twin.origin}/sandboxes/own`);
  expect((await own('DELETE', 'pets')).json.removed).toBeGreaterThan(10);
  const added = await own('POST', 'pets', rex);
  expect(added.headers.get('location')).toMatch(/^\/sandboxes\/own\/__admin\/data\/pets\/\d+$/);
  expect((await api('pets?limit=100')).text).toBe(before);
  expect((await read('../sandboxes/own')).json.items).toEqual({ pets: 1 });
});

it('describes the collections of the document', async () => {
  const { json } = await read('../collections');
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
  const one = await read('../collections/pets');
  expect(one.json).toEqual({ ...pets, schema: expect.anything() });
  expect(one.json.schema).toMatchObject({
    type: 'object',
    required: ['name', 'categoryId', 'id'],
    properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' }, status },
  });
  expect(one.text).not.toContain('$ref');
  expect(one.text).not.toContain('x-source');
  const { message } = (await read('../collections/toys')).json;
  expect(message).toBe('There is no collection "toys". Collections are pets.');
});

describe('with another document', () => {
  const serve = async (name: string) => {
    const { origin } = await startTwin({ spec: projectFile(`tests/support/${name}`), pets: 8 });
    return dataOf(origin);
  };

  it('keeps text ids, and filters as the API does', async () => {
    const data = await serve('shelters.yaml');
    const { json } = await data('GET', 'shelters?open=true');
    expect(json.items.every(({ open }: { open: boolean }) => open)).toBe(true);
    const one = (await data('GET', 'shelters/3')).json;
    expect(one.id).toBe('3');
    expectAnswer(await data('PUT', 'shelters/old%20town', { ...one, id: 'old town' }), 201);
    expect((await data('GET', 'shelters/old%20town')).json.id).toBe('old town');
    expectAnswer(await data('POST', 'shelters', { ...one, id: undefined }), 201, { id: '9' });
    expect((await data('GET', 'shelters?open=maybe')).json.message).toContain('true or false');
  });

  it('takes skip and limit for paging alone, also where filters have these names', async () => {
    const data = await serve('ladders.yaml');
    const { items } = (await data('GET', 'ladders')).json;
    expect(items).toHaveLength(8);
    const part = await data('GET', 'ladders?skip=2&limit=3');
    expect(part.json).toEqual({ items: items.slice(2, 5), meta: { total: 8 } });
    const refused = await data('DELETE', 'ladders?limit=3');
    const message = 'There is no query parameter "limit". Use colour.';
    expectAnswer(refused, 400, { message });
    const { filters } = (await data('GET', '../collections/ladders')).json;
    expect(filters).toMatchObject([{ name: 'colour' }]);
  });
});
