import { expect, it } from 'vitest';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';

const schemas = { User: '{ readonly id: int, name! }', Team: '{ readonly id: int, title! }' };
const collections = `
  GET /users -> [User]
  POST /users User -> 201 User
  GET /users/{id} -> User
  PATCH /users/{id} User -> User
  DELETE /users/{id} -> 204
  POST /teams Team -> 201 Team
  GET /teams/{id} -> Team
  DELETE /teams/{id} -> 204
  `;

const ways = [
  ['PUT /teams/{id}/members/{userId} -> 204, 404', 'PUT', '/members/3', undefined],
  ['POST /teams/{id}/members/{userId} -> 204, 404', 'POST', '/members/3', undefined],
  ['PUT /teams/{id}/members/{userId} { role } -> 204, 404', 'PUT', '/members/3', { role: 'a' }],
  ['POST /teams/{id}/members { user_id: int } -> 204, 404', 'POST', '/members', { user_id: 3 }],
  ['POST /teams/{id}/members { id: int } -> 201 User, 404', 'POST', '/members', { id: 3 }],
  [
    'POST /teams/{id}/members { memberIds: [int] } -> 204, 404',
    'POST',
    '/members',
    { memberIds: [3] },
  ],
] as const;

async function serve(way: string) {
  const document = documentOf(
    `${collections}
    GET /teams/{id}/members -> [User]
    ${way}
    DELETE /teams/{id}/members/{userId} -> 204`,
    schemas,
  );
  const { send } = await serveDocument(document);
  await send('POST', '/users', { name: 'Ann' });
  await send('POST', '/teams', { title: 'A' });
  await send('POST', '/teams', { title: 'B' });
  return send;
}

it.each(ways)('links and unlinks items: %s', async (way, method, path, body) => {
  const send = await serve(way);
  const members = async (team: number) => (await send('GET', `/teams/${team}/members`)).json;
  for (const team of [3, 4]) {
    expect(await members(team)).toEqual([]);
    expect((await send(method, `/teams/${team}${path}`, body)).status).toBeLessThan(300);
    expect((await send(method, `/teams/${team}${path}`, body)).status).toBeLessThan(300);
  }
  expect(await members(3)).toEqual([{ id: 3, name: 'Ann' }]);
  await send('PATCH', '/users/3', { name: 'Bea' });
  expect(await members(4)).toEqual([{ id: 3, name: 'Bea' }]);
  expect((await send('DELETE', '/teams/3/members/3')).status).toBe(204);
  expect(await members(3)).toEqual([]);
  expect((await send('GET', '/users/3')).json).toEqual({ id: 3, name: 'Bea' });
  await send('DELETE', '/users/3');
  expect(await members(4)).toEqual([]);
  const unknown = JSON.parse(JSON.stringify(body ?? {}).replace('3', '99'));
  const at = path.replace('3', '99');
  const { status } = await send(method, `/teams/4${at}`, body && unknown);
  const ids = (await members(4)).map(({ id }: { id: number }) => id);
  expect([status === 404, ids]).toEqual(at.endsWith('99') ? [true, []] : [false, [99]]);
});

it('begins with links to items that exist', async () => {
  const send = await serve(ways[0][0]);
  const members = (await send('GET', '/teams/1/members')).json;
  expect(members).toHaveLength(2);
  for (const one of members) expect((await send('GET', `/users/${one.id}`)).json).toEqual(one);
});

it('links an unknown item, if the document describes no 404', async () => {
  const send = await serve('PUT /teams/{id}/members/{userId} -> 204');
  expect((await send('PUT', '/teams/3/members/99')).status).toBe(204);
  expect((await send('PUT', '/teams/3/members/abc')).status).toBe(404);
  expect((await send('GET', '/teams/3/members')).json).toMatchObject([{ id: 99 }]);
});

it('takes a create of items with properties for no link', () => {
  const document = documentOf(
    `${collections}
    GET /teams/{id}/members -> [User]
    POST /teams/{id}/members { id: int, name! } -> 201 User`,
    schemas,
  );
  const { operations } = compile(document);
  expect(operations.filter(({ linksBy }) => linksBy !== undefined)).toEqual([]);
});

it('links items of another schema at the last word of their path, and takes a longer body for none', async () => {
  const document = documentOf(
    `${collections}
    GET /teams/{id}/users -> [{ id: int, name!, rank!: int }]
    PUT /teams/{id}/users/{userId} -> 204
    GET /teams/{id}/logs -> [User]
    PUT /teams/{id}/logs/{logId} { at: date, by, note, level: int } -> 204`,
    schemas,
  );
  const { send, document: served } = await serveDocument(document);
  expect((await send('PUT', '/teams/1/users/2')).status).toBe(204);
  const users = (await send('GET', '/users')).json;
  expect((await send('GET', '/teams/1/users')).json).toMatchObject(users);
  const links = served.operations.filter(({ linksBy }) => linksBy !== undefined);
  expect(links.map(({ path }) => path)).toEqual(['/teams/{id}/users/{userId}']);
});

