import { expect, it } from 'vitest';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { collection, Deployment, type Item } from '../../support/shared-deployment.ts';
import type { AskedRequest, Reply } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const name = { type: 'string', example: 'Rex' };
const fields = { type: 'object', required: ['name'], properties: { name } };
const createdAt = { type: 'string', format: 'date-time', readOnly: true };
const item = { ...fields, properties: { id: { type: 'integer' }, name, createdAt } };
const list = { type: 'array', items: fields, minItems: 2 };
const open = { type: 'array', items: fields };
const listed = { type: 'array', items: item };
const held = (schema: object) => ({
  type: 'object',
  required: ['pets'],
  properties: { pets: schema },
});
const done = { description: 'Done.' };

type Shape = { method?: string; path: string; body: object; responses: object };
type Make = (deployment: Deployment, asked: AskedRequest) => Reply;

/** Describes pets that can be deleted, and an operation that makes some in its own way. */
async function run({ method = 'post', path, body, responses }: Shape, make: Make, items = 9) {
  const { '/pets': pets = {}, '/pets/{id}': pet } = collection('/pets', { createdAt });
  const { post: _, ...others } = pets as Record<string, object>;
  const paths: Record<string, object> = { '/pets': others, '/pets/{id}': pet as object };
  const requestBody = { required: true, ...jsonOf(body) };
  const operation = { operationId: 'make', requestBody, responses };
  const parameters = path.includes('{') ? [pathParameter('id')] : [];
  const spec = toDocument({
    ...paths,
    ...(path === '/imports' && { '/boxes': others, '/boxes/{id}': pet as object }),
    [path]: { ...paths[path], [method]: { ...operation, parameters } },
  });
  const deployment = items === 0 ? new Deployment() : new Deployment('/pets');
  const form = new RegExp(`^${path.replace('{id}', '\\d+')}$`);
  const url = await deployment.start((asked) => {
    if (asked.method !== method.toUpperCase() || !form.test(asked.path)) return undefined;
    return asked.text.includes('"name":"') ? make(deployment, asked) : { status: 400 };
  });
  const report = await verifyWrites(url, spec, { call: ['make'] });
  const deleted = deployment.asked.filter((one) => one.method === 'DELETE');
  return { deployment, report, deleted: deleted.map((one) => one.path) };
}

const dated = (fields: unknown): Item => ({
  ...(fields as Item),
  createdAt: new Date().toISOString(),
});
const add: Make = (deployment, { sent }) => ({
  status: 200,
  body: deployment.add('/pets', dated(sent)),
});
const addAll = (deployment: Deployment, all: unknown) =>
  (all as Item[]).map((one) => deployment.add('/pets', dated(one)));
const put =
  (status: number, date = dated): Make =>
  (deployment, { path, sent }) => {
    const body = deployment.add('/pets', date(sent), Number(path.split('/')[2]));
    return { status, ...(status !== 204 && { body }) };
  };

it.each<[string, Shape, Make, number?]>([
  ['200', { path: '/pets/import', body: fields, responses: { 200: jsonOf(item) } }, add],
  [
    'nothing',
    { path: '/pets/import', body: fields, responses: { 204: done } },
    (...all) => ({ ...add(...all), status: 204 }),
  ],
  [
    'an id alone',
    { path: '/pets/import', body: fields, responses: { 202: jsonOf({ type: 'object' }) } },
    (...all) => ({ status: 202, body: { id: (add(...all).body as Item).id } }),
  ],
  [
    'several',
    { path: '/pets/batch', body: list, responses: { 200: jsonOf(listed) } },
    (deployment, { text }) => ({ status: 200, body: addAll(deployment, JSON.parse(text)) }),
  ],
  [
    'several in an envelope',
    { path: '/pets/import', body: held(list), responses: { 200: jsonOf(held(listed)) } },
    (deployment, { sent }) => ({
      status: 200,
      body: { id: 'job-1', pets: addAll(deployment, sent?.pets) },
    }),
  ],
  [
    'those of a list that may be empty',
    { path: '/pets/batch', body: open, responses: { 200: jsonOf(listed) } },
    (deployment, { text }) => ({ status: 200, body: addAll(deployment, JSON.parse(text)) }),
  ],
  [
    'those of a list in an envelope that may be empty',
    { path: '/pets/import', body: held(open), responses: { 200: jsonOf(held(listed)) } },
    (deployment, { sent }) => ({ status: 200, body: { pets: addAll(deployment, sent?.pets) } }),
  ],
  [
    '201 from elsewhere',
    { path: '/imports', body: fields, responses: { 201: jsonOf(held(item)) } },
    (...all) => ({ status: 201, body: { pets: add(...all).body } }),
  ],
  ...[200, 204].map((status): [string, Shape, Make, number] => [
    `${status} to a PUT`,
    {
      ...{ method: 'put', path: '/pets/{id}', body: fields },
      responses: { [status]: status === 200 ? jsonOf(item) : done },
    },
    put(status),
    0,
  ]),
])('deletes what an operation made that --call allows: %s', async (_, shape, make, items = 9) => {
  const { deployment, report, deleted } = await run(shape, make, items);
  expect(deleted.length).toBeGreaterThan(0);
  const left = [...deployment.items.values()].filter((one) => /^Ours \d$/.test(String(one.name)));
  expect([left.length, deployment.items.size, report.residue]).toEqual([items, items, []]);
  expect(report.leftAlone ?? []).toEqual([]);
});

