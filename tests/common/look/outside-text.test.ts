import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { runCommand as calibrate } from '../../../contracts/calibrate/command.ts';
import { runCommand as data } from '../../../contracts/data/command.ts';
import { runCommand as docs } from '../../../contracts/docs/command.ts';
import { runCommand as dredd } from '../../../contracts/dredd/command.ts';
import { runCommand as judge } from '../../../contracts/judge/command.ts';
import { runCommand as explain } from '../../../mock/explain/command.ts';
import { runProxyCommand } from '../../contracts/proxy/run-command.ts';
import { capture } from '../../support/capture.ts';
import { listenOn } from '../../support/listen-on.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { serveMock } from '../../support/run-mock.ts';
import { runAlone, useVerify } from '../../support/verify-command.ts';
import { writeJson } from '../../support/write-json.ts';

vi.setConfig({ testTimeout: 60_000 });

/** A text that clears the screen, turns its direction, and writes annotations of a build. */
const bad = (text: string) =>
  `${text}\u001b[2J\u001b[31m\u009b2J\u202e\r\n::error::owned ::error::owned ##[error]owned ##vso[task.complete]owned ###teamcity[owned\r`;

const animal = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string', description: bad('name') },
    [bad('member')]: { type: 'string', enum: [bad('value'), 'b'] },
  },
};
const answer = (schema: object) => ({
  description: bad('answer'),
  content: { 'application/json': { schema } },
});
const silence = { source: bad('§'), question: bad('?'), twin: bad('twin'), 'x-assumed': bad('so') };
const document = {
  openapi: '3.1.0',
  info: { title: bad('Title'), version: bad('1'), description: bad('about') },
  servers: [{ url: `/${encodeURIComponent(bad('base'))}` }, { url: bad('https://x/') }],
  tags: [{ name: bad('tag'), description: bad('tag') }],
  'x-silences': [
    { id: bad('silence'), ...silence },
    { id: 'unknown-path', ...silence },
  ],
  'x-clauses': [{ id: 'unique-ids', text: bad('clause'), source: bad('§ 1') }],
  paths: {
    '/animals': {
      summary: bad('summary'),
      get: {
        operationId: bad('listAnimals'),
        summary: bad('summary'),
        parameters: [
          { name: bad('limit'), in: 'query', schema: { type: 'integer', default: 3 } },
          { name: bad('state'), in: 'query', schema: { type: 'string', enum: [bad('x')] } },
        ],
        responses: { 200: answer({ type: 'array', items: animal }), [bad('299')]: answer({}) },
      },
      post: {
        operationId: bad('addAnimal'),
        requestBody: { content: { 'application/json': { schema: animal } } },
        responses: { 201: answer(animal) },
      },
    },
    '/animals/{id}': {
      get: {
        operationId: bad('getAnimal'),
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: answer(animal), 404: answer({ type: 'object' }) },
      },
    },
    [`/${bad('other')}/{${bad('part')}}`]: {
      get: {
        operationId: bad('getOther'),
        parameters: [
          { name: bad('part'), in: 'path', required: true, schema: { pattern: bad('(') } },
        ],
        responses: { 200: answer({ type: 'object', required: [bad('needed')] }) },
      },
    },
  },
  components: { schemas: { [bad('Broken')]: { $ref: bad('#/components/schemas/None') } } },
};

type Printed = { out: string; err: string };

const verify = useVerify();

const env = { NO_COLOR: '1' };
const inProcess = (run: typeof docs) => (args: string[]) =>
  capture(() => run(args, { env, command: 'npm run it --' }));

/** Something to call that answers everything with the text. */
function openTarget(): Promise<string> {
  return listenOn(
    createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify([{ id: bad('1'), [bad('x')]: bad('y') }]));
    }),
  );
}

