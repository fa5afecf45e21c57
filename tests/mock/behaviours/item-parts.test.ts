import { expect, it } from 'vitest';
import { explain } from '../../../mock/explain/explanation.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';
import { writeJson } from '../../support/write-json.ts';

const document = documentOf(`
  GET /issues -> [Issue]
  POST /issues Issue -> 201 Issue
  GET /issues/{id:text} -> Issue
  DELETE /issues/{id:text} -> 204
  GET /issues/{id:text}/labels -> [Label]
  POST /issues/{id:text}/labels { labels!: [text] } -> [Label]
  PUT /issues/{id:text}/labels { labels!: [text] } -> Issue
  DELETE /issues/{id:text}/labels -> 204
  DELETE /issues/{id:text}/labels/{name:text} -> [Label]
  Label: { id: int, name!, colour! }
  Issue: { readonly id!: int, title, labels!: [Label] }
`);

it('shows and changes an array of an item', async () => {
  const { send, document: served } = await serveDocument(document);
  const bug = { name: 'bug', colour: 'red' };
  const { json: made } = await send('POST', '/issues', { title: 'T', labels: [bug] });
  const at = `/issues/${made.id}/labels`;
  const namesIn = (list: { name: string }[]) => list.map(({ name }) => name);
  expect((await send('GET', at)).json).toEqual([bug]);
  const added = await send('POST', at, { labels: ['late', 'bug'] });
  expect(namesIn(added.json)).toEqual(['late', 'bug']);
  expect(namesIn((await send('DELETE', `${at}/late`)).json)).toEqual(['bug']);
  const { json: replaced } = await send('PUT', at, { labels: ['new'] });
  const whole = { name: 'new', colour: expect.any(String) };
  expect([replaced.title, replaced.labels]).toEqual(['T', [expect.objectContaining(whole)]]);
  expect(namesIn((await send('GET', at)).json)).toEqual(['new']);
  expect((await send('DELETE', at)).status).toBe(204);
  expect((await send('GET', at)).json).toEqual([]);
  expect((await send('GET', '/issues/none/labels')).status).toBe(404);
  expect((await send('POST', '/issues/none/labels', { labels: ['a'] })).status).toBe(404);
  const explained = explain(served).operations.filter(({ path }) => path.includes('labels'));
  expect(explained.map(({ answers }) => answers)).toEqual(Array(5).fill('store'));
  expect(explained[0]?.because).toBe('its path names the property labels of an item of issues');
});

it('adds the item that an id of another collection names, and shows a list of texts', async () => {
  const { send } = await serveDocument(`
    POST /marks Mark -> 201 Mark
    GET /marks/{id:text} -> Mark
    POST /repos Repo -> 201 Repo
    GET /repos/{id:text} -> Repo
    GET /repos/{id:text}/marks -> { count!: int, marks: [Mark] }
    POST /repos/{id:text}/marks { marks: [int] } -> [Mark]
    GET /repos/{id:text}/topics -> { topics: [text] }
    PUT /repos/{id:text}/topics { topics: [text] } -> 204
    Mark: { readonly id: int, name }
    Repo: { readonly id: int, marks: [Mark], topics: [text] }
  `);
  const { json: made } = await send('POST', '/marks', { name: 'late' });
  const { id } = (await send('POST', '/repos', {})).json;
  await send('POST', `/repos/${id}/marks`, { marks: [made.id] });
  expect((await send('GET', `/repos/${id}/marks`)).json).toEqual({ count: 1, marks: [made] });
  await send('PUT', `/repos/${id}/topics`, { topics: ['a', 'b'] });
  expect((await send('GET', `/repos/${id}/topics`)).json).toEqual({ topics: ['a', 'b'] });
});

it('adds a text to a list of texts, and a new object with flags that are not set yet', async () => {
  const { send } = await serveEmpty(`
    POST /cards { title, tags: [text] } -> 201 Card
    GET /cards/{id} -> Card
    POST /cards/{id}/tags { tag!: text } -> Card
    POST /cards/{id}/checklist { text! } -> 201 Entry
    Entry: { id!: int, text!, done!: bool }
    Card: { readonly id!: int, title, tags!: [text], checklist!: [Entry] }
  `);
  const { json } = await send('POST', '/cards', { title: 'T', tags: ['a'] });
  const { json: tagged } = await send('POST', '/cards/1/tags', { tag: 'b' });
  expect(tagged).toEqual({ ...json, tags: ['a', 'b'] });
  for (const [id, text] of [
    [1, 'x'],
    [2, 'y'],
  ] as const) {
    const { json: entry } = await send('POST', '/cards/1/checklist', { text });
    expect(entry).toMatchObject({ text, done: false });
    expect((await send('GET', '/cards/1')).json.checklist.at(-1)).toEqual({
      ...{ id, text, done: false },
    });
  }
});

