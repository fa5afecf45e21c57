import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { collection, Deployment, type Item } from '../../support/shared-deployment.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

it('changes no number of an item to one that others may have as their id', async () => {
  const zone = { type: 'integer', minimum: 1, maximum: 100 };
  const properties = { zone, keeper: { type: 'number' }, box: { type: 'integer', minimum: 2 } };
  const deployment = new Deployment('/cages');
  const set = { zone: 3, keeper: 4, box: 5 };
  const changes: Item[] = [];
  const creates: Item[] = [];
  const url = await deployment.start(({ method, path, sent }) => {
    if (method === 'POST' && typeof sent?.name === 'string') {
      creates.push(sent);
      return { status: 201, body: deployment.add(path, { ...sent, ...set }) };
    }
    if (method !== 'PATCH' || !sent) return undefined;
    changes.push(sent);
    return sent.name === undefined ? undefined : { status: 422 };
  });
  await verifyWrites(url, toDocument(collection('/cages', properties)));
  const sent = [...changes, ...creates].flatMap(({ name: _, id: __, ...more }) =>
    Object.values(more).map((value) => Math.round(Number(value))),
  );
  expect(sent.filter((value) => value > 0 && value < 1000)).toEqual([]);
  expect(changes.some(({ keeper }) => Number(keeper) > 2 ** 30)).toBe(true);
});

it('sends true for no boolean that a document leaves open, at any depth', async () => {
  const flag = { type: 'boolean' };
  const nested = { type: 'object', required: ['flag'], properties: { flag } };
  const shown = { ...nested, example: { flag: true } };
  const closed = { isOpen: { ...flag, default: true }, isOnly: { ...flag, const: true } };
  const open = {
    flag,
    given: { ...flag, example: true },
    either: { ...flag, enum: [true, false] },
    maybe: { type: ['boolean', 'null'], enum: [true, false, null] },
    untyped: { enum: [true, false] },
  };
  const properties = { ...open, ...closed, nested, shown, optional: flag };
  const deployment = new Deployment('/cards');
  for (const item of deployment.items.values())
    Object.assign(item, { ...open, nested: { flag: true } });
  const url = await deployment.start();
  const required = ['name', ...Object.keys({ ...open, ...closed }), 'nested', 'shown'];
  const paths = collection('/cards', properties, { required });
  const filters = ['optional', 'maybe'].map((name) => ({ name, in: 'query', schema: flag }));
  Object.assign(paths['/cards']?.get ?? {}, { parameters: filters });
  await verifyWrites(url, toDocument(paths));
  const bodies = deployment.asked.filter(({ method }) => method !== 'GET').map(({ text }) => text);
  const isTrue = (name: string) =>
    bodies.filter((text) => text.includes(`"${name}":true`)).length > 0;
  const names = [...Object.keys(open), 'optional', ...Object.keys(closed)];
  expect(names.filter(isTrue)).toEqual(Object.keys(closed));
  expect(names.filter((name) => !bodies.some((text) => text.includes(`"${name}":`)))).toEqual([]);
  expect(bodies.join()).not.toMatch(/"(flag|given|either|optional)":("(?!")|[1-9[{])/);
});

const parameter = (name: string, place: string, schema: object, example: unknown) => ({
  create: { parameters: [{ name, in: place, required: true, schema, example }] },
});
const integer = { type: 'integer' };

it.each([
  ['a header', '/projects', parameter('X-Project-Id', 'header', integer, 1)],
  ['a cookie', '/projects', parameter('project_id', 'cookie', integer, 2)],
  ['the query', '/projects', parameter('projectId', 'query', { type: 'string' }, '3')],
  ['a list in the query', '/projects', parameter('projectIds', 'query', { type: 'array' }, [4, 5])],
  ['a noun in the query', '/projects', parameter('project', 'query', integer, 6)],
  ['what is not described', '/boxes', parameter('X-Tenant-Id', 'header', integer, 7)],
])('names items of the run alone in %s of a create', async (_, other, more) => {
  const deployment = new Deployment('/projects', '/pets');
  const url = await deployment.start();
  const spec = { ...collection(other), ...collection('/pets', {}, more) };
  const report = await verifyWrites(url, toDocument(spec));
  const named = deployment.asked
    .filter(({ method, path }) => method === 'POST' && path === '/pets')
    .map(({ query, headers }) => [
      ...query.values(),
      headers['x-project-id'] ?? headers['x-tenant-id'] ?? headers.cookie?.split('=')[1] ?? '',
    ])
    .flatMap((values) => values.join().split(',').filter(Boolean).map(Number));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((one) => !(one >= 100))).toEqual([]);
  expect([deployment.left(), report.residue]).toEqual([[], []]);
});