it('links items of a place whose name is spelled with other separators', async () => {
  const { send, document } = await serveDocument(`
    GET /team_members -> [Member]
    POST /team_members { name! } -> 201 Member
    GET /team_members/{id} -> Member
    GET /groups -> [Group]
    GET /groups/{id} -> Group
    GET /groups/{id}/team-members -> [Short]
    POST /groups/{id}/team-members { team_member_id: int } -> 201 Group
    DELETE /groups/{id}/team-members/{memberId} -> Group
    Member: { id: int, name!, rank: int }
    Short: { id: int, name! }
    Group: { id: int, title! }
  `);
  expect(document.operations.find(({ linksBy }) => linksBy)?.linksBy).toBe('team_member_id');
  const { json: member } = await send('POST', '/team_members', { name: 'Ada' });
  const { json: group } = await send('GET', '/groups/2');
  expect(
    (await send('POST', '/groups/2/team-members', { team_member_id: member.id })).json,
  ).toEqual(group);
  expect((await send('GET', '/groups/2/team-members')).json).toContainEqual(member);
  expect((await send('DELETE', `/groups/2/team-members/${member.id}`)).json).toEqual(group);
  expect((await send('GET', '/groups/2/team-members')).json).not.toContainEqual(member);
});

it('tells whether an item is linked as the document says, without content', async () => {
  const send = await serve(`PUT /teams/{id}/members/{userId} -> 204
    GET /teams/{id}/members/{userId} -> 204, 404`);
  const find = async () => (await send('GET', '/teams/3/members/3')).status;
  expect(await find()).toBe(404);
  await send('PUT', '/teams/3/members/3');
  expect(await find()).toBe(204);
});

it.each(['users', 'members'])(
  'links by relationships called %s, and lists what is linked',
  async (word) => {
    const reference = '{ data!: [{ id!, type! }] }';
    const { send } = await serveDocument(`
      POST /users { data!: User } -> 201 { data!: User }
      GET /users -> { data!: [User] }
      GET /users/{id:text} -> { data!: User }
      POST /teams { data!: Team } -> 201 { data!: Team }
      GET /teams/{id:text} -> { data!: Team }
      GET /teams/{id:text}/${word} -> { data!: [User] }
      GET /teams/{id:text}/relationships/${word} -> ${reference}
      POST /teams/{id:text}/relationships/${word} ${reference} -> 204
      PATCH /teams/{id:text}/relationships/${word} ${reference} -> 204
      DELETE /teams/{id:text}/relationships/${word} ${reference} -> 204
      User: { readonly id!, type!, attributes!: { name! }, readonly links!: { self! } }
      Team: { readonly id!, type!, attributes!: { title! } }
    `);
    const attributes = { name: 'Ann' };
    const { json: ann } = await send('POST', '/users', { data: { type: 'user', attributes } });
    const { json: team } = await send('POST', '/teams', {
      data: { type: 'team', attributes: { title: 'A' } },
    });
    const { id } = ann.data;
    const at = `/teams/${team.data.id}`;
    const linksAt = `${at}/relationships/${word}`;
    const listed = async () => (await send('GET', `${at}/${word}`)).json;
    const own = { data: [{ id, type: 'user' }] };
    expect(await listed()).toEqual({ data: [] });
    expect((await send('POST', linksAt, own)).status).toBe(204);
    expect((await send('GET', linksAt)).json).toEqual(own);
    expect(await listed()).toEqual({
      data: [{ id, type: 'user', attributes, links: ann.data.links }],
    });
    expect((await send('PATCH', linksAt, { data: [] })).status).toBe(204);
    expect(await listed()).toEqual({ data: [] });
    await send('PATCH', linksAt, { data: [...own.data, { id: '1', type: 'user' }] });
    await send('PATCH', linksAt, own);
    expect((await send('GET', linksAt)).json).toEqual(own);
    expect((await send('DELETE', linksAt, own)).status).toBe(204);
    expect(await listed()).toEqual({ data: [] });
    expect((await send('GET', `/users/${id}`)).status).toBe(200);
  },
);

