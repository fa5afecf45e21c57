import { expect, it } from 'vitest';
import { withoutNested } from '../../contracts/document/without-nested.ts';
import { compile, type Resource } from '../../openapi/index.ts';
import { documentOf } from '../support/document-of.ts';
import { blog as document } from '../support/documents.ts';

const blog = compile(document);

function resourceOf(name: string, { resources } = blog): Resource {
  const resource = resources.find((one) => one.name === name);
  if (!resource) throw new Error(`There is no ${name}, but ${resources.map((one) => one.name)}.`);
  return resource;
}

function kindsOf({ operations }: Pick<Resource, 'operations'>): Record<string, string> {
  return Object.fromEntries(Object.entries(operations).map(([kind, { id }]) => [kind, id]));
}

it('finds the collections of a document', () => {
  expect(blog.resources.map(({ name }) => name)).toEqual([
    'users',
    'users/{userId}/notes',
    'users/{userId}/notes/{noteId}/marks',
    'posts',
    'posts/{postId}/replies',
    'orgs/{org}/labels',
  ]);
});

it('finds the operations on nested items, whatever their paths call the parent', () => {
  expect(kindsOf(resourceOf('users/{userId}/notes'))).toEqual({
    list: 'listNotes',
    create: 'createNote',
    read: 'getNote',
    replace: 'replaceNote',
    update: 'updateNote',
    delete: 'deleteNote',
  });
});

it('knows the collection that each parameter of a path names an item of', () => {
  expect(resourceOf('users').scope).toBeUndefined();
  expect(resourceOf('users/{userId}/notes/{noteId}/marks').scope).toEqual([
    { parameter: 'userId', parent: 'users' },
    { parameter: 'noteId', parent: 'users/{userId}/notes' },
  ]);
});

it('has one parameter of a path name a property', () => {
  const { resources } = compile(
    documentOf(
      `GET /hooks/{hookId}/{token:text}/messages -> [Message]
       GET /hooks/{hookId}/{token:text}/messages/{id} -> Message`,
      { Message: '{ id: int, hookId: int }' },
    ),
  );
  expect(resources[0]?.scope?.map(({ property }) => property)).toEqual(['hookId', undefined]);
});

it('takes a parameter that names no item for a text, with the example of the document', () => {
  expect(resourceOf('orgs/{org}/labels').scope).toEqual([{ parameter: 'org', example: 'acme' }]);
});

it('joins a nested list and the items that have a path of their own', () => {
  const replies = resourceOf('posts/{postId}/replies');
  expect(kindsOf(replies)).toEqual({
    list: 'listReplies',
    create: 'createReply',
    read: 'getReply',
    delete: 'deleteReply',
  });
  expect(replies.scope).toEqual([{ parameter: 'postId', parent: 'posts', property: 'postId' }]);
});

it('takes a nested list of the items of another collection for a view of it', () => {
  const { views = [] } = resourceOf('posts');
  expect(views.map((view) => [view.path, view.scope, kindsOf(view)])).toEqual([
    [
      '/users/{userId}/posts',
      [{ parameter: 'userId', parent: 'users', property: 'userId' }],
      { list: 'listPostsOfUser', create: 'createPostOfUser' },
    ],
    ['/posts/findByColour', [], { list: 'findPosts' }],
  ]);
  const ofView = blog.operations.find(({ id }) => id === 'createPostOfUser');
  expect(ofView).toMatchObject({ kind: 'create', resource: 'posts' });
});

it('takes a POST on an item for an update, and none that asks for a create', () => {
  expect(kindsOf(resourceOf('users'))).toMatchObject({
    create: 'createUser',
    update: 'updateUser',
  });
  expect(blog.operations.find(({ id }) => id === 'searchUsers')?.kind).toBeUndefined();
});

it('knows where callers give the ids', () => {
  expect(resourceOf('orgs/{org}/labels')).toMatchObject({ idProperty: 'name', givenId: 'always' });
  expect(resourceOf('users').givenId).toBeUndefined();
});