it('sends no create whose reads need to name an item of others, unless a header names it', async () => {
  const parameters = [{ name: 'X-Project-Id', in: 'header', required: true, schema: integer }];
  const pets: Record<string, object> = collection('/pets');
  const shared = Object.fromEntries(
    Object.entries(pets).map(([path, one]) => [
      path,
      { ...one, parameters: [...parameters, ...(path === '/pets' ? [] : [pathParameter('id')])] },
    ]),
  );
  const created = async (headers: Record<string, string>) => {
    const deployment = new Deployment('/projects', '/pets');
    const url = await deployment.start();
    await verifyWrites(url, toDocument({ ...collection('/projects'), ...shared }), {
      target: { url, keys: [], headers },
    });
    const creates = deployment.asked.filter((one) => one.method === 'POST' && one.path === '/pets');
    return [...new Set(creates.map(({ headers }) => headers['x-project-id']))];
  };
  expect(await created({})).toEqual([]);
  expect(await created({ 'X-Project-Id': '8' })).toEqual(['8']);
});

it('creates nothing that only a secret would mark', async () => {
  const deployment = new Deployment('/users');
  const properties = { password: { type: 'string' } };
  const url = await deployment.start(({ method, path, sent }) => {
    if (method !== 'POST' || typeof sent?.password !== 'string') return undefined;
    const { password: _, ...shown } = sent;
    return { status: 201, body: deployment.add(path, { name: 'Nobody', ...shown }) };
  });
  const users = collection('/users', properties, { required: ['name', 'password'] });
  await verifyWrites(url, toDocument(users));
  expect(deployment.left()).toEqual([]);
});

const type = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { ...integer, example: 1 }, name: { type: 'string', example: 'cat' } },
};

it('names no item of others in a create that --call allows', async () => {
  const deployment = new Deployment('/types', '/pets');
  const url = await deployment.start(({ method, path }) => {
    const { type: named } = Object(deployment.items.get(path));
    if (method === 'DELETE' && named) deployment.items.delete(`/types/${named.id}`);
    return undefined;
  });
  const { '/types': types, '/types/{id}': one } = collection('/types');
  const create = { operationId: 'addPet' };
  const pets = collection('/pets', { type }, { required: ['name', 'type'], create });
  const spec = toDocument({ ...{ '/types': types, '/types/{id}': one }, ...pets });
  await verifyWrites(url, spec, { call: ['addPet'] });
  const others = [...deployment.items.keys()].filter((path) => path.startsWith('/types/'));
  expect(others).toHaveLength(9);
  expect(deployment.harmed).toEqual([]);
});

it('ends creates that --call allows once a deletion is refused', async () => {
  const deployment = new Deployment('/pets');
  const url = await deployment.start(({ method }) =>
    method === 'DELETE' ? { status: 403 } : undefined,
  );
  const report = await verifyWrites(
    url,
    toDocument(collection('/pets', {}, { create: { operationId: 'addPet' } })),
    { call: ['addPet'] },
  );
  expect(deployment.left()).toHaveLength(1);
  expect(report.residue).toHaveLength(1);
});

it.each([200, 201, 202])(
  'reports what a PUT that --call allows may have made: %i',
  async (status) => {
    const item = { type: 'object', properties: { id: integer, name: { type: 'string' } } };
    const put = {
      operationId: 'putThing',
      requestBody: { required: true, ...jsonOf(item) },
      responses: { [status]: jsonOf(item) },
    };
    const url = await startServer(({ method }) => ({
      status: method === 'PUT' ? status : 404,
      body: { id: 77, name: 'x' },
    }));
    const report = await verifyWrites(url, toDocument({ '/things/import': { put } }), {
      call: ['putThing'],
    });
    expect(report.residue?.map(({ id }) => id)).toEqual(['77']);
  },
);

it('takes no collection for its own whose creates have a query', async () => {
  const deployment = new Deployment('/things');
  const cleared: string[] = [];
  const url = await deployment.start(({ method, path, sent }) => {
    if (method === 'POST' && typeof sent?.name === 'string')
      return { status: 201, body: deployment.add(path, sent) };
    if (path !== '/things' || !['DELETE', 'PATCH'].includes(method)) return undefined;
    cleared.push(method);
    return { status: 204 };
  });
  const parameters = [{ name: 'mode', in: 'query', required: true, schema: { enum: ['new'] } }];
  const paths = collection('/things', {}, { create: { parameters } });
  const responses = { 204: { description: 'Done.' } };
  Object.assign(paths['/things'] ?? {}, {
    delete: { operationId: 'deleteAll', responses },
    patch: { operationId: 'changeAll', requestBody: jsonOf({ type: 'object' }), responses },
  });
  await verifyWrites(url, toDocument(paths));
  expect(cleared).toEqual([]);
});

