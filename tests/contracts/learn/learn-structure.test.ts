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
const object = (properties: object, required: string[] = []) => ({
  ...{ type: 'object', properties, required },
});
const list = (items: object) => ({ responses: { 200: jsonOf({ type: 'array', items }) } });
const read = (item: object) => ({ responses: { 200: jsonOf(item) } });
const create = (answer: object) => ({
  ...{ requestBody: jsonOf(object({ name: text })), responses: { 200: jsonOf(answer) } },
});

const note = object({ sid: { ...text, pattern: '^(NA|NB)[0-9a-f]{8}$' }, name: text, made: text });
const team = object({ id: { ...text, format: 'uuid' }, name: text });
const region = object({ name: text });

/** Notes whose ids nothing can be counted in, teams with names, and regions that answer nothing. */
const document = toDocument({
  '/2026-01-01/notes': { get: list(note), post: create(note) },
  '/2026-01-01/notes/{sid}': { parameters: [pathParameter('sid', text)], get: read(note) },
  '/regions': { get: list(region), post: create(object({})) },
  '/regions/{region}': { parameters: [pathParameter('region', text)], get: read(region) },
  '/regions/{region}/teams': {
    ...{ parameters: [pathParameter('region', text)], get: list(team), post: create(team) },
  },
  '/regions/{region}/teams/{team}': {
    parameters: [pathParameter('region', text), pathParameter('team', text)],
    get: read(team),
  },
});

type Call = [method: string, path: string, body: unknown, answer: unknown];

/** The calls of one run, with ids and times of its own. */
function callsOf(run: number): Call[] {
  const notes = [1, 2, 3].map((one) => ({
    ...{ sid: `NA${run}${one}c4e2f7`, name: `note ${run}${one}`, version: '2026-01-01' },
    made: `Thu, 05 Nov 2026 09:0${run}:0${one} +0000`,
  }));
  const teams = [1, 2].map((one) => ({
    ...{ id: `${run}f0f8a7e-6a0c-4a86-9a8e-0d8c53a1d1f${one}`, name: `team${run}${one}` },
  }));
  const region = `region${run}`;
  const at = '/2026-01-01/notes';
  return [
    ...notes.map((one): Call => ['POST', at, { name: one.name }, one]),
    ...notes.map((one): Call => ['GET', `${at}/${one.sid}`, undefined, one]),
    ['POST', '/regions', { name: region }, {}],
    ['GET', `/regions/${region}`, undefined, { name: region }],
    ...teams.map((one): Call => ['POST', '/regions/first/teams', { name: one.name }, one]),
    ...teams.flatMap(({ id, name }): Call[] => [
      ['GET', `/regions/first/teams/${id}`, undefined, { id, name }],
      ['GET', `/regions/first/teams/${name}`, undefined, { id, name }],
    ]),
  ];
}

const typed = ({ mimeType }: { mimeType: string }) => [{ name: 'Content-Type', value: mimeType }];
const toJson = (body: unknown) => ({ mimeType: 'application/json', text: JSON.stringify(body) });
const toForm = (body: unknown) => ({
  mimeType: 'application/x-www-form-urlencoded',
  text: String(new URLSearchParams(body as Record<string, string>)),
});

function toRecording(run: number, calls = callsOf(run), toBody = toJson): string {
  const entries = calls.map(([method, path, body, answer], index) =>
    toEntry({
      startedDateTime: new Date(Date.UTC(2026, 10, 5, 9, run, index)).toISOString(),
      request: {
        ...{ method, url: `https://notes.example${path}`, headers: typed(toBody(body)) },
        ...(body !== undefined && { postData: toBody(body) }),
      },
      response: {
        ...{ status: 200, headers: typed(toJson(answer)) },
        content: { size: 1, ...toJson(answer) },
      },
    }),
  );
  return toHar(entries);
}

/** Runs a command on recordings of a document. */
function inFolder(spec: object, recordings: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'structure-'));
  const at = (name: string) => join(folder, name);
  writeFileSync(at('notes.json'), JSON.stringify(spec));
  for (const [index, har] of recordings.entries()) writeFileSync(at(`${index + 1}.har`), har);
  const args = ['--base-url', 'https://notes.example', '--spec', at('notes.json')];
  const run = (command: typeof learn, own: string[]) =>
    capture(() => command([...own, ...args], { env: {}, command: 'x' }));
  const readHints = () => {
    const { actions } = load(readFileSync(at('out.yaml'), 'utf8')) as {
      actions: { target: string; update: { 'x-twin': object } }[];
    };
    return Object.fromEntries(actions.map(({ target, update }) => [target, update['x-twin']]));
  };
  return { at, run, readHints };
}

