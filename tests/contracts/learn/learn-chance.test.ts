import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { runCommand as fidelity } from '../../../contracts/fidelity/command.ts';
import { runCommand as learn } from '../../../contracts/learn/command.ts';
import { capture } from '../../support/capture.ts';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { toEntry, toHar } from '../har/samples.ts';

const text = { type: 'string' };
const integer = { type: 'integer', minimum: 0 };
const object = (properties: object) => ({ type: 'object', properties });
const success = (data: object) => ({
  responses: { 200: jsonOf(object({ data })), 401: jsonOf(object({ error: object({}) })) },
});
const query = (name: string, description = '') => ({
  ...{ name, description, in: 'query', schema: integer },
});

const uuid = { ...text, format: 'uuid' };
const user = object({ id: uuid, mail: text, name: text, seen: { ...text, format: 'date-time' } });
const settings = object({ title: text, color: text });

/** Users in the order of ids that are drawn by chance, and settings with more than is described. */
const document = toDocument({
  '/users': {
    get: {
      parameters: [query('limit'), query('page', 'Pages through results, starting at page `1`.')],
      ...success({ type: 'array', items: user }),
    },
    post: { requestBody: jsonOf(object({ mail: text })), ...success(user) },
  },
  '/users/{id}': { parameters: [pathParameter('id', text)], get: success(user) },
  '/ping': {
    get: { responses: { 200: { content: { 'application/text': { example: 'pong' } } } } },
  },
  '/settings': {
    get: success(settings),
    patch: { requestBody: jsonOf({ type: 'object' }), ...success(settings) },
  },
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

function toRecording(run: number): string {
  const headers = [{ name: 'Content-Type', value: 'application/json' }];
  const ping = {
    startedDateTime: new Date(Date.UTC(2026, 10, 5, 8, run)).toISOString(),
    request: { method: 'GET', url: 'https://users.example/ping', headers: [] },
    response: {
      ...{ status: 200, headers: [{ name: 'Content-Type', value: 'text/html' }] },
      content: { size: 4, mimeType: 'text/html', text: 'pong' },
    },
  };
  const entries = callsOf(run).map(([method, path, body, data], index) =>
    toEntry({
      startedDateTime: new Date(Date.UTC(2026, 10, 5, 9, run, index)).toISOString(),
      request: {
        ...{ method, url: `https://users.example${path}`, headers },
        ...(body !== undefined && {
          postData: { mimeType: 'application/json', text: JSON.stringify(body) },
        }),
      },
      response: {
        ...{ status: 200, headers },
        content: { size: 1, mimeType: 'application/json', text: JSON.stringify({ data }) },
      },
    }),
  );
  return toHar([toEntry(ping), ...entries]);
}

it('answers pages in the order of ids that are drawn by chance, shows what a singleton begins with, and texts as they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chance-'));
  const at = (name: string) => join(folder, name);
  writeFileSync(at('users.json'), JSON.stringify(document));
  for (const run of [1, 2, 3]) writeFileSync(at(`${run}.har`), toRecording(run));
  const args = ['--base-url', 'https://users.example', '--spec', at('users.json')];
  const run = (command: typeof learn, own: string[]) =>
    capture(() => command([...own, ...args], { env: {}, command: 'x' }));
  const ran = await run(learn, [at('1.har'), at('2.har'), '--out', at('out.yaml')]);
  expect(ran).toMatchObject({ code: 0 });
  const { actions } = load(readFileSync(at('out.yaml'), 'utf8')) as {
    actions: { target: string; update: { 'x-twin': object } }[];
  };
  const hints = Object.fromEntries(actions.map(({ target, update }) => [target, update['x-twin']]));
  expect(hints).toMatchObject({
    $: { members: { '/users': ['name', 'seen'], '/settings': ['color', 'theme'] } },
    "$.paths['/ping'].get": { headers: { 'Content-Type': 'text/html' } },
    "$.paths['/users'].get": { order: 'id' },
    "$.paths['/users'].post": { values: { name: null, seen: null } },
    "$.paths['/settings'].patch": { values: { color: null, theme: 'auto' } },
  });
  const held = await run(fidelity, [at('3.har'), '--overlay', at('out.yaml')]);
  expect(held.out).toMatch(/^fidelity 100 %/);
}, 90_000);
