import { expect, it } from 'vitest';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const json = (schema: object, more: object = {}) => ({
  content: { 'application/json': { schema, ...more } },
});
const answers = (schema: object, more?: object, status = 200) => ({
  responses: { [status]: { description: 'Done.', ...json(schema, more) } },
});
const any = { type: 'object', properties: {} };
const user = {
  type: 'object',
  properties: { friendly_name: { type: 'string' }, level: { type: 'integer' } },
};
const profile = {
  type: 'object',
  properties: { token: { type: 'string' }, user, city: { enum: ['Oslo', 'Rome'] } },
};
const example = { token: 'secret', user: { friendly_name: 'Gus', level: 1 }, city: 'Oslo' };
const parameters = ['room_id', 'id'].map((name) => {
  return { name, in: 'path', required: true, schema: { type: 'integer' } };
});
const paths = {
  '/login': { post: { requestBody: json(any), ...answers(profile, { example }) } },
  '/refuse': { post: { requestBody: json(any), ...answers(profile, { example }, 409) } },
  '/rooms/{room_id}/lamps/{id}': {
    parameters,
    get: answers(any, { example: { id: 7, RoomId: '3', text: '7' } }),
  },
  '/rooms/{room_id}/lamps/{id}/parts': { parameters, get: answers(any, { example: { id: 7 } }) },
};

async function serve() {
  const spec = await writeJson({ openapi: '3.1.0', info: { title: 'O', version: '1' }, paths });
  const { api } = await startTwin({ spec });
  return async (path: string, body?: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = body && { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(api + path, sent)).json();
  };
}

it('shows what was sent where nothing is stored', async () => {
  const call = await serve();
  const sent = { FriendlyName: 'Ann', level: 9007199254740991, other: true };
  const shown = { friendly_name: 'Ann', level: 9007199254740991 };
  expect(await call('/login', sent)).toEqual({ ...example, user: shown });
  const whole = { ...example, token: 'x', user: shown };
  expect(await call('/login', { user: sent, token: 'x' })).toEqual(whole);
  expect(await call('/login', { token: 'x', user: { ...sent, pin: 1 } })).toEqual(whole);
  expect(await call('/login', {})).toEqual(example);
});

it('shows nothing that the schema does not allow', async () => {
  const call = await serve();
  expect(await call('/login', { token: 'x', city: 'Bern' })).toEqual({ ...example, token: 'x' });
  expect(await call('/refuse', { token: 'x' })).toEqual(example);
  const shown = { ...example, user: { friendly_name: 'Ann', level: 1 } };
  expect(await call('/login', { user: { FriendlyName: 'Ann', level: 'high' } })).toEqual(shown);
});

it('shows numbers that are sent as texts, and texts that are sent as numbers', async () => {
  const call = await serve();
  const sent = { token: 12, user: { level: '3' } };
  const user = { ...example.user, level: 3 };
  expect(await call('/login', sent)).toEqual({ ...example, token: '12', user });
});

it('shows the ids of the path', async () => {
  const call = await serve();
  expect(await call('/rooms/41/lamps/42')).toEqual({ id: 42, RoomId: '41', text: '7' });
  expect(await call('/rooms/41/lamps/42/parts')).toEqual({ id: 7 });
});
