import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { expectAnswer } from '../../support/expect-answer.ts';
import { serveDocument } from '../../support/serve-document.ts';

/** Describes pets, orders and users as Swagger Petstore does. */
const petstore = documentOf(
  `
  PUT /pet Pet -> Pet
  POST /pet Pet -> Pet
  GET /pet/findByStatus?status -> [Pet]
  GET /pet/findByTags?tags:[text] -> [Pet]
  GET /pet/{petId} -> Pet
  POST /store/order Order -> Order
  GET /store/order/{orderId} -> Order
  DELETE /store/order/{orderId} -> 200
  POST /user User -> User
  POST /user/createWithList [User] -> User
  POST /user/createWithArray [User] -> default
  GET /user/{username:text} -> User
  DELETE /user/{username:text} -> 200
  `,
  {
    Id: { type: 'integer', format: 'int64' },
    OrderId: { type: 'integer', format: 'int64', example: 10 },
    Pet: `{
      id: Id, name!, photoUrls!: [text], tags: [Tag], status: "available" | "pending" | "sold"
    }`,
    Tag: '{ id: int, name }',
    Order: '{ id: OrderId, quantity: int }',
    User: '{ id: Id, username, email }',
  },
  { openapi: '3.0.4' },
);

const serve = async () => (await serveDocument(petstore, { pets: 3 })).send;

const rex = { name: 'Rex', photoUrls: ['https://example.com/rex.png'], status: 'sold' };

it('creates pets under the id in the body if it is free, else under the next one', async () => {
  const call = await serve();
  const created = await call('POST', '/pet', { ...rex, id: 70 });
  expectAnswer(created, 200, { ...rex, id: 70 });
  expectAnswer(await call('GET', '/pet/70'), 200, rex);
  expect((await call('POST', '/pet', { ...rex, id: 70 })).json).toMatchObject({ id: 71 });
  expect((await call('POST', '/pet', { ...rex, id: 0 })).json).toMatchObject({ id: 72 });
  expect((await call('POST', '/pet', rex)).json).toMatchObject({ id: 73 });
});

it('replaces a pet by the id in the body, and finds it by its status', async () => {
  const call = await serve();
  await call('POST', '/pet', { ...rex, id: 70 });
  const replaced = await call('PUT', '/pet', { ...rex, id: 70, status: 'pending' });
  expect(replaced.status).toBe(200);
  const idsOf = async (status: string) =>
    (await call('GET', `/pet/findByStatus?status=${status}`)).json.map(
      ({ id }: { id: number }) => id,
    );
  expect(await idsOf('pending')).toContain(70);
  expect(await idsOf('sold')).not.toContain(70);
});

it('updates an item by the id in the body, unless a single one is at the path', async () => {
  const document = documentOf(`
    Note: { id: int, text!, size: int }
    POST /notes Note -> 201 Note
    PATCH /notes Note -> Note
    GET /notes/{id} -> Note
    GET /user -> Note
    PUT /user Note -> Note
    PATCH /user Note -> Note
    GET /user/{id} -> Note
  `);
  const { send: call } = await serveDocument(document);
  const { id } = (await call('POST', '/notes', { text: 'x', size: 3 })).json;
  expectAnswer(await call('PATCH', '/notes', { id, text: 'y' }), 200, { text: 'y', size: 3 });
  expectAnswer(await call('GET', `/notes/${id}`), 200, { text: 'y' });
  expect((await call('PATCH', '/notes', { id: 99, text: 'y' })).status).toBe(404);
  expectAnswer(await call('PATCH', '/notes', { text: 'z' }), 200, { text: 'z' });
  expectAnswer(await call('PATCH', '/user', { text: 'me' }), 200, { text: 'me' });
  expectAnswer(await call('GET', '/user'), 200, { text: 'me' });
  expectAnswer(await call('PUT', '/user', { text: 'I', size: 2 }), 200, { text: 'I' });
  expectAnswer(await call('GET', '/user'), 200, { text: 'I', size: 2 });
});

it('updates a pet by a form of which only errors are described', async () => {
  const lines = `
    POST /pet Pet -> 405
    GET /pet/{petId} -> Pet, 404
    POST /pet/{petId} application/x-www-form-urlencoded { name, status } -> 405
    Pet: { id: int, name!, status: "available" | "sold" }`;
  const { call, send } = await serveDocument(documentOf(lines));
  await send('POST', '/pet', { id: 70, name: 'Rex' });
  const body = new URLSearchParams({ name: 'Max', status: 'sold' });
  expect((await call('/pet/70', { method: 'POST', body })).status).toBe(200);
  expectAnswer(await send('GET', '/pet/70'), 200, { name: 'Max', status: 'sold' });
});

it('finds pets that have any of several tags', async () => {
  const call = await serve();
  for (const [name, ...tags] of [['Ada', 'red', 'old'], ['Bo', 'blue'], ['Cy']])
    await call('POST', '/pet', { ...rex, name, tags: tags.map((tag) => ({ name: tag })) });
  const namesOf = async (query: string) =>
    (await call('GET', `/pet/findByTags?${query}`)).json.map(({ name }: { name: string }) => name);
  expect(await namesOf('tags=red')).toEqual(['Ada']);
  expect(await namesOf('tags=old&tags=blue')).toEqual(['Ada', 'Bo']);
  expect(await namesOf('tags=none')).toEqual([]);
});

it('creates several users at once, or none of them', async () => {
  const call = await serve();
  const userOf = (username: string) => ({ username, email: `${username}@example.com` });
  const both = [userOf('ada'), userOf('bo')];
  expectAnswer(await call('POST', '/user/createWithList', both), 200, userOf('bo'));
  expect((await call('GET', '/user/ada')).json).toMatchObject(userOf('ada'));
  expectAnswer(await call('POST', '/user/createWithArray', [userOf('cy')]), 201, [userOf('cy')]);
  const taken = await call('POST', '/user/createWithArray', [userOf('di'), userOf('bo')]);
  expectAnswer(taken, 409, { code: 'id_taken' });
  expect((await call('GET', '/user/di')).status).toBe(404);
  const unfit = await call('POST', '/user/createWithList', [userOf('di'), { username: 7 }]);
  expect(unfit.status).toBe(400);
  expect((await call('GET', '/user/di')).status).toBe(404);
});

it('keeps users by their names', async () => {
  const call = await serve();
  const user = { username: 'ada', email: 'ada@example.com' };
  expect((await call('POST', '/user', user)).status).toBeLessThan(300);
  expectAnswer(await call('GET', '/user/ada'), 200, user);
  await call('DELETE', '/user/ada');
  expect((await call('GET', '/user/ada')).status).toBe(404);
});

it('takes the id of an order, which the document shows', async () => {
  const call = await serve();
  expect((await call('POST', '/store/order', { id: 10, quantity: 2 })).json).toMatchObject({
    id: 10,
  });
  expect((await call('GET', '/store/order/10')).json).toMatchObject({ quantity: 2 });
});
