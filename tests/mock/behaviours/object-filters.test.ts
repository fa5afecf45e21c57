import { expect, it } from 'vitest';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const text = { type: 'string' };
const user = {
  type: 'object',
  properties: { id: text, name: text, age: { type: 'integer' }, team: { type: 'object' } },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const spec = {
  openapi: '3.1.0',
  info: { title: 'Users', version: '1' },
  paths: {
    '/users': {
      get: {
        parameters: [{ name: 'filter', in: 'query', ...json({ type: 'object' }) }],
        responses: { 200: { description: 'All.', ...json({ type: 'array', items: user }) } },
      },
      post: { requestBody: json(user), responses: { 201: { description: 'New.', ...json(user) } } },
    },
    '/users/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      get: { responses: { 200: { description: 'One.', ...json(user) } } },
    },
  },
};

it('lists what an object of properties and comparisons asks for', async () => {
  const { api } = await startTwin({ spec: await writeJson(spec), pets: 0 });
  const users = [
    { name: 'Ada', age: 36, team: { name: 'Web' } },
    { name: 'Bob', age: 20, team: { name: 'Web' } },
    { name: 'Cid', age: 50, team: { name: 'App' } },
  ];
  const headers = { 'Content-Type': 'application/json' };
  for (const one of users)
    await fetch(`${api}/users`, { method: 'POST', headers, body: JSON.stringify(one) });
  const find = async (filter: object) => {
    const query = new URLSearchParams({ filter: JSON.stringify(filter) });
    const found = (await (await fetch(`${api}/users?${query}`)).json()) as { name: string }[];
    return found.map(({ name }) => name).join();
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