it('takes nothing that is readOnly of an element but what names it, and keeps what it had', async () => {
  const old = { id: 5, name: 'old', rank: 1, maker: { role: 'first' } };
  const { send } = await serveDocument(
    `
      GET /things -> [Thing]
      GET /things/{id:text} -> Thing
      GET /things/{id:text}/parts -> { count!: int, parts: [Part] }
      POST /things/{id:text}/parts Part -> [Part]
      PUT /things/{id:text}/parts [Part] -> [Part]
      Part: {
        readonly id: int, name, readonly rank: int, maker: { name, readonly role }
      }
      Thing: { readonly id: int, parts: [Part] }
    `,
    { data: await writeJson({ things: [{ id: 1, parts: [old] }] }) },
  );
  const at = '/things/1/parts';
  const added = { id: 9, name: 'new', maker: { name: 'M' } };
  const sent = { ...added, rank: 99, maker: { name: 'M', role: 'admin' } };
  expect((await send('POST', at, sent)).json).toEqual([old, added]);
  const changed = { ...old, name: 'late', rank: 98 };
  const parts = [{ ...changed, rank: 1 }, added];
  const put = await send('PUT', at, [changed, { name: 'new', rank: 97, maker: {} }]);
  expect(put.json).toEqual([parts[0], { ...added, maker: {} }]);
  expect((await send('PUT', at, parts)).json).toEqual(parts);
  expect((await send('GET', at)).json).toEqual({ count: 2, parts });
});

it.each([
  ['POST', '/teams/1/users', { userId: 2 }, 'DELETE', '/teams/1/users/2', undefined],
  ['POST', '/groups/1/addUser', { userId: 2 }, 'POST', '/groups/1/removeUser', { userId: 2 }],
  ['PUT', '/groups/1/users/2', undefined, 'DELETE', '/groups/1/users/2', undefined],
])('links by %s %s the item that an id alone names', async (...given) => {
  const [method, path, body, undo, undone, undoing] = given;
  const group = '/groups/{id}';
  const changes = path.includes('add')
    ? ['addUser', 'removeUser'].map((word) => `POST ${group}/${word} { userId: int } -> Group`)
    : ['PUT', 'DELETE'].map((verb) => `${verb} ${group}/users/{userId} -> 204`);
  const lines = `
    GET /users -> [User]
    GET /users/{id} -> User
    GET /teams/{id} -> Team
    DELETE /teams/{id} -> 204
    POST /teams/{id}/users { userId: int } -> Team
    DELETE /teams/{id}/users/{userId} -> 204
    GET /groups/{id} -> Group
    DELETE /groups/{id} -> 204
    GET /groups/{id}/users -> [User]
    ${changes.join('\n')}
    User: { id: int, name }
    Team: { id: int, users: [User] }
    Group: { id: int, userIds: [int] }`;
  const holders = { teams: [{ id: 1, users: [] }], groups: [{ id: 1, userIds: [] }] };
  const data = await writeJson({ users: [{ id: 2, name: 'Ann' }], ...holders });
  const { send } = await serveDocument(lines, { data });
  const linked = async () => {
    if (path.startsWith('/teams')) return (await send('GET', '/teams/1')).json.users;
    return (await send('GET', '/groups/1/users')).json;
  };
  await send(method, path, body);
  expect(await linked()).toEqual([{ id: 2, name: 'Ann' }]);
  await send(undo, undone, undoing);
  expect(await linked()).toEqual([]);
});

it('answers a change with no error, where an answer has nothing but errors', async () => {
  const { send } = await serveDocument(`
    POST /users User -> 201 User
    GET /users/{id:text} -> User
    POST /groups Group -> 201 Group
    GET /groups/{id:text} -> Group
    PUT /users/{id:text}/groups/{group:text} -> { errors: [{ code! }] }
    User: { id, name, group_ids: [text] }
    Group: { id, name }
  `);
  const { json: user } = await send('POST', '/users', { name: 'Ada' });
  const added = await send('PUT', `/users/${user.id}/groups/1`);
  expect([added.status, added.json]).toEqual([200, {}]);
  expect((await send('GET', `/users/${user.id}`)).json.group_ids).toEqual(['1']);
});

it('adds whole elements that have a list or a member called as they are', async () => {
  const { send } = await serveEmpty(`
    POST /tasks { title } -> 201 Task
    GET /tasks/{id} -> Task
    POST /tasks/{id}/notes Note -> 201 Note
    Task: { readonly id: int, title, notes: [Note] }
    Note: { note, links: [text] }
  `);
  await send('POST', '/tasks', { title: 'A' });
  const notes = ['one', 'two'].map((note) => ({ note, links: ['x', 'y'] }));
  await send('POST', '/tasks/1/notes', notes[0]);
  await send('POST', '/tasks/1/notes', notes[1]);
  expect((await send('GET', '/tasks/1')).json.notes).toEqual(notes);
});

