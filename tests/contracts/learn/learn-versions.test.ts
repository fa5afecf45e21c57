import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { inFolder, type RecordedCall, toRecording } from './recorded-calls.ts';

const origin = 'https://pots.example';

/** Describes pots in `data` beside those who may write, and says nothing of their versions. */
const document = documentOf(`
  GET /pots -> { data: [Pot] }, 412
  DELETE /pots -> { data: [Pot] }, 412
  POST /pots Held -> 201 Held, 412
  GET /pots/{id:text} -> Held, 412
  PUT /pots/{id:text} Held -> 201 Held, 412
  PATCH /pots/{id:text} Held -> Held, 412
  DELETE /pots/{id:text} -> Held, 412
  Pot: { glaze }(additionalProperties={})
  Held: { data: Pot, grants: { write: [text] } }
`);
for (const item of Object.values(document.paths))
  for (const { responses } of Object.values(item).filter((one) => 'responses' in one))
    Object.assign(responses[200] ?? responses[201], {
      headers: {
        ETag: { schema: { type: 'string' } },
        'Last-Modified': { schema: { type: 'string' } },
      },
    });

/** The calls of one run: each change makes a new version, which is also the entity tag. */
function callsOf(run: number): RecordedCall[] {
  const start = startOf(run);
  const at = (step: number) => start + step * 10;
  const known = { Authorization: `Basic ${btoa(`kim:secret-${run}-words`)}` };
  const path = `/pots/pot${run}`;
  const pots = [0, 2].map((step) => ({
    ...{ id: `pot${run}`, glaze: `glaze ${run}${step}`, cost: run + step, version: at(step) },
  }));
  const [old, now] = pots as [(typeof pots)[number], (typeof pots)[number]];
  const whole = (data: object) => ({ data, grants: { write: ['team:potters'] } });
  const late = { error: 'late', now };
  const { version: _, ...sent } = old;
  const tagged = { ...known, 'If-Match': `"${old.version}"` };
  const { glaze, cost } = now;
  const other = { id: `jug${run}`, glaze: `jug ${run}`, cost: 9, version: at(1) };
  const all = [other, now];
  return [
    { line: `PUT ${path}`, status: 201, json: whole(old), body: { data: sent }, sent: known },
    {
      ...{ line: `PUT /pots/jug${run}`, status: 201, json: whole(other), sent: known },
      body: { data: { glaze: other.glaze, cost: 9 } },
    },
    { line: `GET ${path}`, status: 200, json: whole(old), sent: known },
    {
      ...{ line: `PATCH ${path}`, status: 200, json: whole(now), sent: tagged },
      body: { data: { glaze, cost } },
    },
    { line: `GET ${path}`, status: 200, json: whole(now), sent: known },
    {
      line: `PATCH ${path}`,
      status: 412,
      json: late,
      body: { data: { glaze: 'x' } },
      sent: tagged,
    },
    { line: 'GET /pots?sort=-cost', status: 200, json: { data: all }, sent: known },
    { line: `GET /pots?cost=${cost}`, status: 200, json: { data: [now] }, sent: known },
    { line: `GET ${path}`, status: 401, json: { error: 'nobody' } },
    ...callsOfOthers(run, { known, pots: [other, now] }),
  ];
}

/** The calls of another user, who may delete own pots alone; then all pots are deleted. */
function callsOfOthers(
  run: number,
  { known, pots }: { known: Record<string, string>; pots: { id: string }[] },
): RecordedCall[] {
  const ada = { Authorization: `Basic ${btoa(`ada:other-${run}-words`)}` };
  const cup = { id: `cup${run}`, glaze: `cup ${run}`, cost: 3, version: startOf(run) + 90 };
  const { id: _, version: __, ...data } = cup;
  const isGone = ({ id }: { id: string }) => ({ id, gone: true });
  const path = `/pots/${cup.id}`;
  const grants = { write: ['team:potters'] };
  return [
    { line: `PUT ${path}`, status: 201, json: { data: cup, grants }, body: { data }, sent: ada },
    { line: `DELETE ${path}`, status: 200, json: { data: isGone(cup) }, sent: ada },
    { line: `DELETE /pots/pot${run}`, status: 403, json: { error: 'not yours' }, sent: ada },
    { line: `GET /pots/pot${run}`, status: 200, json: { data: pots[1], grants }, sent: known },
    { line: 'PUT /pots/no%20pot', status: 400, json: { error: 'id' }, body: { data }, sent: known },
    { line: 'DELETE /pots', status: 200, json: { data: pots.map(isGone) }, sent: known },
    { line: 'GET /pots', status: 200, json: { data: [] }, sent: known },
  ];
}

