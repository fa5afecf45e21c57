import { expect, it } from 'vitest';
import { serveDocument } from '../../support/serve-document.ts';

/** Calls a twin of a document in short. */
const serve = async (lines: string) => (await serveDocument(lines, { pets: 3 })).send;

it('finds the item in an object by what the path names', async () => {
  const call = await serve(`
    GET /stations -> { ok: bool, result, stations: [Station], skipped: [text] }
    POST /stations { chargePoint: { name } } -> 201 { action: { id: int }, chargePoint: Station }
    GET /stations/{id} -> { ok: bool, result, chargePoint: Station }
    PATCH /stations/{id} { chargePoint: { name } } -> { ok: bool, result, chargePoint: Station }
    Station: { id: int, name }
  `);
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
  const call = await serve(`
    GET /Employees -> Employees
    GET /Employees/{EmployeeID:text} -> Employees
    POST /Employees/{EmployeeID:text} [{ FirstName }] -> Employees
    Employees: { Id, Employees: [{ EmployeeID: uuid, FirstName }] }
  `);
  const { EmployeeID } = (await call('GET', '/Employees')).json.Employees[1];
  const path = `/Employees/${EmployeeID}`;
  expect((await call('GET', path)).json.Employees).toMatchObject([{ EmployeeID }]);
  expect((await call('POST', path, [{ FirstName: 'Karen' }])).status).toBe(200);
  const karen = [{ EmployeeID, FirstName: 'Karen' }];
  expect((await call('GET', path)).json.Employees).toMatchObject(karen);
  expect((await call('POST', path, { FirstName: 'Bare' })).status).toBe(400);
});

it('takes a list of changes for a JSON Patch, though it is plain JSON', async () => {
  const call = await serve(`
    GET /flags -> [Flag]
    GET /flags/{key:text} -> Flag
    PATCH /flags/{key:text} [{ op, path, value: any }] -> Flag
    Flag: { key, name }
  `);
  const [{ key }] = (await call('GET', '/flags')).json;
  const changes = [{ op: 'replace', path: '/name', value: 'Dark mode' }];
  expect(await call('PATCH', `/flags/${key}`, changes)).toMatchObject({ status: 200 });
  expect((await call('GET', `/flags/${key}`)).json.name).toBe('Dark mode');
});

it('finds an item alone in an array, where its path names it', async () => {
  const call = await serve(`
    GET /policies -> [Policy]
    POST /policies { name } -> [Policy]
    GET /policies/{policyId:text} -> [Policy]
    DELETE /policies/{policyId:text} -> 204
    Policy: { policyId, name }
  `);
  const { json: created } = await call('POST', '/policies', { name: 'Strict' });
  expect(created).toEqual([{ policyId: expect.any(String), name: 'Strict' }]);
  const path = `/policies/${created[0].policyId}`;
  expect((await call('GET', path)).json).toEqual(created);
  expect((await call('GET', '/policies')).json).toContainEqual(created[0]);
  expect((await call('DELETE', path)).status).toBe(204);
  expect((await call('GET', path)).status).toBe(404);
});

it('ties what a PUT sets of a member to the user that its path names', async () => {
  const { send } = await serveDocument(`
    GET /users -> [User]
    POST /users User -> 201 User
    GET /users/{username:text} -> User
    GET /orgs/{org:text}/memberships/{username:text} -> Membership, 404
    PUT /orgs/{org:text}/memberships/{username:text} { role: "admin" | "member" } -> Membership
    DELETE /orgs/{org:text}/memberships/{username:text} -> 204
    User: { login!, name }
    Membership: { state!: "active" | "pending", role!: "admin" | "member", user!: User }
  `);
  const user = { login: 'ada', name: 'Ada' };
  await send('POST', '/users', user);
  const at = '/orgs/lab/memberships/ada';
  expect((await send('GET', at)).status).toBe(404);
  for (const role of ['admin', 'member']) {
    const member = { state: 'active', role, user };
    expect(await send('PUT', at, { role })).toEqual({ status: 200, json: member });
    expect((await send('GET', at)).json).toEqual(member);
  }
  await send('DELETE', at);
  expect((await send('GET', at)).status).toBe(404);
});

it('begins with no items below themselves', async () => {
  const { send } = await serveDocument(`
    GET /nodes -> [Node]
    GET /nodes/{id} -> Node
    Node: { id!: int, name!, children!: [Node] }
  `);
  const { json } = await send('GET', '/nodes');
  expect(json.map(({ children }: { children: unknown }) => children)).toEqual([[], []]);
});