it('learns what creates items, what else names these, their members and the form of times', async () => {
  const { at, run, readHints } = inFolder(document, [toRecording(1), toRecording(2)]);
  const ran = await run(learn, [at('1.har'), '--out', at('out.yaml')]);
  expect(ran).toMatchObject({ code: 0 });
  const hints = readHints();
  expect(hints.$).toEqual({
    members: { '/2026-01-01/notes': ['version'] },
    aliases: { '/regions/{region}/teams': 'name' },
    times: 'Thu, 01 Jan 2026 00:00:00 +0000',
  });
  expect(hints["$.paths['/2026-01-01/notes'].post"]).toEqual({
    newId: 'NA00000000',
    values: { made: '{now}', version: '2026-01-01' },
  });
  expect(hints["$.paths['/regions'].post"]).toEqual({ kind: 'create' });
  const held = await run(fidelity, [at('2.har'), '--overlay', at('out.yaml')]);
  expect(held.out).toMatch(/^fidelity 100 %/);
}, 90_000);

it('learns what operations do whose paths have verbs, and errors in answers of 200', async () => {
  const flag = (is: boolean) => ({ type: 'boolean', enum: [is] });
  const room = object({ id: { ...text, example: 'R1A2B' }, name: text, topic: text, size: text });
  const failed = { ...object({ ok: flag(false), error: text }, ['ok', 'error']) };
  const answers = {
    200: jsonOf(object({ ok: flag(true), room }, ['ok', 'room'])),
    default: jsonOf({ ...failed, additionalProperties: false }),
  };
  const form = (...names: string[]) => ({
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': {
          schema: object(Object.fromEntries(names.map((one) => [one, text]))),
        },
      },
    },
    responses: answers,
  });
  const chat = toDocument({
    '/rooms.create': { post: form('name') },
    '/rooms.info': {
      get: { parameters: [{ name: 'room', in: 'query', schema: text }], responses: answers },
    },
    '/rooms.rename': { post: form('room', 'name') },
    '/rooms.mute': { post: form('room', 'topic') },
  });
  const calls = (run: number): Call[] =>
    ['lake', 'hill'].flatMap((name, one): Call[] => {
      const made = { id: `R${run}${one}F3C`, name: `${name}${run}`, topic: '', size: 'small' };
      const renamed = { ...made, name: `old${made.name}` };
      const muted = { ...renamed, topic: `muted ${renamed.name}` };
      const isRoom = { room: made.id };
      return [
        ['POST', '/rooms.create', { name: made.name }, { ok: true, room: made }],
        ['POST', '/rooms.create', { name: made.name }, { ok: false, error: 'name_taken' }],
        ['POST', '/rooms.rename', { ...isRoom, name: renamed.name }, { ok: true, room: renamed }],
        ['POST', '/rooms.mute', isRoom, { ok: true, room: muted }],
        ['GET', `/rooms.info?room=${made.id}`, undefined, { ok: true, room: muted }],
        ['GET', '/rooms.info?room=R0NONE', undefined, { ok: false, error: 'no_room' }],
      ];
    });
  const { at, run, readHints } = inFolder(
    chat,
    [1, 2].map((one) => toRecording(one, calls(one), toForm)),
  );
  await run(learn, [at('1.har'), '--out', at('out.yaml')]);
  expect(readHints()).toEqual({
    "$.paths['/rooms.create'].post": {
      newId: 'a00000',
      values: { topic: '', size: 'small' },
      unique: ['name'],
      errors: { value_taken: { status: 200, body: { ok: false, error: 'name_taken' } } },
    },
    "$.paths['/rooms.info'].get": {
      errors: { not_found: { status: 200, body: { ok: false, error: 'no_room' } } },
    },
    "$.paths['/rooms.mute'].post": { sets: { topic: 'muted {name}' } },
  });
  const held = await run(fidelity, [at('2.har'), '--overlay', at('out.yaml')]);
  expect(held.out).toMatch(/^fidelity 100 %/);
}, 90_000);
