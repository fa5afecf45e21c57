import { expect, it } from 'vitest';
import { pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const object = (properties: object) => ({ type: 'object', properties });
const text = { type: 'string' };
const json = (schema: object) => ({ 'application/json': { schema } });
const answer = (schema: object, status = 200) => ({
  [status]: { description: 'What is there.', content: json(schema) },
});
const list = (items: object) => ({ type: 'array', items });

/** A call of a twin of some paths: its status, and its JSON. */
const serve = async (paths: object) => (await serveDocument(toDocument(paths), { pets: 3 })).send;

const station = object({ id: { type: 'integer' }, name: text });
const say = (held: object) => object({ ok: { type: 'boolean' }, result: text, ...held });

it('finds the item in an object by what the path names', async () => {
  const call = await serve({
    '/stations': {
      get: { responses: answer(say({ stations: list(station), skipped: list(text) })) },
      post: {
        requestBody: { content: json(object({ chargePoint: object({ name: text }) })) },
        responses: answer(
          object({ action: object({ id: { type: 'integer' } }), chargePoint: station }),
          201,
        ),
      },
    },
    '/stations/{id}': {
      parameters: [pathParameter('id')],
      get: { responses: answer(say({ chargePoint: station })) },
      patch: {
        requestBody: { content: json(object({ chargePoint: object({ name: text }) })) },
        responses: answer(say({ chargePoint: station })),
      },
    },
  });
  const created = await call('POST', '/stations', { chargePoint: { name: 'Quay' } });
  expect(created).toMatchObject({ status: 201, json: { chargePoint: { name: 'Quay' } } });
  const { id } = created.json.chargePoint;
  expect((await call('GET', `/stations/${id}`)).json.chargePoint).toEqual({ id, name: 'Quay' });
  expect((await call('GET', '/stations')).json.stations).toContainEqual({ id, name: 'Quay' });
  await call('PATCH', `/stations/${id}`, { chargePoint: { name: 'Pier' } });
  expect((await call('GET', `/stations/${id}`)).json.chargePoint).toEqual({ id, name: 'Pier' });
  expect((await call('GET', '/stations/999')).status).toBe(404);
});

it('finds the only item of an array, in answers and in bodies', async () => {
  const employee = object({ EmployeeID: { type: 'string', format: 'uuid' }, FirstName: text });
  const employees = object({ Id: text, Employees: list(employee) });
  const call = await serve({
    '/Employees': { get: { responses: answer(employees) } },
    '/Employees/{EmployeeID}': {
      parameters: [pathParameter('EmployeeID', text)],
      get: { responses: answer(employees) },
      post: {
        requestBody: { content: json(list(object({ FirstName: text }))) },
        responses: answer(employees),
      },
    },
  });
  const { EmployeeID } = (await call('GET', '/Employees')).json.Employees[1];
  const path = `/Employees/${EmployeeID}`;
  expect((await call('GET', path)).json.Employees).toMatchObject([{ EmployeeID }]);
  expect((await call('POST', path, [{ FirstName: 'Karen' }])).status).toBe(200);
  expect((await call('GET', path)).json.Employees).toMatchObject([
    { EmployeeID, FirstName: 'Karen' },
  ]);
  expect((await call('POST', path, { FirstName: 'Bare' })).status).toBe(400);
});

it.each([
  ['task_gid', 'gid'],
  ['repo_slug', 'slug'],
  ['taskSid', 'sid'],
])('takes {%s} of /tasks for the %s of an item', async (parameter, property) => {
  const task = object({ name: text, [property]: text });
  const call = await serve({
    [parameter === 'repo_slug' ? '/repos' : '/tasks']: { get: { responses: answer(list(task)) } },
    [`${parameter === 'repo_slug' ? '/repos' : '/tasks'}/{${parameter}}`]: {
      parameters: [pathParameter(parameter, text)],
      get: { responses: answer(task) },
      delete: { responses: { 204: { description: 'Gone.' } } },
    },
  });
  const path = parameter === 'repo_slug' ? '/repos' : '/tasks';
  const [first] = (await call('GET', path)).json;
  expect((await call('GET', `${path}/${first[property]}`)).json).toEqual(first);
  expect((await call('DELETE', `${path}/${first[property]}`)).status).toBe(204);
  expect((await call('GET', `${path}/${first[property]}`)).status).toBe(404);
});

it('takes a list of changes for a JSON Patch, though it is plain JSON', async () => {
  const flag = object({ key: text, name: text });
  const change = object({ op: text, path: text, value: {} });
  const call = await serve({
    '/flags': { get: { responses: answer(list(flag)) } },
    '/flags/{key}': {
      parameters: [pathParameter('key', text)],
      get: { responses: answer(flag) },
      patch: { requestBody: { content: json(list(change)) }, responses: answer(flag) },
    },
  });
  const [{ key }] = (await call('GET', '/flags')).json;
  const changes = [{ op: 'replace', path: '/name', value: 'Dark mode' }];
  expect(await call('PATCH', `/flags/${key}`, changes)).toMatchObject({ status: 200 });
  expect((await call('GET', `/flags/${key}`)).json.name).toBe('Dark mode');
});

it('finds an item alone in an array, where its path names it', async () => {
  const policy = object({ policyId: text, name: text });
  const body = { requestBody: { content: json(object({ name: text })) } };
  const call = await serve({
    '/policies': {
      get: { responses: answer(list(policy)) },
      post: { ...body, responses: answer(list(policy)) },
    },
    '/policies/{policyId}': {
      parameters: [pathParameter('policyId', text)],
      get: { responses: answer(list(policy)) },
      delete: { responses: { 204: { description: 'Gone.' } } },
    },
  });
  const { json: created } = await call('POST', '/policies', { name: 'Strict' });
  expect(created).toEqual([{ policyId: expect.any(String), name: 'Strict' }]);
  const path = `/policies/${created[0].policyId}`;
  expect((await call('GET', path)).json).toEqual(created);
  expect((await call('GET', '/policies')).json).toContainEqual(created[0]);
  expect((await call('DELETE', path)).status).toBe(204);
  expect((await call('GET', path)).status).toBe(404);
});