const best = { path: '/pets/best', body: fields, responses: { 200: jsonOf(item) } };

it.each<[string, Shape, Make, string, number?]>([
  [
    'one that was there, which it changed',
    best,
    ({ items }, { sent }) => ({
      status: 200,
      body: Object.assign(items.get('/pets/5') as Item, sent),
    }),
    '5',
  ],
  [
    'one that was there, of which it says nothing',
    { ...best, responses: { 204: done } },
    ({ items }, { sent }) => {
      Object.assign(items.get('/pets/5') as Item, sent);
      return { status: 204 };
    },
    '5',
  ],
  [
    'one that no list shows',
    best,
    ({ items }, { sent }) => {
      const hidden = { ...sent, id: 60 };
      items.set('/secret/60', hidden);
      return { status: 200, body: hidden };
    },
    '60',
  ],
  [
    'one without its mark',
    best,
    (deployment) => ({ status: 200, body: deployment.add('/pets', { name: 'Ours 5' }) }),
    '100',
  ],
  ['one that it replaced', { ...best, method: 'put', path: '/pets/{id}' }, put(200), '1'],
  [
    'one of which nothing says that it is new',
    { ...best, path: '/imports', responses: { 200: jsonOf(held(item)) } },
    (deployment, { sent }) => ({
      status: 200,
      body: { pets: deployment.add('/pets', sent ?? {}) },
    }),
    '100',
  ],
  [
    'one that was hidden',
    { ...best, path: '/pets/restore' },
    (deployment, { sent }) => ({ status: 200, body: deployment.add('/pets', sent ?? {}, 70) }),
    '70',
  ],
  [
    'one that was hidden, and is old',
    { ...best, path: '/pets/restore', responses: { 201: jsonOf(item) } },
    (deployment, { sent }) => ({
      status: 201,
      body: deployment.add('/pets', { ...sent, createdAt: '2001-01-01T00:00:00Z' }, 70),
    }),
    '70',
  ],
  [
    'one that was hidden, of an import from elsewhere that is answered 201',
    { ...best, path: '/imports', responses: { 201: jsonOf(held(item)) } },
    (deployment, { sent }) => ({
      status: 201,
      body: { pets: deployment.add('/pets', sent ?? {}, 70) },
    }),
    '70',
  ],
  [
    'one that was hidden, and that it replaced',
    { ...best, method: 'put', path: '/pets/{id}' },
    put(200, (sent) => sent as Item),
    '1',
    0,
  ],
])(
  'leaves alone and tells what --call allowed to change: %s',
  async (_, shape, make, id, items) => {
    const { report, deleted } = await run(shape, make, items);
    expect(deleted).toEqual([]);
    const told = [...report.residue, ...(report.leftAlone ?? [])];
    expect(told.map((one) => [one.operation, one.id])).toEqual([['make', id]]);
  },
);