it('knows which properties hold ids of other collections', () => {
  expect(resourceOf('posts').references).toEqual([{ property: 'userId', collection: 'users' }]);
});

it('shows without its nested collections those who compare whole lists', () => {
  const plain = withoutNested(blog);
  expect(plain.resources.map(({ name }) => name)).toEqual(['users', 'posts']);
  const kinds = Object.fromEntries(plain.operations.map(({ id, kind }) => [id, kind]));
  expect(kinds).toMatchObject({ listPosts: 'list', getUser: 'read' });
  expect([kinds.listNotes, kinds.findPosts, kinds.listPostsOfUser]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

const resourcesOf = (lines: string) => compile(documentOf(lines)).resources;

it('finds the items of an answer that has alternatives', () => {
  const resources = resourcesOf(`
    GET /customers/{customer} -> { id, name } | { id, deleted: true }
    DELETE /customers/{customer} -> 204
  `);
  const properties = { id: {}, name: {} };
  expect(resources).toMatchObject([{ idProperty: 'id', item: { properties } }]);
});

it('makes no collection of what takes items and shows none', () => {
  const item = '{ id, name }';
  expect(resourcesOf(`POST /sent ${item} -> ${item}\nPUT /sent ${item} -> ${item}`)).toEqual([]);
});

it('makes no items of what adds to the array of an item and answers with all of it', () => {
  const { operations } = compile(
    documentOf(`
      GET /issues -> [Issue]
      GET /issues/{id} -> Issue
      GET /issues/{id}/labels -> [Label]
      POST /issues/{id}/labels { labels: [text] } -> [Label]
      DELETE /issues/{id}/labels/{name} -> [Label]
      Label: { id: int, name }
      Issue: { id: int, labels: [Label] }
    `),
  );
  const parts = operations.map(({ kind, part }) => kind ?? part);
  expect(parts).toEqual(['list', 'read', 'labels', 'labels', 'labels']);
});

it('takes a path with two parameters for a collection where it has a POST alone', () => {
  const payment = '{ paymentId, sum: int }';
  const resources = resourcesOf(`
    POST /{service:text}/{product:text} ${payment} -> 201 ${payment}
    GET /{service:text}/{product:text}/{paymentId:text} -> ${payment}
  `);
  const found = resources.map(({ path, operations }) => [path, Object.keys(operations)]);
  expect(found).toEqual([['/{service}/{product}', ['create', 'read']]]);
});

it('reads an item by the id in its path, though the answer does not repeat that', () => {
  const resources = resourcesOf('GET /reports -> [{ id }]\nGET /reports/{id} -> { rows }');
  expect(resources.map(({ operations }) => Object.keys(operations))).toEqual([['list', 'read']]);
});

/** The kind and the collection of an operation beside those that list animals and create one. */
function kindBeside(line: string) {
  const { operations } = compile(
    documentOf(`
      GET /animals -> [Animal]
      POST /animals Draft -> 201 Animal
      ${line}
      Animal: { id: int, name }
      Draft: { name }
    `),
  );
  return [operations[2]?.kind, operations[2]?.resource];
}

it.each([
  ['of what items have', '/animals/batch [Draft] -> [Animal]', 'createMany'],
  ['with an answer that shows one', '/animals/createWithList [Animal] -> Animal', 'createMany'],
  ['with an answer that shows none', '/animals/import [Draft] -> 200', 'createMany'],
  ['of something else', '/animals/batch [{ rows }] -> [Animal]', undefined],
  ['with an answer of something else', '/animals/batch [Draft] -> Draft', undefined],
  ['that asks', '/animals/search [Draft] -> [Animal]', undefined],
  ['elsewhere', '/batch [Draft] -> [Animal]', undefined],
])('takes a list of items %s: POST %s', (_, line, kind) => {
  expect(kindBeside(`POST ${line}`)).toEqual([kind, kind && 'animals']);
});

it('takes no list of items for the body of one item', () => {
  const animals = '[{ id: int, name }]';
  const resources = resourcesOf(
    `GET /animals -> ${animals}\nPOST /animals ${animals} -> 201 ${animals}`,
  );
  expect(resources.map(({ operations }) => Object.keys(operations))).toEqual([
    ['list', 'createMany'],
  ]);
});

it.each(['/animals/search', '/animals/findByName'])(
  'takes %s for a view of a collection that has no path of one item',
  (path) => {
    expect(kindBeside(`GET ${path}?name -> [Animal]`)).toEqual(['list', 'animals']);
  },
);

it('keeps state for answers in XML alone, but not for those who compare JSON', () => {
  const document = compile(
    documentOf(`
      GET /animals -> application/xml [Animal]
      GET /animals/{id} -> application/xml Animal
      Animal: { id: int, name }
    `),
  );
  const kindsIn = ({ operations }: typeof document) => operations.map(({ kind }) => kind);
  expect(kindsIn(document)).toEqual(['list', 'read']);
  expect(kindsIn(withoutNested(document))).toEqual([undefined, undefined]);
});

it('takes a place for the home of items that a wrapped body changes there, and not for links to them', () => {
  const { operations } = compile(
    documentOf(
      `GET /tasks/{taskId}/entries -> { data: [Short] }
       POST /tasks/{taskId}/entries { data: Entry } -> 201 { data: Entry }
       GET /entries -> { data: [Short] }
       GET /entries/{entryId} -> { data: Entry }
       replaceEntry: PUT /entries/{entryId} { data: { minutes: int } } -> { data: Entry }`,
      { Short: '{ id: int, minutes: int }', Entry: '{ id: int, minutes: int, remark }' },
    ),
  );
  const replace = operations.find(({ id }) => id === 'replaceEntry');
  expect(replace).toMatchObject({ kind: 'replace', resource: 'tasks/{taskId}/entries' });
});

it('takes what is created below an item that no path reads or changes for no part of it', () => {
  const resources = resourcesOf(`
    GET /pets/{petId:int}/notes -> [Note]
    POST /pets/{petId:int}/notes Note -> 201 Note
    POST /pets/{petId:int}/notes/{noteId:int}/replies Note -> 201 Note
    Note: { id: int, text }
  `);
  const found = resources.flatMap(({ path, views = [] }) => [
    path,
    ...views.map((one) => one.path),
  ]);
  expect(found).toContain('/pets/{petId}/notes/{noteId}/replies');
});

it.each([
  ['POST /uploads/{id}/sessions { size: int } -> 201 Job', '/jobs'],
  ['POST /servers/{id}/actions/reboot -> 202 { job: Job }', '/jobs'],
  ['POST /pets/import { url }! -> 201 Job', '/jobs'],
  ['POST /pets/import { url }! -> 201 Job\nPOST /jobs Job -> 201 Job', undefined],
  ['POST /pets/{id}/jobs { url }! -> 201 Job\nPOST /jobs Job -> 201 Job', '/jobs'],
  ['POST /pets/export -> 202 Job', '/jobs'],
  ['POST /pets/import { url }! -> 200 Job', undefined],
  ['POST /pets/{id}/jobs { jobId: int } -> 201 Job', undefined],
  ['POST /pets/search { url }! -> 201 Job', undefined],
  ['POST /jobs/{id}/retries { url }! -> 201 Job', undefined],
])('has a POST that shows what it makes create that: %s', (lines, path) => {
  const { operations, resources } = compile(
    documentOf(`${lines}\nGET /jobs/{id} -> Job\nDELETE /jobs/{id} -> 204`, {
      Job: '{ id!: int, state }',
    }),
  );
  const { kind, resource } = operations[0] ?? {};
  const home = resources.find(({ name }) => name === resource);
  expect([kind, home?.path]).toEqual(path ? ['create', path] : [undefined, undefined]);
});
