import { describe, expect, it } from 'vitest';
import { documentOf, hintsOf, schemaOf } from '../../support/document-of.ts';
import { expectAnswer } from '../../support/expect-answer.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';

const Pet = 'Pet: { id!: int, name!, age: int, tag: text }';
const linesOf = (path: string) => `
  GET ${path} -> [Pet]
  POST ${path} { name! } -> 201 Pet
  PUT ${path} [Pet] -> [Pet], 404
  PATCH ${path} [{ id!: int, name, age: int }] -> { pets: [Pet] }, 400, 404
  DELETE ${path}?ids!:[int] -> 204, 404
  GET ${path}/{id} -> Pet, 404
  ${Pet}`;
const above = `
  GET /shops -> [{ readonly id!: int, name }]
  POST /shops { name } -> 201 { readonly id!: int, name }
  GET /shops/{shopId} -> { readonly id!: int, name }, 404`;

describe.each([
  ['alone', '/pets', '', '/pets'],
  ['below a parent', '/shops/{shopId}/pets', above, '/shops/1/pets'],
])('many items %s', (_, template, more, path) => {
  const serve = async () => {
    const { send, call } = await serveEmpty(linesOf(template) + more);
    if (more) await send('POST', '/shops', { name: 'Ada' });
    for (const name of ['Rex', 'Bo', 'Cy', 'Di']) await send('POST', path, { name });
    const list = async () => (await send('GET', path)).json;
    return { send, call, list, before: await list() };
  };

  it('are replaced, all or none', async () => {
    const { send, list, before } = await serve();
    const [rex, bo, ...others] = before;
    const changed = [
      { ...rex, name: 'Max', age: 2 },
      { ...bo, name: 'Ben' },
    ];
    expect(await send('PUT', path, changed)).toEqual({ status: 200, json: changed });
    expect(await list()).toEqual([...changed, ...others]);
    const refused = await send('PUT', path, [
      { id: 1, name: 'X' },
      { id: 9, name: 'Y' },
    ]);
    expectAnswer(refused, 404, { message: `There is nothing at ${path}/9.` });
    expect(await list()).toEqual([...changed, ...others]);
  });

  it('are updated, all or none', async () => {
    const { send, list, before } = await serve();
    const [rex, bo, ...others] = before;
    const changes = [
      { id: 1, age: 3 },
      { id: 2, name: 'Ben' },
    ];
    const changed = [
      { ...rex, age: 3 },
      { ...bo, name: 'Ben' },
    ];
    expect(await send('PATCH', path, changes)).toEqual({ status: 200, json: { pets: changed } });
    const unknown = [1, 9].map((id) => ({ id, age: 4 }));
    expect((await send('PATCH', path, unknown)).status).toBe(404);
    expect(await list()).toEqual([...changed, ...others]);
  });

  it('are deleted, all or none', async () => {
    const { send, list, before } = await serve();
    expect((await send('DELETE', `${path}?ids=3&ids=9`)).status).toBe(404);
    expect(await list()).toEqual(before);
    expect((await send('DELETE', `${path}?ids=3&ids=4&ids=3`)).status).toBe(204);
    expect(await list()).toEqual(before.slice(0, 2));
    expect((await send('DELETE', path)).status).toBe(400);
  });
});

it('keeps no state of lists without ids, and of what is no list', async () => {
  const { document } = await serveDocument(`
    GET /pets -> [Pet]
    PUT /pets [{ name }] -> [Pet]
    PATCH /pets { name } -> 204
    DELETE /pets?ids -> 204
    ${Pet}
  `);
  const kinds = document.operations.map(({ kind }) => kind);
  expect(kinds).toEqual(['list', undefined, undefined, undefined]);
});

