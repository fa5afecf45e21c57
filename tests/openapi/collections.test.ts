import { expect, it } from 'vitest';
import { withoutNested } from '../../contracts/document/without-nested.ts';
import { compile, type Resource } from '../../openapi/index.ts';
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

type Item = Record<string, object>;

const content = (schema: object) => ({ content: { 'application/json': { schema } } });

/** The collection at `path`, whose items are read at `path/{parameter}`. */
function collectionOf(path: string, parameter: string, item: Item, type = 'string') {
  const schema = { type: 'object', properties: item };
  const list = { responses: { 200: content({ type: 'array', items: schema }) } };
  const [resource] = compile({
    openapi: '3.1.0',
    paths: {
      [path]: { get: list },
      [`${path}/{${parameter}}`]: {
        parameters: [{ name: parameter, in: 'path', required: true, schema: { type } }],
        get: { responses: { 200: content(schema) } },
      },
    },
  }).resources;
  return resource;
}

const text = { type: 'string' };
const integer = { type: 'integer' };

it.each([
  ['/pets', 'petId', { id: integer }, 'id'],
  ['/pets', 'pet_id', { id: integer }, 'id'],
  ['/pets', 'pet', { id: integer }, 'id'],
  ['/users', 'username', { id: integer, username: text }, 'username'],
  ['/users', 'username', { id: integer, login: text, name: text }, 'login'],
  ['/special-events', 'eventId', { eventId: text, name: text }, 'eventId'],
  ['/special-events', 'id', { eventId: text, name: text }, 'eventId'],
  ['/articles', 'slug', { id: integer, slug: text }, 'slug'],
  ['/teams', 'team_slug', { id: integer, slug: text }, 'slug'],
  ['/codes', 'key', { key: text, name: text }, 'key'],
  ['/things', 'thingUuid', { uuid: text }, 'uuid'],
  ['/things', 'id', { _id: text }, '_id'],
  ['/v1/big/categories', 'categoryId', { category_id: integer }, 'category_id'],
  ['/issues', 'issue_number', { id: integer, number: integer }, 'number'],
  ['/issues', 'index', { id: integer, number: { ...integer, 'x-go-name': 'Index' } }, 'number'],
  ['/promotion_codes', 'promotion_code', { id: text, code: text }, 'id'],
  ['/people', 'personId', { personId: text, name: text }, 'personId'],
  ['/branches', 'branch', { title: text, name: text }, 'name'],
  ['/changelogs', 'identifier', { title: text, slug: text }, 'slug'],
  ['/dbs', 'database_name', { size: integer, name: text }, 'name'],
  ['/floating_ips', 'floating_ip', { ip: text, region: text }, 'ip'],
  ['/collections', 'collection_uid', { id: text, uid: text }, 'uid'],
] as [string, string, Item, string][])('finds the ids of %s/{%s} of %j', (...given) => {
  const [path, parameter, item, idProperty] = given;
  expect(collectionOf(path, parameter, item)?.idProperty).toBe(idProperty);
});

it.each([
  ['/days', 'date', { id: integer, date: text }, 'string', { format: 'date' }],
  ['/things', 'thing', { name: text }, 'integer', {}],
  ['/images', 'identifier', { name: text }, 'string', {}],
  ['/things', 'kind', { kind: { enum: ['a', 'b'] } }, 'string', {}],
])('finds none where nothing says that %s/{%s} names an item of %j', (...given) => {
  const [path, parameter, item, type, more] = given;
  const schema = { type: 'object', properties: item as Item };
  const { resources, operations } = compile({
    openapi: '3.1.0',
    paths: {
      [`${path}/{${parameter}}`]: {
        parameters: [{ name: parameter, in: 'path', required: true, schema: { type, ...more } }],
        get: { responses: { 200: content(schema) } },
        delete: { responses: { 204: { description: 'Gone.' } } },
      },
    },
  });
  expect(resources).toEqual([]);
  expect(operations.map(({ kind }) => kind)).toEqual([undefined, undefined]);
});

it('finds the items of an answer that has alternatives', () => {
  const properties = { id: text, name: text };
  const customer = { type: 'object', properties };
  const goneCustomer = { type: 'object', properties: { id: text, deleted: { const: true } } };
  const { resources } = compile({
    openapi: '3.1.0',
    paths: {
      '/customers/{customer}': {
        get: { responses: { 200: content({ anyOf: [customer, goneCustomer] }) } },
        delete: { responses: { 204: { description: 'Gone.' } } },
      },
    },
  });
  expect(resources).toMatchObject([{ idProperty: 'id', item: { properties } }]);
});

it('makes no collection of what takes items and shows none', () => {
  const item = { type: 'object', properties: { id: text, name: text } };
  const requestBody = content(item);
  const { resources } = compile({
    openapi: '3.1.0',
    paths: {
      '/sent': {
        post: { requestBody, responses: { 200: content(item) } },
        put: { requestBody, responses: { 200: content(item) } },
      },
    },
  });
  expect(resources).toEqual([]);
});