it('deletes nothing at a path that is another one for an id of its own', async () => {
  const deployment = new Deployment('/users');
  const cleared: string[] = [];
  const url = await deployment.start(({ method, path, sent }) => {
    if (method === 'DELETE' && path === '/users/all') {
      cleared.push(...deployment.items.keys());
      return { status: 204 };
    }
    if (method !== 'POST' || typeof sent?.name !== 'string') return undefined;
    return { status: 201, body: deployment.add(path, sent, 'all') };
  });
  const remove = { operationId: 'removeAll', responses: { 204: { description: 'Gone.' } } };
  const properties = { id: { type: 'string', readOnly: true } };
  const spec = toDocument({
    ...collection('/users', properties),
    '/users/all': { delete: remove },
  });
  const report = await verifyWrites(url, spec);
  expect(cleared).toEqual([]);
  expect([...(report.leftAlone ?? []), ...report.residue].length).toBeGreaterThan(0);
});

it.each([false, true])(
  'deletes no item of others that each create is answered with, which no list showed: paged %s',
  async (isPaged) => {
    const deployment = new Deployment('/pets');
    const first = deployment.items.get('/pets/1') as Item;
    const url = await deployment.start(({ method, path, sent }) => {
      if (path !== '/pets') return undefined;
      if (method === 'POST' && typeof sent?.name === 'string')
        return { status: 201, body: Object.assign(first, { name: sent.name }) };
      if (method === 'POST') return { status: 400 };
      if (!isPaged) return { status: 405 };
      return { status: 200, body: [8, 9].map((id) => deployment.items.get(`/pets/${id}`)) };
    });
    const { '/pets': pets, ...more } = collection('/pets');
    const { get, ...create } = pets as { get: object };
    const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 2 } };
    const list = { get: { ...get, parameters: [limit] } };
    const spec = toDocument({ '/pets': { ...create, ...(isPaged && list) }, ...more });
    const report = await verifyWrites(url, spec);
    expect(deployment.items.size).toBe(9);
    expect(deployment.harmed).toEqual([]);
    expect(report.leftAlone?.map(({ id }) => id)).toEqual(['1']);
  },
);

it('creates no item with a name that one of others has, and goes on to create', async () => {
  const deployment = new Deployment('/rooms');
  deployment.items.set('/rooms/1', { id: 1, name: 'true' });
  const url = await deployment.start(({ method, sent }) => {
    const held = [...deployment.items.values()].find(({ name }) => name === sent?.name);
    return method === 'POST' && held ? { status: 201, body: held } : undefined;
  });
  const rooms = collection('/rooms', { kind: { type: 'string' } }, { required: ['name', 'kind'] });
  const report = await verifyWrites(url, toDocument(rooms));
  const names = deployment.asked.flatMap(({ method, sent }) =>
    method === 'POST' ? sent?.name : [],
  );
  expect(names).not.toContain('true');
  expect(deployment.asked.map(({ method }) => method)).toContain('PATCH');
  expect([deployment.left(), report.residue, report.leftAlone]).toEqual([[], [], []]);
});

it.each([true, false])(
  'deletes or tells each item of a list that a create is answered with: %j',
  async (isMarked) => {
    const deployment = new Deployment('/people');
    const url = await deployment.start(({ method, path, sent }) => {
      if (method !== 'POST' || typeof sent?.name !== 'string') return undefined;
      const other = { ...sent, name: isMarked ? `${sent.name} too` : 'Someone' };
      return { status: 201, body: [deployment.add(path, sent), deployment.add(path, other)] };
    });
    const before = new Set(deployment.items.keys());
    const report = await verifyWrites(url, toDocument(collection('/people')));
    const left = [...deployment.items.keys()].filter((path) => !before.has(path));
    const told = report.residue.map(({ id }) => `/people/${id}`);
    expect(left.filter((path) => !told.includes(path))).toEqual([]);
    expect(isMarked ? left : []).toEqual([]);
  },
);

it('deletes no item whose id is cut from its text, as others may have it', async () => {
  const pages = new Map(['only ', 'lette'].map((slug) => [slug, 'of ours']));
  const harmed: string[] = [];
  const url = await startServer(({ method, segments, sent }) => {
    const slug = String(sent?.title ?? decodeURIComponent(segments[1] ?? '')).slice(0, 5);
    const shown = () => ({ slug, title: pages.get(slug) });
    if (method === 'POST' && typeof sent?.title !== 'string') return { status: 400 };
    if (method === 'POST') pages.set(slug, String(sent?.title));
    if (method === 'POST') return { status: 201, body: shown() };
    if (segments.length === 1) return { status: 200, body: [] };
    if (!pages.has(slug)) return { status: 404 };
    if (method !== 'DELETE') return { status: 200, body: shown() };
    harmed.push(slug);
    return { status: 204 };
  });
  const spec = documentOf(`
    GET /pages -> [Page]
    POST /pages { title! } -> 201 Page, 400
    GET /pages/{slug:text} -> Page, 404
    DELETE /pages/{slug:text} -> 204
    Page: { slug!, title! }
  `);
  const report = await verifyWrites(url, spec);
  expect(harmed).toEqual([]);
  expect([...report.residue, ...(report.leftAlone ?? [])].length).toBeGreaterThan(0);
});
