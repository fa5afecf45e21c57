import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { documentOf } from '../support/document-of.ts';
import { clusters } from '../support/documents.ts';

/** Returns the first collection of a list of items, and of a path that reads one of them. */
function resourceOf(path: string, item: string, hint: object = {}) {
  const list = path.replace(/\/\{[^{}]+\}$/, '');
  return compile(
    documentOf(
      `
      GET ${list} -> [${item}]
      GET ${path.replace(/\{(\w+)\}$/, '{$1:text}')} -> ${item}
      `,
      {},
      { operations: { [`GET ${list}`]: hint } },
    ),
  ).resources[0];
}

it.each([
  ['/pets/{petId}', '{ id: int }', 'id'],
  ['/pets/{pet_id}', '{ id: int }', 'id'],
  ['/pets/{pet}', '{ id: int }', 'id'],
  ['/users/{username}', '{ id: int, username }', 'username'],
  ['/users/{username}', '{ id: int, login, name }', 'login'],
  ['/special-events/{eventId}', '{ eventId, name }', 'eventId'],
  ['/special-events/{id}', '{ eventId, name }', 'eventId'],
  ['/articles/{slug}', '{ id: int, slug }', 'slug'],
  ['/teams/{team_slug}', '{ id: int, slug }', 'slug'],
  ['/codes/{key}', '{ key, name }', 'key'],
  ['/things/{thingUuid}', '{ uuid }', 'uuid'],
  ['/things/{id}', '{ _id }', '_id'],
  ['/v1/big/categories/{categoryId}', '{ category_id: int }', 'category_id'],
  ['/issues/{issue_number}', '{ id: int, number: int }', 'number'],
  ['/merge_requests/{merge_request_iid}', '{ id: int, iid: int }', 'iid'],
  ['/issues/{index}', '{ id: int, number: int(x-go-name="Index") }', 'number'],
  ['/promotion_codes/{promotion_code}', '{ id, code }', 'id'],
  ['/people/{personId}', '{ personId, name }', 'personId'],
  ['/branches/{branch}', '{ title, name }', 'name'],
  ['/changelogs/{identifier}', '{ title, slug }', 'slug'],
  ['/dbs/{database_name}', '{ size: int, name }', 'name'],
  ['/floating_ips/{floating_ip}', '{ ip, region }', 'ip'],
  ['/collections/{collection_uid}', '{ id, uid }', 'uid'],
  // A number in the path may be a text in items.
  ['/things/{id:int}', '{ id }', 'id'],
  ['/things/{thing_id:int}', '{ id }', 'id'],
  ['/things/{userid:int}', '{ userid, name }', 'userid'],
  ['/things/{userid:int}', '{ userid: uuid }', undefined],
  ['/things/{id:int}', '{ id: uuid }', undefined],
  ['/things/{id:int}', '{ id: text(pattern="^[a-z]+$") }', undefined],
  ['/things/{number:int}', '{ number }', undefined],
  // An object that says what an item is may hold its id.
  ['/things/{name}', '{ metadata: { name, uid } }', 'metadata.name'],
  ['/things/{entry_id}', '{ sys: { id, type }, fields: { id } }', 'sys.id'],
  ['/things/{slug}', '{ meta: { slug } }', 'meta.slug'],
  ['/things/{name}', '{ name, metadata: { name } }', 'name'],
  ['/things/{name}', '{ uuid, metadata: { name } }', 'uuid'],
  ['/things/{thing}', '{ metadata: { name, uid } }', undefined],
  ['/things/{name}', '{ metadata: { name }, meta: { name } }', undefined],
  ['/things/{name}', '{ spec: { name } }', undefined],
  ['/things/{date}', '{ metadata: { id } }', undefined],
  ['/things/{name}', '{ metadata: [{ name }] }', undefined],
])('finds the ids of %s with %s: %s', (path, item, idProperty) => {
  expect(resourceOf(path, item)?.idProperty).toBe(idProperty);
});

it.each([
  ['/days/{date:date}', '{ id: int, date }'],
  ['/things/{thing:int}', '{ name }'],
  ['/images/{identifier:text}', '{ name }'],
  ['/things/{kind:text}', '{ kind: "a" | "b" }'],
])('finds no ids where nothing says that %s names an item of %s', (path, item) => {
  const { resources, operations } = compile(
    documentOf(`GET ${path} -> ${item}\nDELETE ${path} -> 204`),
  );
  expect(resources).toEqual([]);
  expect(operations.map(({ kind }) => kind)).toEqual([undefined, undefined]);
});

it('takes the place of an id from x-twin', () => {
  const idOf = (hint: object) =>
    resourceOf('/things/{name}', '{ spec: { ref }, metadata: { name } }', { 'x-twin': hint });
  expect(idOf({ kind: 'list', id: 'spec.ref' })?.idProperty).toBe('spec.ref');
  expect(idOf({ id: 'spec.no' })?.idProperty).toBeUndefined();
});

it('finds ids in the metadata of items, and what they are below', () => {
  const idProperty = 'metadata.name';
  expect(compile(clusters).resources).toMatchObject([
    { name: 'nodes', idProperty, givenId: 'sometimes' },
    { name: 'namespaces', idProperty },
    {
      name: 'namespaces/{namespace}/jobs',
      idProperty,
      givenId: 'always',
      scope: [{ parameter: 'namespace', parent: 'namespaces', property: 'metadata.namespace' }],
      views: [{ path: '/jobs', scope: [] }],
    },
  ]);
});

it('finds the id in items that are one of several kinds', () => {
  const kind = { type: 'object', properties: { id: { type: 'integer' } } };
  const Thing = { allOf: [{ oneOf: [kind, kind], discriminator: { propertyName: 'kind' } }] };
  const document = documentOf('GET /things -> [Thing]\nGET /things/{id} -> Thing', { Thing });
  expect(compile(document).resources[0]?.idProperty).toBe('id');
});

it('counts ids in the form that the path takes, where items show any text', () => {
  const Source = { type: 'string', pattern: '^([A-Z0-9\\_]+)$' };
  const { resources } = compile(
    documentOf('GET /things -> [{ source }]\nGET /things/{source:Source} -> { source }', {
      Source,
    }),
  );
  expect(resources[0]?.idSchema).toEqual(Source);
});

it('counts ids of which the schema says nothing', () => {
  const Thing = { type: 'object', properties: { id: true, name: { type: 'string' } } };
  const { resources } = compile(documentOf('GET /things -> [Thing]', { Thing }));
  expect(resources.map(({ idProperty, idSchema }) => [idProperty, idSchema])).toEqual([['id', {}]]);
});

it('takes no id for what a path begins with', () => {
  const resource = resourceOf('/{username:text}/feeds/{feed_key}', '{ key, id: number }');
  expect(resource?.scope).toEqual([{ parameter: 'username', example: 'demo' }]);
});

it('gives ids the form that the paths of items take, which may have another word than their list', () => {
  const { resources } = compile(
    documentOf(`
      GET /silences -> [Silence]
      POST /silences { id! } -> Silence
      GET /silence/{silenceID:uuid} -> Silence
      Silence: { id! }
    `),
  );
  expect(resources.map(({ name, idSchema }) => [name, idSchema])).toEqual([
    ['silences', { type: 'string', format: 'uuid' }],
  ]);
});
