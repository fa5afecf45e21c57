import { expect, it } from 'vitest';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const time = { type: 'string', format: 'date-time' };
const note = {
  type: 'object',
  required: ['id', 'text'],
  properties: {
    id: { type: 'integer' },
    text: { type: 'string' },
    created_at: { ...time, readOnly: true },
    updatedAt: time,
    dateCreated: { type: 'string', format: 'date' },
    modified: { type: 'integer', format: 'unix-time' },
    last_updated: { type: ['integer', 'null'], examples: [1_700_000_000_000] },
    lastModifiedAt: time,
    created: { type: 'integer', description: 'How many were created.' },
  },
};
const sent = {
  type: 'object',
  properties: { text: { type: 'string' }, lastModifiedAt: time, created_at: time },
};
const content = (schema: object) => ({ 'application/json': { schema } });
const answers = (status: number, schema: object) => ({
  responses: { [status]: { description: 'Done.', content: content(schema) } },
});
const takes = { requestBody: { content: content(sent) } };
const paths = {
  '/notes': {
    get: answers(200, { type: 'array', items: note }),
    post: { ...takes, ...answers(201, note) },
  },
  '/notes/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    put: { ...takes, ...answers(200, note) },
    patch: {
      requestBody: {
        content: {
          ...content(sent),
          'application/json-patch+json': { schema: { type: 'array', items: { type: 'object' } } },
        },
      },
      ...answers(200, note),
    },
  },
};

type Note = Record<string, string | number>;

async function serve() {
  const spec = await writeJson({ openapi: '3.1.0', info: { title: 'N', version: '1' }, paths });
  const { api, origin } = await startTwin({ spec, pets: 12 });
  const call = async (method: string, path: string, body?: unknown, type = 'application/json') => {
    const sent = body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': type },
    };
    return (await fetch(api + path, { method, ...sent })).json() as Promise<Note>;
  };
  const freeze = async (instant: string) => {
    const response = await fetch(`${origin}/__admin/clock`, {
      method: 'PUT',
      body: JSON.stringify({ action: 'freeze', instant }),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(response.status).toBe(200);
  };
  return { call, freeze };
}

const [first, second] = ['2031-05-06T07:08:09.000Z', '2032-01-01T00:00:00.000Z'] as const;

it('sets the times of an item by the clock, but those that a body sets', async () => {
  const { call, freeze } = await serve();
  await freeze(first);
  const body = { text: 'a', created_at: '1999-01-01T00:00:00Z', updatedAt: 'x', created: 5 };
  const seconds = Date.parse(first) / 1000;
  const added = await call('POST', '/notes', body);
  expect(added).toEqual({
    id: 13,
    text: 'a',
    created_at: first,
    updatedAt: first,
    dateCreated: '2031-05-06',
    modified: seconds,
    last_updated: seconds * 1000,
  });
  await freeze(second);
  const changed = { ...added, updatedAt: second, modified: Date.parse(second) / 1000 };
  const lastModifiedAt = '2001-01-01T00:00:00Z';
  const after = { ...changed, last_updated: Date.parse(second), text: 'b' };
  expect(await call('PATCH', '/notes/13', { text: 'b' })).toEqual(after);
  expect(await call('PUT', '/notes/13', { text: 'b', lastModifiedAt })).toEqual({
    ...after,
    lastModifiedAt,
  });
});

it('lets no JSON Patch set the times of the service', async () => {
  const { call, freeze } = await serve();
  await freeze(second);
  const patch = [
    { op: 'add', path: '/updatedAt', value: first },
    { op: 'add', path: '/dateCreated', value: '1999-01-01' },
  ];
  const [before] = (await call('GET', '/notes')) as unknown as [Note];
  expect(await call('PATCH', `/notes/${before.id}`, patch, 'application/json-patch+json')).toEqual({
    ...before,
    updatedAt: second,
    modified: Date.parse(second) / 1000,
    last_updated: Date.parse(second),
  });
});

it('begins with items that were created one after another, in the past', async () => {
  const { call } = await serve();
  const notes = (await call('GET', '/notes')) as unknown as Note[];
  const made = notes
    .flatMap(({ created_at }) => created_at ?? [])
    .map((text) => Date.parse(`${text}`));
  expect(made.length).toBeGreaterThan(5);
  expect(made).toEqual(made.toSorted((left, right) => left - right));
  expect(made.at(-1)).toBeLessThan(Date.UTC(2026));
  for (const { created_at, updatedAt } of notes)
    if (created_at !== undefined && updatedAt !== undefined)
      expect(`${updatedAt}` > `${created_at}`).toBe(true);
});
