import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const sent = '{ text, lastModifiedAt: date-time, created_at: date-time }';
const content = {
  'application/json': { schema: schemaOf(sent) },
  'application/json-patch+json': { schema: schemaOf('[object]') },
};
const document = documentOf(
  `
  GET /notes -> [Note]
  POST /notes ${sent} -> 201 Note
  PUT /notes/{id} ${sent} -> Note
  PATCH /notes/{id} -> Note
  `,
  {
    Modified: { type: 'integer', format: 'unix-time' },
    Updated: { type: ['integer', 'null'], examples: [1_700_000_000_000] },
    Created: { type: 'integer', description: 'How many were created.' },
    Note: `{
      id!: int, text!, readonly created_at: date-time, updatedAt: date-time, dateCreated: date,
      modified: Modified, last_updated: Updated, lastModifiedAt: date-time, created: Created
    }`,
  },
  { operations: { 'PATCH /notes/{id}': { requestBody: { content } } } },
);

type Note = Record<string, string | number>;

async function serve() {
  const { send } = await serveDocument(document, { pets: 12 });
  const call = async (...sent: Parameters<typeof send>): Promise<Note> =>
    (await send(...sent)).json;
  const freeze = (instant: string) => send('PUT', '/__admin/clock', { action: 'freeze', instant });
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

it('sets times whose names alone say so, and no state that ends an item', async () => {
  const { send } = await serveDocument(`
    POST /jobs { name } -> 201 Job
    Job: {
      id!: int, name, created_at!, updatedOn!, creation_date!, created!,
      status!: "deleted" | "active"
    }
  `);
  await send('PUT', '/__admin/clock', { action: 'freeze', instant: first });
  const { json } = await send('POST', '/jobs', { name: 'a' });
  expect(json).toMatchObject({ created_at: first, updatedOn: first, creation_date: '2031-05-06' });
  expect(json.created).not.toMatch(/^\d/);
  expect(json.status).toBe('active');
});

it('knows the times and states of new items as Google names them', async () => {
  const { send } = await serveDocument(`
    GET /notes -> { notes: [Note] }
    POST /notes { title! } -> Note
    Note: {
      readonly id: int, title!, readonly createTime: date-time, readonly updateTime: date-time,
      readonly state: "STATE_UNSPECIFIED" | "ACTIVE" | "ARCHIVED"
    }
  `);
  const { json } = await send('POST', '/notes', { title: 'a' });
  expect(json).toMatchObject({ state: 'ACTIVE', createTime: json.updateTime });
  expect(Math.abs(Date.parse(json.createTime) - Date.now())).toBeLessThan(60_000);
});
