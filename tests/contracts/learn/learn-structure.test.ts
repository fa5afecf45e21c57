import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { inFolder, type RecordedCall, toRecording } from './recorded-calls.ts';

const origin = 'https://notes.example';

/** Has notes whose ids nothing can be counted in, teams with names, and regions that answer nothing. */
const document = documentOf(`
  GET /2026-01-01/notes -> [Note]
  POST /2026-01-01/notes { name } -> Note
  GET /2026-01-01/notes/{sid:text} -> Note
  GET /regions -> [{ name }]
  POST /regions { name } -> {}
  GET /regions/{region:text} -> { name }
  GET /regions/{region:text}/teams -> [Team]
  POST /regions/{region:text}/teams { name } -> Team
  GET /regions/{region:text}/teams/{team:text} -> Team
  Note: { sid: text(pattern="^(NA|NB)[0-9a-f]{8}$"), name, made }
  Team: { id: uuid, name }
`);

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

const toForm = (body: unknown) => ({
  mimeType: 'application/x-www-form-urlencoded',
  text: String(new URLSearchParams(body as Record<string, string>)),
});

function recordingOf(run: number, calls = callsOf(run), isForm = false): string {
  const recorded = calls.map(
    ([method, path, body, json]): RecordedCall => ({
      ...{ line: `${method} ${path}`, json },
      ...(body !== undefined && (isForm ? { form: toForm(body) } : { body })),
    }),
  );
  return toRecording(origin, recorded, { start: Date.UTC(2026, 10, 5, 9, run) });
}

it('learns what creates items, what else names these, their members and the form of times', async () => {
  const recorded = inFolder(
    document,
    origin,
    [1, 2].map((run) => recordingOf(run)),
  );
  expect(await recorded.learn(1)).toMatchObject({ code: 0 });
  const hints = recorded.hints();
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
  expect((await recorded.compare()).out).toMatch(/^fidelity 100 %/);
}, 90_000);

it('learns what operations do whose paths have verbs, and errors in answers of 200', async () => {
  const form = 'application/x-www-form-urlencoded';
  const answers = 'Answer, default {| ok!: Refused, error! |}';
  const chat = documentOf(
    `
    POST /rooms.create ${form} { name } -> ${answers}
    GET /rooms.info?room -> ${answers}
    POST /rooms.rename ${form} { room, name } -> ${answers}
    POST /rooms.mute ${form} { room, topic } -> ${answers}
    Answer: { ok!: Done, room!: { id: text(example="R1A2B"), name, topic, size } }
    `,
    { Done: { type: 'boolean', enum: [true] }, Refused: { type: 'boolean', enum: [false] } },
  );
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
  const recordings = [1, 2].map((run) => recordingOf(run, calls(run), true));
  const recorded = inFolder(chat, origin, recordings);
  await recorded.learn(1);
  expect(recorded.hints()).toEqual({
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
  expect((await recorded.compare()).out).toMatch(/^fidelity 100 %/);
}, 90_000);