it.each([
  ['DELETE /pets?ids:[int]', '/pets?ids=1&ids=2'],
  ['DELETE /pets/batch?petIds:[int]', '/pets/batch?petIds=1&petIds=2'],
  ['POST /pets/bulk/delete { ids: [int] }', '/pets/bulk/delete', { ids: [1, 2] }],
  ['POST /pets/batch/delete [int]', '/pets/batch/delete', [1, 2]],
])('deletes the items that are named, and none without: %s', async (line, path, body?: object) => {
  const { send } = await serveEmpty(`
    GET /pets -> [Pet]
    POST /pets { name } -> 201 Pet
    GET /pets/{id} -> Pet
    GET /pets/batch -> [Pet]
    POST /pets/batch [{ name }] -> 201 [Pet]
    ${line} -> 204
    ${Pet}
  `);
  const { json } = await send('POST', '/pets/batch', [{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
  const [method = ''] = line.split(' ');
  if (!body) expect((await send(method, path.split('?')[0] ?? '')).status).toBe(204);
  expect((await send('GET', '/pets')).json).toEqual(json);
  expect((await send(method, path, body)).status).toBe(204);
  for (const list of ['/pets', '/pets/batch'])
    expect((await send('GET', list)).json).toEqual(json.slice(2));
});

it('refuses all of a list of which one is invalid, and says which', async () => {
  const { send } = await serveEmpty(`
    GET /owners -> [Owner]
    POST /owners Owner -> 201 Owner
    GET /owners/{id} -> Owner
    GET /pets -> [Pet]
    POST /pets { name! } -> 201 Pet
    PUT /pets [Pet] -> [Pet], 422
    GET /pets/{id} -> Pet
    Pet: { id!: int, name!, ownerId: int }
    Owner: { readonly id!: int, name }
  `);
  for (const name of ['Rex', 'Bo']) await send('POST', '/pets', { name });
  const { json: before } = await send('GET', '/pets');
  const refused = await send('PUT', '/pets', [
    { id: 1, name: 'Max' },
    { id: 2, name: 'Ben', ownerId: 7 },
  ]);
  expectAnswer(refused, 422, { message: expect.stringContaining('ownerId') });
  expect((await send('GET', '/pets')).json).toEqual(before);
});

it('creates what is not there by a PUT of a list that documents 201', async () => {
  const { send } = await serveEmpty(`
    GET /pets -> [Pet]
    PUT /pets [Pet] -> 201 [Pet]
    GET /pets/{id} -> Pet
    ${Pet}
  `);
  const pets = [1, 2].map((id) => ({ id, name: `Pet ${id}`, age: id, tag: 'a' }));
  for (const sent of [pets.slice(0, 1), pets])
    expect(await send('PUT', '/pets', sent)).toEqual({ status: 201, json: sent });
  expect((await send('GET', '/pets')).json).toEqual(pets);
});

it('changes the items that are there where no 404 is documented for others', async () => {
  const { send } = await serveDocument(
    `
      GET /pets -> [Pet]
      POST /pets Pet -> 201 Pet
      GET /pets/{id} -> Pet
      PUT /pets/bulk [Pet] -> [Pet]
      Pet: { readonly id!: int, name! }
    `,
    { pets: 2 },
  );
  const [rex, max] = [1, 77].map((id) => ({ id, name: 'Rex' }));
  expect(await send('PUT', '/pets/bulk', [max, rex])).toEqual({ status: 200, json: [rex] });
  expect((await send('GET', '/pets/1')).json.name).toBe('Rex');
});

it('deletes what the only list of a body identifies', async () => {
  const { send } = await serveDocument(`
    GET /pets -> { data: [Pet] }
    POST /pets { name } -> 201 { data: Pet }
    DELETE /pets { data: [{ type, id }] } -> 204
    GET /pets/{id:text} -> { data: Pet }, 404
    Pet: { id!, name }
  `);
  const ids: string[] = [];
  for (const name of ['Rex', 'Bo']) ids.push((await send('POST', '/pets', { name })).json.data.id);
  const data = ids.map((id) => ({ type: 'pets', id }));
  expect((await send('DELETE', '/pets', { data })).status).toBe(204);
  for (const id of ids) expect((await send('GET', `/pets/${id}`)).status).toBe(404);
});

it('deletes all that the list shows if a rule says so, or a page of it', async () => {
  const Pot = schemaOf('{ glaze }(additionalProperties=true)');
  const lines = `
    GET /pots?limit:int -> { data: [Pot] }
    POST /pots { data: Pot } -> 201 { data: Pot }
    DELETE /pots?limit:int -> { data: [Pot] }
    GET /pots/{id:text} -> { data: Pot }
    PUT /pots/{id:text} { data: Pot } -> 201 { data: Pot }`;
  const operations = hintsOf({ 'DELETE /pots': { kind: 'deleteMany' } });
  const { send } = await serveEmpty(documentOf(lines, { Pot }, { operations }));
  for (const at of Array(30).keys()) await send('PUT', `/pots/pot${at}`, { data: { glaze: 'g' } });
  const gone = (at: number) => ({ id: `pot${at}`, glaze: 'g' });
  const { json: page } = await send('DELETE', '/pots?limit=2');
  expect(page).toEqual({ data: [gone(0), gone(1)] });
  const { json } = await send('DELETE', '/pots');
  expect(json.data).toHaveLength(28);
  expect((await send('GET', '/pots')).json).toEqual({ data: [] });
});

it('takes texts that name items otherwise for no ids of these', async () => {
  const { send } = await serveDocument(`
    GET /apps/{slug:text} -> App
    GET /repos/{repo}/apps -> [App]
    DELETE /repos/{repo}/apps { apps!: [text] } -> [App]
    App: { id!: int, slug!, name }
  `);
  const { json } = await send('GET', '/repos/1/apps');
  expect(await send('GET', `/apps/${json[0].slug}`)).toEqual({ status: 200, json: json[0] });
  expect((await send('GET', '/apps/none')).status).toBe(404);
});