it.each<[string, object]>([
  [
    'names another item',
    { required: ['name', 'boxId'], properties: { boxId: { type: 'integer' } } },
  ],
  ['has its own id', { required: ['name', 'id'], properties: { id: { type: 'integer' } } }],
  ['cannot be marked', { properties: { size: { type: 'integer' } }, required: ['size'] }],
])('leaves a list that may be empty as it is if an item of it %s', async (_, more) => {
  const { properties = {}, required } = more as { properties?: object; required: string[] };
  const items = { type: 'object', required, properties: { name, ...properties } };
  for (const body of [{ type: 'array', items }, held({ type: 'array', items })]) {
    const shape = { path: '/pets/batch', body, responses: { 200: done } };
    const { deployment } = await run(shape, () => ({ status: 200 }));
    const made = deployment.asked.filter(({ path }) => path === '/pets/batch');
    expect(made.map(({ text }) => text)).toEqual([body.type === 'array' ? '[]' : '{"pets":[]}']);
  }
});

const changing = {
  requestBody: { required: true, ...jsonOf(fields) },
  responses: { 200: jsonOf(item) },
};
const parameters = [pathParameter('id')];
const withPut = () => {
  const { '/pets': pets, '/pets/{id}': pet } = collection('/pets');
  const put = { operationId: 'putPet', ...changing };
  const lock = { operationId: 'lock', responses: { 200: jsonOf(item) }, parameters };
  return { '/pets': pets, '/pets/{id}': { ...pet, put }, '/pets/{id}/lock': { post: lock } };
};

it.each(['putPet', 'lock'])(
  'calls %s, which --call allows, on an item of the run alone',
  async (call) => {
    const deployment = new Deployment('/pets');
    const locked: string[] = [];
    const url = await deployment.start(({ method, path }) => {
      if (!path.endsWith('/lock') || method !== 'POST') return undefined;
      locked.push(path);
      return { status: 200, body: deployment.items.get(path.replace('/lock', '')) };
    });
    const report = await verifyWrites(url, toDocument(withPut()), {
      call: [call],
    });
    const puts = deployment.asked.filter(({ method }) => method === 'PUT').map(({ path }) => path);
    const called = call === 'lock' ? locked : puts;
    expect(called.length).toBeGreaterThan(0);
    expect(called.filter((path) => !/[/][1-9][0-9][0-9]/.test(path))).toEqual([]);
    expect([deployment.harmed, deployment.left(), report.residue]).toEqual([[], [], []]);
    expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  },
);

it('calls what --call allows as the user means it where nothing else may be made', async () => {
  const deployment = new Deployment('/pets');
  const url = await deployment.start(({ method, path }) =>
    method === 'POST' && path.endsWith('/lock') ? { status: 200, body: { id: 1 } } : undefined,
  );
  await verifyWrites(url, toDocument(withPut()), { call: ['lock'], allowWrites: false });
  const posts = deployment.asked.filter(({ method }) => method === 'POST').map(({ path }) => path);
  expect(new Set(posts)).toEqual(new Set(['/pets/1/lock']));
});

it('makes no item for a call that is safe', async () => {
  const deployment = new Deployment('/pets');
  const url = await deployment.start();
  const peek = { operationId: 'peek', responses: { 200: jsonOf(item) }, parameters };
  const paths = { ...withPut(), '/pets/{id}/peek': { get: peek } };
  const created = async (call: string[]) => {
    deployment.asked.length = 0;
    await verifyWrites(url, toDocument(paths), { call });
    return deployment.asked.filter(({ method }) => method === 'POST').length;
  };
  expect(await created(['peek'])).toBe(await created([]));
});

it('says why it calls an operation on no item of the run', async () => {
  const deployment = new Deployment('/pets');
  const url = await deployment.start(({ method }) =>
    method === 'POST' ? { status: 403 } : undefined,
  );
  const report = await verifyWrites(url, toDocument(withPut()), { call: ['lock', 'putPet'] });
  const reasons = report.notCalled.filter(({ operation }) =>
    ['lock', 'putPet'].includes(operation),
  );
  expect(reasons.map(({ reason }) => reason)).toEqual(
    Array(2).fill('it is called on items of the run alone, and none was made for it'),
  );
  expect(
    deployment.asked.filter(({ path, method }) => method === 'PUT' || path.endsWith('lock')),
  ).toEqual([]);
});
