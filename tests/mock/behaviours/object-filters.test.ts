import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const schema = { type: 'object' };
const filter = { name: 'filter', in: 'query', content: { 'application/json': { schema } } };
const users = documentOf(
  `
  GET /users -> [User]
  POST /users User -> 201 User
  GET /users/{id:text} -> User
  `,
  { User: '{ id, name, age: int, team: object }' },
  { operations: { 'GET /users': { parameters: [filter] } } },
);

it('lists what an object of properties and comparisons asks for', async () => {
  const { send } = await serveDocument(users, { pets: 0 });
  const all = [
    { name: 'Ada', age: 36, team: { name: 'Web' } },
    { name: 'Bob', age: 20, team: { name: 'Web' } },
    { name: 'Cid', age: 50, team: { name: 'App' } },
  ];
  for (const one of all) await send('POST', '/users', one);
  const find = async (asked: object) => {
    const { json } = await send(
      'GET',
      `/users?filter=${encodeURIComponent(JSON.stringify(asked))}`,
    );
    return json.map(({ name }: { name: string }) => name).join();
  };
  expect(await find({ name: { _eq: 'Bob' } })).toBe('Bob');
  expect(await find({ name: 'Bob' })).toBe('Bob');
  expect(await find({ name: { _contains: 'd' }, age: { $gt: 40 } })).toBe('Cid');
  expect(await find({ _or: [{ age: { _lt: 30 } }, { name: { _in: ['Ada', 'Eva'] } }] })).toBe(
    'Ada,Bob',
  );
  expect(await find({ team: { name: { _neq: 'Web' } } })).toBe('Cid');
  expect(await find({ name: { _near: 'Bob' }, other: { _eq: 1 } })).toBe('Ada,Bob,Cid');
});

it('reads conditions as deep as they are in time', { timeout: 5000 }, async () => {
  const { send } = await serveDocument(users);
  const deep = (key: string) => Array.from({ length: 60 }).reduce((at) => ({ [key]: at }), 1);
  for (const asked of [{ team: deep('name') }, deep('team')]) {
    const text = encodeURIComponent(JSON.stringify(asked));
    expect(await send('GET', `/users?filter=${text}`)).toMatchObject({ status: 200 });
  }
});
