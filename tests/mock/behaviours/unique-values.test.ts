import { expect, it, onTestFinished } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { expectAnswer } from '../../support/expect-answer.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { describeWithRedis, openRedis } from '../../support/redis-server.ts';
import { type ServedDocument, serveDocument } from '../../support/serve-document.ts';

const schemas = {
  Slug: { type: 'string', 'x-unique': true },
  Post: '{ readonly id: int, slug!: Slug, title }',
  UserPost: '{ readonly id: int, slug!: Slug, title, userId: int }',
  User: '{ readonly id: int, name }',
  Label: '{ name!, code: Slug, size: int }',
  Errors: '{ errors: [{ pointer }] }',
};
const patches = { content: { 'application/json-patch+json': { schema: { type: 'array' } } } };

/** Posts, with all that changes them, in bodies that may hold them. */
const linesOf = (post: string, body = post) => `
  GET /posts -> [${post}]
  POST /posts ${body} -> 201 ${body}, 409 Errors
  POST /posts/bulk [${post}] -> 201 [${post}], 409 Errors
  GET /posts/{postId} -> ${body}, 409 Errors, 404 Errors
  PUT /posts/{postId} ${body} -> ${body}, 409 Errors, 404 Errors
  PATCH /posts/{postId} -> ${body}, 409 Errors, 404 Errors`;
const operations = { 'PATCH /posts/{postId}': { requestBody: patches } };
const toDocument = (lines: string) => documentOf(lines, schemas, { operations });
const posts = toDocument(linesOf('Post'));

const send = (method: string, value: unknown, type = 'application/json') => ({
  method,
  body: JSON.stringify(value),
  headers: { 'Content-Type': type },
});
const patch = (...operations: object[]) => send('PATCH', operations, 'application/json-patch+json');
const pointersOf = ({ json }: { json: { errors: { pointer: string }[] } }) =>
  json.errors.map(({ pointer }) => pointer);

it('says where a body has the value that is taken', async () => {
  const { call } = await serveDocument(posts, { pets: 0 });
  await call('/posts', send('POST', { slug: 'a' }));
  await call('/posts', send('POST', { slug: 'b', title: 'a' }));
  const refused = [
    await call('/posts', send('POST', { slug: 'a' })),
    await call('/posts/bulk', send('POST', [{ slug: 'c' }, { slug: 'a' }])),
    await call('/posts/bulk', send('POST', [{ slug: 'c' }, { slug: 'c' }])),
    await call('/posts/2', patch({ op: 'replace', path: '/slug', value: 'a' })),
    await call('/posts/2', patch({ op: 'copy', from: '/title', path: '/slug' })),
  ];
  expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409]);
  const pointers = ['/slug', '/1/slug', '/1/slug', '/slug', '/slug'];
  expect(refused.map(pointersOf)).toEqual(pointers.map((one) => [one]));
  expect((await call('/posts')).json).toMatchObject([{ slug: 'a' }, { slug: 'b' }]);
});

it('names the place in the whole body where a property of it holds the fields', async () => {
  const document = toDocument(linesOf('Post', '{ post!: Post }'));
  const { call } = await serveDocument(document, { pets: 0 });
  await call('/posts', send('POST', { post: { slug: 'a' } }));
  const refused = await call('/posts', send('POST', { post: { slug: 'a' } }));
  expect(pointersOf(refused)).toEqual(['/post/slug']);
});

it('says that an item is not there before it says that a value is taken', async () => {
  const { call } = await serveDocument(posts, { pets: 0 });
  await call('/posts', send('POST', { slug: 'a' }));
  expect((await call('/posts/9', send('PUT', { slug: 'a' }))).status).toBe(404);
  expect((await call('/posts/01', send('PUT', { slug: 'a' }))).status).toBe(404);
  expect((await call('/posts/1', send('PUT', { slug: 'a' }))).status).toBe(200);
});

it('lets items below different parents have the same, but not those that a path only shows', async () => {
  const below = (post: string) => `
    GET /users -> [User]
    POST /users User -> 201 User, 409 Errors
    GET /users/{userId} -> User
    GET /users/{userId}/posts -> [${post}]
    POST /users/{userId}/posts ${post} -> 201 ${post}, 409 Errors`;
  const nested = await serveDocument(toDocument(below('Post')));
  const shown = await serveDocument(toDocument(linesOf('UserPost') + below('UserPost')));
  const add = async ({ call }: ServedDocument, userId: number) =>
    (await call(`/users/${userId}/posts`, send('POST', { slug: 'same' }))).status;
  const statuses = [await add(nested, 1), await add(nested, 2), await add(nested, 1)];
  expect(statuses).toEqual([201, 201, 409]);
  expect([await add(shown, 1), await add(shown, 2)]).toEqual([201, 409]);
});

