import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

/** Users at paths whose parameter has this name and description, and pets of each. */
function serveUsers(name: string, description?: string) {
  const document = documentOf(`
    GET /users -> [User]
    POST /users NewUser -> 201 User
    GET /users/{${name}:text} -> User, 404 object
    DELETE /users/{${name}:text} -> 204, 404 object
    GET /users/{${name}:text}/pets -> [Pet]
    POST /users/{${name}:text}/pets NewPet -> 201 Pet
    NewUser: { email!, login! }
    User: { readonly id: int, email!, login! }
    NewPet: { name }
    Pet: { readonly id: int, name }
  `);
  for (const path of Object.values(document.paths))
    for (const one of path.parameters ?? []) if (description) one.description = description;
  return serveDocument(document);
}

it.each([
  ['user_id_or_login', undefined, 'anna'],
  ['userIdOrEmail', undefined, 'anna@a.example'],
  ['user', 'ID or email address of the user.', 'anna@a.example'],
  ['user_id', 'The user id, or the login.', 'anna'],
  ['user', 'The `login` or `id`.', 'anna'],
])('names items by {%s}, %s: %s', async (name, description, other) => {
  const { call } = await serveUsers(name, description);
  const sent = { email: 'anna@a.example', login: 'anna' };
  const { json: user } = await call('/users', withJson('POST', sent));
  expect(user).toMatchObject({ id: 3, ...sent });
  for (const named of [user.id, other]) {
    expect((await call(`/users/${named}`)).json).toEqual(user);
    await call(`/users/${named}/pets`, withJson('POST', { name: `of ${named}` }));
  }
  const { json: pets } = await call(`/users/${other}/pets`);
  expect(pets).toMatchObject([{ name: `of ${user.id}` }, { name: `of ${other}` }]);
  expect((await call('/users/nobody')).status).toBe(404);
  expect((await call(`/users/${other}`, { method: 'DELETE' })).status).toBe(204);
  expect((await call(`/users/${user.id}`)).status).toBe(404);
});

it.each(['me', 'self', '@me'])('takes %s for the first item where a path says so', async (word) => {
  const { call } = await serveUsers('user_id', `ID of a user, or \`${word}\` for yourself.`);
  const { json: first } = await call('/users/1');
  expect((await call(`/users/${word}`)).json).toEqual(first);
  expect((await call(`/users/${word}/pets`)).json).toEqual((await call('/users/1/pets')).json);
  expect((await call('/users/you')).status).toBe(404);
});

it('lists below an item what another path creates, though with fewer properties', async () => {
  const { call } = await serveDocument(`
    GET /projects -> [Project]
    POST /projects Project -> 201 Project
    GET /projects/{id} -> Project
    GET /projects/{project_id}/tasks -> [Short]
    GET /tasks -> [Task]
    POST /tasks Task -> 201 Task
    GET /tasks/{id} -> Task
    DELETE /tasks/{id} -> 204
    Project: { readonly id: int, name }
    Task: { readonly id: int, title, project_id: int }
    Short: { id: int, title }
  `);
  const task = { title: 'x', project_id: 2 };
  const { json } = await call('/tasks', withJson('POST', task));
  expect((await call('/projects/2/tasks')).json).toContainEqual(expect.objectContaining(json));
  expect((await call('/projects/1/tasks')).json).not.toContainEqual(expect.objectContaining(json));
  await call(`/tasks/${json.id}`, { method: 'DELETE' });
  expect((await call('/projects/2/tasks')).text).not.toContain('"x"');
});

it.each([
  ['assignee_id', '7'],
  ['assignee', 'a@b.example'],
  ['label_ids[]', '8'],
  ['tag_name', 'red'],
  ['tag', 'red'],
  ['statuses[]', 'closed'],
  ['statuses', 'closed'],
  ['ids', '3'],
])('filters items by ?%s=%s, also in objects and lists of them', async (name, value) => {
  const type = /s(\[\])?$/.test(name) ? '[text]' : 'text';
  const { call } = await serveDocument(`
    GET /issues?${name}:${type} -> [Issue]
    POST /issues Issue -> 201 Issue
    Issue: {
      readonly id: int, status, assignee: { id: any, email: any },
      labels: [{ id: any, name: any }], tags: [{ name: any }]
    }
  `);
  const issue = {
    ...{ status: 'closed', assignee: { id: 7, email: 'a@b.example' } },
    ...{ labels: [{ id: 8, name: 'bug' }], tags: [{ name: 'red' }, { name: 'blue' }] },
  };
  await call('/issues', withJson('POST', issue));
  await call('/issues', withJson('POST', { status: 'open' }));
  const { json } = await call(`/issues?${name}=${encodeURIComponent(value)}`);
  expect(json).toMatchObject([issue]);
});

it('creates below an item what another path names by an id that only that tells', async () => {
  const { call } = await serveDocument(`
    GET /products/{productId:text}/permissions -> [Group]
    POST /products/{productId:text}/permissions New -> 201 Group
    GET /permissions/{groupId} -> Group
    DELETE /permissions/{groupId} -> 204
    New: { name! }
    Group: { groupId: int, name! }
  `);
  const { json } = await call('/products/a/permissions', withJson('POST', { name: 'admins' }));
  expect((await call(`/permissions/${json.groupId}`)).json).toEqual(json);
  await call(`/permissions/${json.groupId}`, { method: 'DELETE' });
  expect((await call('/products/a/permissions')).text).not.toContain('admins');
});

it.each([
  ['of what a list shows in short', 'GET /actions -> [Short]', '[Whole]'],
  ['of a schema called as the item', 'GET /apps/{app:text}/actions -> [Action]', '[Action]'],
])('reads an item in a list of one, %s', async (_, list, read) => {
  const { call } = await serveDocument(`
    ${list}
    GET /actions/{action_id} -> ${read}
    DELETE /actions/{action_id} -> 204
    Short: { id: int, name }
    Whole: { id: int, name, note }
    Action: { id: int, name, note }
  `);
  const path = /GET (\S+)/.exec(list)?.[1]?.replace('{app:text}', 'demo') ?? '';
  const { json: listed } = await call(path);
  const { id } = listed[1];
  expect((await call(`/actions/${id}`)).json).toMatchObject([{ id }]);
  expect((await call(`/actions/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await call(`/actions/${id}`)).status).toBe(404);
});

it('names items by keys in parentheses, with quotes and names as OData has them', async () => {
  const { call } = await serveDocument(`
    GET /People -> [Person]
    POST /People Person -> 201 Person
    GET /People({UserName:text}) -> Person
    GET /Trips -> [Trip]
    GET /Trips({TripId}) -> Trip
    Person: { UserName! }
    Trip: { TripId: int }
  `);
  for (const UserName of ['anna', "o'neil"]) await call('/People', withJson('POST', { UserName }));
  const anna = { UserName: 'anna' };
  for (const key of ['anna', "'anna'", "UserName='anna'"])
    expect((await call(`/People(${key})`)).json).toEqual(anna);
  expect((await call("/People('o''neil')")).json).toEqual({ UserName: "o'neil" });
  expect((await call('/Trips(2)')).json).toEqual({ TripId: 2 });
  expect((await call("/People('nobody')")).status).toBe(404);
});