function expectHarmless({ out, err }: Printed): void {
  for (const text of [out, err]) {
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
    expect(text).not.toMatch(/^\s*::|##[\w[]/m);
  }
  expect(out + err).toContain('owned');
}

const folder = async () => join(makeFolder(), 'made');
const called = async () => ['--target', await openTarget(), '--no-mock', '--allow-writes'];

it.each<
  [string, (args: string[]) => Promise<Printed>, (file: string) => string[] | Promise<string[]>]
>([
  ['explain', inProcess(explain), (file) => [file]],
  ['docs', inProcess(docs), async (file) => ['--spec', file, '--out', await folder()]],
  [
    'mock --strict-spec',
    (args) => runAlone('mock/start.js', args, env),
    (file) => ['--spec', file, '--strict-spec'],
  ],
  ['verify', (args) => verify(args, env), (file) => ['--spec', file]],
  [
    'verify --target',
    (args) => verify(args, env),
    async (file) => ['--spec', file, '--max-requests', '90', ...(await called())],
  ],
  [
    'verify --list-clauses',
    (args) => verify(args, env),
    (file) => ['--spec', file, '--list-clauses'],
  ],
  [
    'calibrate',
    inProcess(calibrate),
    async (file) => ['--spec', file, '--target', await openTarget(), '--out', await folder()],
  ],
  [
    'judge',
    inProcess(judge),
    async (file) => [await recording(), '--spec', file, '--base-url', 'http://shop.test'],
  ],
  [
    'data',
    inProcess(data),
    async (file) => [
      ...[await recording(), '--spec', file, '--base-url', 'http://shop.test'],
      ...['--out', `${await folder()}${bad('')}.yaml`],
    ],
  ],
  ['dredd', inProcess(dredd), () => ['http://127.0.0.1:9', '--spec', bad('none')]],
])('%s prints nothing of others that acts', async (_, run, toArgs) => {
  expectHarmless(await run(await toArgs(await writeJson(document))));
});

/** A recording whose last entry cannot be read. */
function recording(): Promise<string> {
  const text = JSON.stringify([{ id: 1, name: bad('Rex') }, { id: bad('2') }]);
  const called = {
    startedDateTime: '2026-01-15T12:00:00Z',
    time: 5,
    request: { method: 'GET', url: 'http://shop.test/animals', headers: [] },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { text, mimeType: 'application/json' },
    },
  };
  const other = { ...called, request: { ...called.request, method: bad('GET') } };
  return writeJson({ log: { entries: [called, other, { request: bad('::') }] } });
}

it('verify --github writes annotations, and none of others', async () => {
  const { out, err } = await verify(
    [
      ...['--spec', await writeJson(document), '--max-requests', '90', '--github'],
      ...(await called()),
    ],
    env,
  );
  expect(out).toMatch(/^::error title=/m);
  const own = /^::(?:error|warning|notice) title=[^:]+::.*(?:\n|$)/gm;
  expectHarmless({ out: out.replaceAll(own, ''), err });
});

it('a proxy prints nothing of others that acts, when it starts, finds and ends', async () => {
  const run = runProxyCommand(
    ['--spec', await writeJson(document), '--target', await openTarget(), '--strict'],
    { NO_COLOR: '1' },
  );
  const origin = await run.origin();
  for (const path of ['animals', 'animals/1', 'none'])
    await (await fetch(`${origin}/${path}`)).text();
  await run.until(/expected/);
  await run.end();
  expectHarmless(run);
});

it('the mock prints nothing of others that acts, in its banner and its log', async () => {
  const spec = await writeJson(document);
  const keys = await writeJson({ keys: [{ key: 'k-of-mine', name: bad('name'), plan: 'free' }] });
  const { stdout, child } = await serveMock(
    ['--spec', spec, '--keys', keys, '--log-level', 'debug'],
    { env: { NO_COLOR: '1' } },
  );
  let log = '';
  child.stderr?.on('data', (text) => (log += text));
  await fetch(`${/http:\S+/.exec(stdout)?.[0]}/animals?x=${encodeURIComponent(bad('y'))}`);
  await vi.waitFor(() => expect(log).not.toBe(''));
  expectHarmless({ out: stdout, err: log });
});