it('makes no items of what adds to the array of an item and answers with all of it', () => {
  const label = { type: 'object', properties: { id: integer, name: text } };
  const labels = content({ type: 'array', items: label });
  const issue = {
    type: 'object',
    properties: { id: integer, labels: { type: 'array', items: label } },
  };
  const { operations } = compile({
    openapi: '3.1.0',
    paths: {
      '/issues': { get: { responses: { 200: content({ type: 'array', items: issue }) } } },
      '/issues/{id}': { get: { responses: { 200: content(issue) } } },
      '/issues/{id}/labels': {
        get: { responses: { 200: labels } },
        post: {
          requestBody: content({ properties: { labels: { type: 'array', items: text } } }),
          responses: { 200: labels },
        },
      },
      '/issues/{id}/labels/{name}': { delete: { responses: { 200: labels } } },
    },
  });
  const parts = operations.map(({ kind, part }) => kind ?? part);
  expect(parts).toEqual(['list', 'read', 'labels', 'labels', 'labels']);
});

it('takes a path with two parameters for a collection where it has a POST alone', () => {
  const named = (...names: string[]) =>
    names.map((name) => ({ name, in: 'path', required: true, schema: text }));
  const payment = { type: 'object', properties: { paymentId: text, sum: integer } };
  const { resources } = compile({
    openapi: '3.1.0',
    paths: {
      '/{service}/{product}': {
        parameters: named('service', 'product'),
        post: { requestBody: content(payment), responses: { 201: content(payment) } },
      },
      '/{service}/{product}/{paymentId}': {
        parameters: named('service', 'product', 'paymentId'),
        get: { responses: { 200: content(payment) } },
      },
    },
  });
  const found = resources.map(({ path, operations }) => [path, Object.keys(operations)]);
  expect(found).toEqual([['/{service}/{product}', ['create', 'read']]]);
});

it('reads an item by the id in its path, though the answer does not repeat that', () => {
  const { resources } = compile({
    openapi: '3.1.0',
    paths: {
      '/reports': {
        get: {
          responses: {
            200: content({ type: 'array', items: { type: 'object', properties: { id: text } } }),
          },
        },
      },
      '/reports/{id}': {
        get: { responses: { 200: content({ type: 'object', properties: { rows: text } }) } },
      },
    },
  });
  expect(resources.map(({ operations }) => Object.keys(operations))).toEqual([['list', 'read']]);
});

const animal = { type: 'object', properties: { id: integer, name: text } };
const animals = { type: 'array', items: animal };
const draft = { type: 'object', properties: { name: text } };

/** The kinds of operations beside those that list animals and create one, by their paths. */
function kindsBeside(paths: Record<string, object>) {
  const { operations } = compile({
    openapi: '3.1.0',
    paths: {
      '/animals': {
        get: { responses: { 200: content(animals) } },
        post: { requestBody: content(draft), responses: { 201: content(animal) } },
      },
      ...paths,
    },
  });
  return operations.slice(2).map(({ kind, resource }) => [kind, resource]);
}

it.each([
  ['of what items have', '/animals/batch', draft, animals, 'createMany'],
  ['with an answer that shows one', '/animals/createWithList', animal, animal, 'createMany'],
  ['with an answer that shows none', '/animals/import', draft, undefined, 'createMany'],
  ['of something else', '/animals/batch', { properties: { rows: text } }, animals, undefined],
  ['with an answer of something else', '/animals/batch', draft, draft, undefined],
  ['that asks', '/animals/search', draft, animals, undefined],
  ['elsewhere', '/batch', draft, animals, undefined],
])('takes a list of items %s', (_, path, item, answer, kind) => {
  const responses = { 200: answer ? content(answer) : { description: 'Done.' } };
  const requestBody = content({ type: 'array', items: item });
  const found = kindsBeside({ [path]: { post: { requestBody, responses } } });
  expect(found).toEqual([[kind, kind && 'animals']]);
});

it('takes no list of items for the body of one item', () => {
  const requestBody = content(animals);
  const { resources } = compile({
    openapi: '3.1.0',
    paths: {
      '/animals': {
        get: { responses: { 200: content(animals) } },
        post: { requestBody, responses: { 201: content(animals) } },
      },
    },
  });
  expect(resources.map(({ operations }) => Object.keys(operations))).toEqual([
    ['list', 'createMany'],
  ]);
});

it.each(['/animals/search', '/animals/findByName'])(
  'takes %s for a view of a collection that has no path of one item',
  (path) => {
    const parameters = [{ name: 'name', in: 'query', schema: text }];
    const get = { parameters, responses: { 200: content(animals) } };
    expect(kindsBeside({ [path]: { get } })).toEqual([['list', 'animals']]);
  },
);

it('keeps state for answers in XML alone, but not for those who compare JSON', () => {
  const xml = (schema: object) => ({ content: { 'application/xml': { schema } } });
  const document = compile({
    openapi: '3.1.0',
    paths: {
      '/animals': { get: { responses: { 200: xml(animals) } } },
      '/animals/{id}': { get: { responses: { 200: xml(animal) } } },
    },
  });
  const kindsIn = ({ operations }: typeof document) => operations.map(({ kind }) => kind);
  expect(kindsIn(document)).toEqual(['list', 'read']);
  expect(kindsIn(withoutNested(document))).toEqual([undefined, undefined]);
});

it('counts ids of which the schema says nothing', () => {
  const item = { type: 'object', properties: { id: true, name: text } };
  const { resources } = compile({
    openapi: '3.1.0',
    paths: { '/things': { get: { responses: { 200: content({ type: 'array', items: item }) } } } },
  });
  expect(resources.map(({ idProperty, idSchema }) => [idProperty, idSchema])).toEqual([['id', {}]]);
});