/** Labels, each with a name that a PATCH may change, and a code that no other has. */
const labelsAt = (path: string, newName: string) => `
  GET ${path} -> [Label]
  POST ${path} Label -> 201 Label, 409 Errors
  GET ${path}/{name:text} -> Label
  PATCH ${path}/{name:text} { code: Slug, size: int, ${newName} } -> Label, 409 Errors`;

it.each([
  ['/labels', 'new_name'],
  ['/orgs/acme/labels', 'new_name'],
  ['/orgs/acme/labels', 'name'],
])(
  'renames an item of %s that has such a value by its %s, all at one moment or not at all',
  async (path, newName) => {
    const paths = ['/labels', '/orgs/{org:text}/labels'];
    const document = toDocument(paths.map((one) => labelsAt(one, newName)).join('\n'));
    const { send } = await serveDocument(document, { pets: 0 });
    await send('POST', '/orgs/other/labels', { name: 'bug', code: 'x' });
    for (const name of ['ann', 'bob', 'cy']) await send('POST', path, { name, code: name });
    const anna = { name: 'anna', code: 'ann', size: 5 };
    const renamed = { status: 200, json: anna };
    expect(await send('PATCH', `${path}/ann`, { [newName]: 'anna', size: 5 })).toEqual(renamed);
    expect((await send('GET', `${path}/ann`)).status).toBe(404);
    for (const taken of [{ [newName]: 'bob' }, { [newName]: 'dan', code: 'bob' }])
      expect((await send('PATCH', `${path}/anna`, { ...taken, size: 6 })).status).toBe(409);
    for (const name of ['bob', 'dan'])
      expect((await send('PATCH', `${path}/missing`, { [newName]: name })).status).toBe(404);
    expect(await send('GET', `${path}/anna`)).toEqual(renamed);
    const both = ['bob', 'cy'].map((name) =>
      send('PATCH', `${path}/${name}`, { [newName]: 'eve', size: 7 }),
    );
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409]);
    const { json } = await send('GET', path);
    expect(json.map(({ name, size }: typeof anna) => [name, size]).sort()).toEqual([
      ['anna', 5],
      [expect.stringMatching(/^(bob|cy)$/), undefined],
      ['eve', 7],
    ]);
  },
);

it('gives no item the id of one that is not to be seen at its path', async () => {
  const document = toDocument(`
    GET /orgs -> [Label]
    GET /orgs/{org:text} -> Label
    ${labelsAt('/orgs/{org:text}/labels', 'new_name').replace(/.*POST.*/, '')}
  `);
  const { send } = await serveDocument(document, { pets: 20 });
  const at = (number: number) => `/orgs/org-${number}/labels`;
  const [{ json: first }, { json: second }] = [await send('GET', at(1)), await send('GET', at(2))];
  const own = first[0].name;
  const body = { new_name: second[0].name, size: 5 };
  const refused = await send('PATCH', `${at(1)}/${own}`, body);
  expectAnswer(refused, 409, { errors: [{ pointer: '/new_name' }] });
  expect((await send('GET', at(1))).json).toEqual(first);
  expect((await send('GET', at(2))).json).toEqual(second);
});

/** How many of some creates of the same value succeed that are sent to these at the same time. */
async function countCreated(twins: readonly ServedDocument[], slug: string): Promise<number> {
  const calls = Array.from({ length: 4 }, () => twins).flat();
  const all = await Promise.all(calls.map(({ call }) => call('/posts', send('POST', { slug }))));
  return all.filter(({ status }) => status === 201).length;
}

it('takes one of several creates at the same time with a store in a file', async () => {
  const folder = makeFolder();
  const served = await serveDocument(posts, { store: `sqlite:${folder}/twin.db` });
  for (const slug of ['a', 'b', 'c']) expect(await countCreated([served], slug)).toBe(1);
});

describeWithRedis('unique values on one Redis', () => {
  it('are given once by all processes together', async () => {
    const server = await openRedis();
    onTestFinished(() => server.close());
    const start = () => serveDocument(posts, { store: server.url });
    const twins = await Promise.all([start(), start()]);
    for (const slug of ['a', 'b', 'c']) expect(await countCreated(twins, slug)).toBe(1);
  });
});

it.each([
  ['isbn', 200],
  ['badgeId', 400],
])('renames items by what people call them, and answers another %s with %i', async (id, status) => {
  const item = `{ ${id}!, size: int }`;
  const lines = `
    GET /labels -> [${item}]
    POST /labels ${item} -> 201 ${item}
    GET /labels/{${id}:text} -> ${item}
    PATCH /labels/{${id}:text} { ${id}, size: int } -> ${item}`;
  const { call } = await serveDocument(documentOf(lines), { pets: 0 });
  await call('/labels', send('POST', { [id]: 'ann' }));
  expect((await call('/labels/ann', send('PATCH', { [id]: 'eve' }))).status).toBe(status);
});
