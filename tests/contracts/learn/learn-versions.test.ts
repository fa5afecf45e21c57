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

const origin = 'https://pots.example';
const text = { type: 'string' };
const pot = { type: 'object', properties: { glaze: text }, additionalProperties: {} };
const grants = { type: 'object', properties: { write: { type: 'array', items: text } } };
const held = { type: 'object', properties: { data: pot, grants } };
const headers = { ETag: { schema: text }, 'Last-Modified': { schema: text } };
const responses = (status: number, schema: object) => ({
  responses: { [status]: { ...jsonOf(schema), headers }, 412: { description: 'Changed.' } },
});

/** Pots in `data` beside those who may write, of which the document says nothing of versions. */
const list = { type: 'object', properties: { data: { type: 'array', items: pot } } };
const document = toDocument({
  '/pots': {
    get: responses(200, list),
    delete: responses(200, list),
    post: { requestBody: jsonOf(held), ...responses(201, held) },
  },
  '/pots/{id}': {
    parameters: [pathParameter('id', text)],
    get: responses(200, held),
    put: { requestBody: jsonOf(held), ...responses(201, held) },
    patch: { requestBody: jsonOf(held), ...responses(200, held) },
    delete: responses(200, held),
  },
});

type Call = {
  line: `${string} ${string}`;
  status: number;
  json?: object;
  body?: object;
  sent?: Record<string, string>;
  made?: Record<string, string>;
};

/** The calls of one run: each change makes a new version, which is also the entity tag. */
function callsOf(run: number): Call[] {
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
): Call[] {
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
function madeOf({ status, json }: Call, run: number): Record<string, string> {
  if (status === 401) return { 'WWW-Authenticate': 'Basic realm="pots"' };
  if (status >= 300) return {};
  const { version = 'w' } = (json as { data: { version?: number } }).data;
  return { ETag: `"${version}"`, 'Last-Modified': new Date(startOf(run)).toUTCString() };
}

function toRecording(calls: readonly Call[], run: number): string {
  const content = { name: 'Content-Type', value: 'application/json' };
  const toPairs = (fields: object) =>
    Object.entries(fields).map(([name, value]) => ({ name, value: String(value) }));
  return toHar(
    calls.map(({ line, status, json, body, sent = {}, made = {} }, index) => {
      const [method, path] = line.split(' ');
      const text = json ? JSON.stringify(json) : '';
      return toEntry({
        startedDateTime: new Date(startOf(run) + index * 10).toISOString(),
        request: {
          ...{ method, url: origin + path, headers: [content, ...toPairs(sent)] },
          ...(body && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
        },
        response: {
          ...{ status, headers: [...(json ? [content] : []), ...toPairs(made)] },
          content: { size: 1, mimeType: json ? 'application/json' : '', text },
        },
      });
    }),
  );
}

/** Learns from the first recordings, and compares the last one; gives the lines by their targets. */
async function learnFrom(document: object, recordings: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'versions-'));
  const at = (name: string) => join(folder, name);
  writeFileSync(at('pots.json'), JSON.stringify(document));
  const files = recordings.map((_, index) => at(`${index + 1}.har`));
  for (const [index, file] of files.entries()) writeFileSync(file, recordings[index] ?? '');
  const args = ['--base-url', origin, '--spec', at('pots.json')];
  const run = (command: typeof learn, own: string[]) =>
    capture(() => command([...own, ...args], { env: {}, command: 'x' }));
  const learned = await run(learn, [...files.slice(0, -1), '--out', at('out.yaml')]);
  expect(learned).toMatchObject({ code: 0 });
  const { actions } = load(readFileSync(at('out.yaml'), 'utf8')) as {
    actions: { target: string; update: { 'x-twin': object } }[];
  };
  const hints = Object.fromEntries(actions.map(({ target, update }) => [target, update['x-twin']]));
  const compared = await run(fidelity, [...files.slice(-1), '--overlay', at('out.yaml')]);
  return { hints, learned, compared };
}

it('learns entity tags, what stands beside items, precise times, and who may do what', async () => {
  const recordings = [1, 2, 3, 4].map((run) =>
    toRecording(
      callsOf(run).map((one) => ({ ...one, made: madeOf(one, run) })),
      run,
    ),
  );
  const { hints, compared } = await learnFrom(document, recordings);
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
  expect(compared.out).toMatch(/^fidelity 100 %/);
}, 180_000);

const jar = { type: 'object', properties: { id: text, name: text, state: text } };

/** Jars whose creation answers only where they are. */
const jars = toDocument({
  '/jars': {
    get: { responses: { 200: jsonOf({ type: 'array', items: jar }) } },
    post: { requestBody: jsonOf(jar), responses: { 201: { description: 'Made.' } } },
  },
  '/jars/{id}': {
    parameters: [pathParameter('id', text)],
    get: { responses: { 200: jsonOf(jar) } },
  },
});

function toJars(run: number): string {
  const all = [1, 2].map((one) => ({ id: `jar_${run}${one}c4e2f70b9d`, name: `jar ${run}${one}` }));
  const calls = all.flatMap(({ id, name }): Call[] => [
    { line: 'POST /jars', status: 201, body: { name }, made: { Location: `${origin}/jars/${id}` } },
    { line: `GET /jars/${id}`, status: 200, json: { id, name, state: 'new' } },
  ]);
  return toRecording(calls, run);
}

it('knows new items by their addresses alone, and a recording that it has already', async () => {
  const [first, second, last] = [1, 2, 3].map(toJars);
  const recordings = [first, second, second, last].map((one) => one ?? '');
  const { hints, learned, compared } = await learnFrom(jars, recordings);
  expect(learned.err).toMatch(/3\.har has the calls of .*2\.har and is left out\./);
  expect(hints["$.paths['/jars'].post"]).toEqual({
    newId: 'jar_000000000000',
    values: { state: 'new' },
    headers: { location: '{server.base}/jars/{id}' },
  });
  expect(compared.out).toMatch(/^fidelity 100 %/);
}, 90_000);
