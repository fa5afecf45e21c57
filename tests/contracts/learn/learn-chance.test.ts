import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { inFolder, type RecordedCall, toRecording } from './recorded-calls.ts';

const origin = 'https://users.example';

/** Has users in the order of ids that are drawn by chance, and settings with more than is described. */
const document = documentOf(
  `
  GET /users?limit:Count&page:Count -> { data: [User] }, 401 Refusal
  POST /users { mail } -> { data: User }, 401 Refusal
  GET /users/{id:text} -> { data: User }, 401 Refusal
  GET /ping -> application/text
  GET /settings -> { data: { title, color } }, 401 Refusal
  PATCH /settings object -> { data: { title, color } }, 401 Refusal
  User: { id: uuid, mail, name, seen: date-time }
  Refusal: { error: object }
  `,
  { Count: { type: 'integer', minimum: 0 } },
);
const [, page] = document.paths['/users']?.get.parameters ?? [];
Object.assign(page, { description: 'Pages through results, starting at page `1`.' });
Object.assign(document.paths['/ping']?.get.responses[200].content['application/text'], {
  example: 'pong',
});

type Call = [method: string, path: string, body: unknown, data: unknown];

/** The calls of one run, whose users have ids in another order than that of their creation. */
function callsOf(run: number): Call[] {
  const toUser = (start: string, mail: string) => ({
    id: `${start}${run}b4f7a2-6a0c-4a86-9a8e-0d8c53a1d1f0`,
    ...{ mail, name: null, seen: null },
  });
  const before = { ...toUser('5', `old${run}`), seen: '2026-11-05T08:00:00' };
  const made = ['3', '1', '9', 'c', '7'].map((start, at) => toUser(start, `new${run}${at}`));
  const sorted = [before, ...made].toSorted((left, right) => (left.id < right.id ? -1 : 1));
  const own = { title: `title${run}`, color: null, theme: 'auto' };
  return [
    ...made.map((one): Call => ['POST', '/users', { mail: one.mail }, one]),
    ['GET', '/users?limit=3&page=1', undefined, sorted.slice(0, 3)],
    ['GET', '/users?limit=3&page=2', undefined, sorted.slice(3)],
    ['GET', '/users?limit=3&page=3', undefined, []],
    ['PATCH', '/settings', { title: own.title }, own],
    ['GET', '/settings', undefined, own],
  ];
}

function recordingOf(run: number): string {
  const calls = callsOf(run).map(
    ([method, path, body, data]): RecordedCall => ({
      ...{ line: `${method} ${path}`, body, json: { data } },
    }),
  );
  const ping = { line: 'GET /ping', text: 'pong', mimeType: 'text/html' } as const;
  return toRecording(origin, [ping, ...calls], { start: Date.UTC(2026, 10, 5, 9, run) });
}

it('answers pages in the order of ids that are drawn by chance, shows what a singleton begins with, and texts as they are', async () => {
  const recorded = inFolder(document, origin, [1, 2, 3].map(recordingOf));
  expect(await recorded.learn(2)).toMatchObject({ code: 0 });
  expect(recorded.hints()).toMatchObject({
    $: { members: { '/users': ['name', 'seen'], '/settings': ['color', 'theme'] } },
    "$.paths['/ping'].get": { headers: { 'Content-Type': 'text/html' } },
    "$.paths['/users'].get": { order: 'id' },
    "$.paths['/users'].post": { values: { name: null, seen: null } },
    "$.paths['/settings'].patch": { values: { color: null, theme: 'auto' } },
  });
  expect((await recorded.compare()).out).toMatch(/^fidelity 100 %/);
}, 90_000);