it('lists below an item those to which it was added', async () => {
  const document = documentOf(
    `${collections}
    GET /teams -> [Team]
    GET /teams/{id}/members -> [User]
    ${ways[0][0]}
    DELETE /teams/{id}/members/{userId} -> 204
    GET /users/{userId}/teams -> [Team]`,
    schemas,
  );
  const { send } = await serveDocument(document);
  await send('POST', '/users', { name: 'Ann' });
  await send('POST', '/teams', { title: 'A' });
  const teams = async () => (await send('GET', '/users/3/teams')).json;
  expect(await teams()).toEqual([]);
  await send('PUT', '/teams/3/members/3');
  expect(await teams()).toEqual([{ id: 3, title: 'A' }]);
  await send('DELETE', '/teams/3/members/3');
  expect(await teams()).toEqual([]);
});

it('lists below an item those that hold it, and changes what they hold by actions', async () => {
  const own = (noun: string, name: string, sent = name) => `
    POST /${noun} { data: ${sent} } -> 201 { data: ${name} }
    GET /${noun}/{gid:text} -> { data: ${name} }
    `;
  const { send } = await serveEmpty(`
    ${own('projects', 'Project')}
    ${own('tags', 'Tag')}
    ${own('tasks', 'Task', 'NewTask')}
    GET /tasks?project -> { data: [TaskMini] }
    GET /projects/{project_gid:text}/tasks -> { data: [TaskMini] }
    GET /tags/{tag_gid:text}/tasks -> { data: [TaskMini] }
    GET /tasks/{gid:text}/tags -> { data: [Tag] }
    POST /tasks/{gid:text}/addTag { data: { tag! } } -> { data: object }
    POST /tasks/{gid:text}/removeTag { data: { tag! } } -> { data: object }
    POST /tasks/{gid:text}/subtasks { data: NewTask } -> 201 { data: Task }
    GET /tasks/{gid:text}/subtasks -> { data: [TaskMini] }
    Project: { readonly gid!, title }
    Tag: { readonly gid!, label }
    NewTask: { name, projects: [text], lead: text }
    TaskMini: { readonly gid!, name }
    Task: { readonly gid!, name, projects: [Project], tags: [Tag], lead: { gid, name } }
  `);
  const make = async (path: string, data: object) => (await send('POST', path, { data })).json.data;
  const names = async (path: string) =>
    (await send('GET', path)).json.data.map(
      ({ name, label }: Record<string, string>) => name ?? label,
    );
  await make('/projects', { title: 'P' });
  await make('/tags', { label: 'red' });
  const task = await make('/tasks', { name: 'A', projects: ['1'], lead: '7' });
  expect(task.lead).toEqual({ gid: '7' });
  const sub = await make(`/tasks/${task.gid}/subtasks`, { name: 'B' });
  expect(await names('/projects/1/tasks')).toEqual(['A']);
  expect(await names('/tasks?project=1')).toEqual(['A']);
  expect(await names('/tasks?project=2')).toEqual([]);
  expect(await names(`/tasks/${task.gid}/subtasks`)).toEqual(['B']);
  expect((await send('GET', `/tasks/${sub.gid}`)).json.data.name).toBe('B');
  await make(`/tasks/${task.gid}/addTag`, { tag: '1' });
  expect(await names(`/tasks/${task.gid}/tags`)).toEqual(['red']);
  expect(await names('/tags/1/tasks')).toEqual(['A']);
  await make(`/tasks/${task.gid}/removeTag`, { tag: '1' });
  expect(await names('/tags/1/tasks')).toEqual([]);
});

it('replaces what belongs to an item only by a list', async () => {
  const document = documentOf(
    `${collections}
    GET /teams/{id}/members -> [User]
    POST /teams/{id}/members { user_id: int } -> 204
    PUT /teams/{id}/members { user_id: int } -> 204
    PATCH /teams/{id}/members { memberIds: [int] } -> 204`,
    schemas,
  );
  const { send } = await serveDocument(document);
  const path = '/teams/1/members';
  const ids = async () => (await send('GET', path)).json.map(({ id }: { id: number }) => id);
  await send('PATCH', path, { memberIds: [1] });
  await send('PATCH', path, {});
  await send('PUT', path, { user_id: 2 });
  expect(await ids()).toEqual([1, 2]);
  await send('PATCH', path, { memberIds: [2] });
  expect(await ids()).toEqual([2]);
});

it('lists what is related in another way below an item as before', async () => {
  const document = documentOf(
    `${collections}
    GET /teams -> [Team]
    GET /teams/{id}/members -> [User]
    ${ways[0][0]}
    GET /users/{userId}/teams -> [Team]
    GET /users/{userId}/owned-teams -> [Team]`,
    schemas,
  );
  const { send } = await serveDocument(document);
  await send('POST', '/users', { name: 'Ann' });
  expect((await send('GET', '/users/3/teams')).json).toEqual([]);
  expect((await send('GET', '/users/3/owned-teams')).json).toHaveLength(2);
});