it('shows elements as the answer describes them, where the item has less of them', async () => {
  const { call } = await serveDocument(`
    GET /users -> [User]
    GET /users/{id} -> User
    GET /users/{id}/groups -> [Group]
    GET /users/{id}/teams -> [Team]
    Group: { id: text, name! }
    Team: { id: int, league!: { id: int } }
    User: { id: int, groups!: [text], teams!: [{ id: int }] }
  `);
  const { groups, teams } = (await call('/users/1')).json;
  const named = groups.map((name: string) => ({ name }));
  expect((await call('/users/1/groups')).json).toEqual(named);
  const whole = teams.map((team: object) => ({ ...team, league: expect.any(Object) }));
  expect((await call('/users/1/teams')).json).toEqual(whole);
});

it.each([
  ['no body', ''],
  ['a body that may have the list', '{ lines: [Line] } '],
])(
  'begins without the elements that calls add, gives each an id, and changes one alone, with %s',
  async (_, body) => {
    const { send } = await serveEmpty(`
    POST /carts ${body}-> 201 Cart
    GET /carts/{id} -> Cart
    POST /carts/{id}/lines { sku!, count: int(default=1) } -> Cart
    PUT /carts/{id}/lines [{ sku!, count: int(default=1) }] -> Cart
    PATCH /carts/{id}/lines { lines: [{ sku!, count: int(default=1) }] } -> Cart
    PUT /carts/{id}/lines/{line_id} { count!: int } -> Cart
    DELETE /carts/{id}/lines/{line_id} -> Cart
    Cart: { id!: int, lines!: [Line] }
    Line: { id!: int, sku!, count!: int }
  `);
    const { json } = await send('POST', '/carts', undefined);
    expect(json).toEqual({ id: 1, lines: [] });
    const lines = [
      { id: 1, sku: 'a', count: 1 },
      { id: 2, sku: 'b', count: 3 },
    ];
    await send('POST', '/carts/1/lines', { sku: 'a' });
    const added = await send('POST', '/carts/1/lines', { sku: 'b', count: 3 });
    expect(added.json).toEqual({ id: 1, lines });
    const changed = await send('PUT', '/carts/1/lines/1', { count: 9 });
    expect(changed.json.lines).toEqual([{ id: 1, sku: 'a', count: 9 }, lines[1]]);
    const { json: left } = await send('DELETE', '/carts/1/lines/1');
    expect(left).toEqual({ id: 1, lines: [lines[1]] });
    const set = await send('PUT', '/carts/1/lines', [{ sku: 'a' }, { sku: 'b', count: 3 }]);
    expect(set.json.lines).toEqual(lines.map((line) => ({ ...line, id: line.id + 2 })));
    const { json: patched } = await send('PATCH', '/carts/1/lines', { lines: [{ sku: 'c' }] });
    expect(patched.lines).toMatchObject([{ sku: 'c', count: 1 }]);
  },
);

it('gives a new element no id that its schema does not allow', async () => {
  const lines = `
    POST /pets { name! } -> 201 Pet
    GET /pets/{id} -> Pet
    POST /pets/{id}/tags { text! } -> 201 Pet
    Pet: { readonly id!: int, name!, tags!: [Tag] }
  `;
  const id = { type: 'string', enum: ['s', 'l'] };
  const Tag = { type: 'object', required: ['id'], properties: { id, text: { type: 'string' } } };
  const { send } = await serveEmpty(documentOf(lines, { Tag }));
  await send('POST', '/pets', { name: 'a' });
  const { json } = await send('POST', '/pets/1/tags', { text: 'x' });
  expect(json.tags).toEqual([{ id: expect.stringMatching(/^[sl]$/), text: 'x' }]);
});

it.each([
  ['{id}', '{ id!: int, text!, count: int }', '7', { id: 7 }],
  ['{name:text}', '{ name!, text!, count: int }', 'a', { name: 'a' }],
])('adds what a body says of an element that a path names by %s', async (part, tag, name, own) => {
  const { send } = await serveEmpty(`
    POST /pets { name! } -> 201 Pet
    GET /pets/{pet_id} -> Pet
    PUT /pets/{pet_id}/tags/${part} { text!, count: int } -> Pet
    DELETE /pets/{pet_id}/tags/${part} -> 204
    Pet: { readonly id!: int, name!, tags: [Tag] }
    Tag: ${tag}
  `);
  await send('POST', '/pets', { name: 'a' });
  for (const sent of [
    { text: 'x', count: 3 },
    { text: 'y', count: 4 },
  ]) {
    const { json } = await send('PUT', `/pets/1/tags/${name}`, sent);
    expect(json.tags).toEqual([{ ...own, ...sent }]);
  }
});