function startOf(run: number): number {
  return Date.UTC(2026, 10, 5, 9, run);
}

/** Returns the headers of a version; that of a list is of all that it shows. */
function madeOf({ status = 0, json }: RecordedCall, run: number): Record<string, string> {
  if (status === 401) return { 'WWW-Authenticate': 'Basic realm="pots"' };
  if (status >= 300) return {};
  const { version = 'w' } = (json as { data: { version?: number } }).data;
  return { ETag: `"${version}"`, 'Last-Modified': new Date(startOf(run)).toUTCString() };
}

it('learns entity tags, what stands beside items, precise times, and who may do what', async () => {
  const recordings = [1, 2, 3, 4].map((run) => {
    const calls = callsOf(run).map((one) => ({ ...one, made: madeOf(one, run) }));
    return toRecording(origin, calls, { start: startOf(run), apart: 10 });
  });
  const recorded = inFolder(document, origin, recordings);
  expect(await recorded.learn(3)).toMatchObject({ code: 0 });
  const hints = recorded.hints();
  expect(hints["$.paths['/pots/{id}'].patch"]).toMatchObject({
    sets: { version: '{number(now)}' },
    headers: { etag: '"{version}"' },
    body: { data: '{item}', grants: { write: ['team:potters'] } },
    errors: { precondition_failed: { body: { error: 'late', now: '{item}' } } },
  });
  expect(hints["$.paths['/pots/{id}'].get"]).toMatchObject({
    values: { grants: { write: ['team:potters'] } },
    refuses: [
      {
        when: { 'headers.authorization': [null] },
        ...{ status: 401, headers: { 'www-authenticate': 'Basic realm="pots"' } },
      },
    ],
  });
  expect(hints["$.paths['/pots/{id}'].delete"]).toMatchObject({
    refuses: [{ when: { 'caller.isCreator': [false] }, status: 403 }],
  });
  expect(hints["$.paths['/pots/{id}'].put"]).toMatchObject({
    refuses: [{ when: { 'plain(path.id)': [false] }, status: 400 }],
  });
  expect(hints["$.paths['/pots'].delete"]).toMatchObject({
    ...{ kind: 'deleteMany', shows: { gone: true, glaze: '{absent}' } },
  });
  expect((await recorded.compare()).out).toMatch(/^fidelity 100 %/);
}, 180_000);

/** Describes jars whose creation answers only where they are. */
const jars = documentOf(`
  GET /jars -> [Jar]
  POST /jars Jar -> 201
  GET /jars/{id:text} -> Jar
  Jar: { id, name, state }
`);

function toJars(run: number): string {
  const all = [1, 2].map((one) => ({ id: `jar_${run}${one}c4e2f70b9d`, name: `jar ${run}${one}` }));
  const calls = all.flatMap(({ id, name }): RecordedCall[] => [
    { line: 'POST /jars', status: 201, body: { name }, made: { Location: `${origin}/jars/${id}` } },
    { line: `GET /jars/${id}`, status: 200, json: { id, name, state: 'new' } },
  ]);
  return toRecording(origin, calls, { start: startOf(run), apart: 10 });
}

it('knows new items by their addresses alone, and a recording that it has already', async () => {
  const [first, second, last] = [1, 2, 3].map(toJars);
  const recordings = [first, second, second, last].map((one) => one ?? '');
  const recorded = inFolder(jars, origin, recordings);
  const learned = await recorded.learn(3);
  expect(learned.err).toMatch(/3\.har has the calls of .*2\.har and is left out\./);
  expect(recorded.hints()["$.paths['/jars'].post"]).toEqual({
    newId: 'jar_000000000000',
    values: { state: 'new' },
    headers: { location: '{server.base}/jars/{id}' },
  });
  expect((await recorded.compare()).out).toMatch(/^fidelity 100 %/);
}, 90_000);
