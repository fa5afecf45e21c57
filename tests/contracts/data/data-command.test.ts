import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../../../contracts/data/command.ts';
import { capture } from '../../support/capture.ts';
import { documentOf } from '../../support/document-of.ts';
import { clusters } from '../../support/documents.ts';
import { bearer, startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';
import { toEntry, toFile, toHar } from '../har/samples.ts';

const base = ['--base-url', 'https://host/v1'];

const run = (args: readonly string[]) =>
  capture(() => runCommand(args, { env: {}, command: 'npm run data --' }));

type Call = { at?: number; method?: string; path?: string; host?: string; status?: number };

/** An entry whose response has this body. */
function answer(text: string, { at = 0, ...call }: Call = {}) {
  const { method = 'GET', path = '/pets', host = 'host', status = 200 } = call;
  return toEntry({
    startedDateTime: new Date(Date.UTC(2026, 10, 22) + at * 1000).toISOString(),
    request: { method, url: `https://${host}/v1${path}` },
    response: { status, content: { size: -1, mimeType: 'application/json', text } },
  });
}

/** Runs the command on a HAR of these entries, and gives what it wrote. */
async function collect(entries: readonly unknown[], more: readonly string[] = [], end = 'json') {
  const har = toFile(toHar(entries));
  const file = join(dirname(har), `data.${end}`);
  const ran = await run([har, ...base, '--out', file, ...more]);
  const text = ran.code === 0 ? readFileSync(file, 'utf8') : '';
  const prefix = dirname(har);
  const clean = (shown: string) => shown.replaceAll(`${prefix}/`, '');
  return { ...ran, out: clean(ran.out), err: clean(ran.err), text, file };
}

const large = '9007199254740993';

const recorded = [
  answer(
    `[{"id":${large},"name":"Rex","categoryId":1,"chip":"x"},{"id":2,"name":"Mia","categoryId":2}]`,
  ),
  answer(`{"id":7,"name":"Bo","categoryId":${large},"status":"sold"}`, {
    at: 1,
    method: 'POST',
    status: 201,
  }),
  answer('{"id":2,"name":"Mia","categoryId":2,"status":"pending"}', { at: 3, path: '/pets/2' }),
  answer('[{"id":2,"name":"Old","categoryId":9}]', { at: 2, path: '/pets?status=sold' }),
];

it.each(['yaml', 'json'])('makes items that the mock serves: %s', async (end) => {
  const { code, out, err, text, file } = await collect(recorded, [], end);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toBe(`Wrote data.${end}: 3 of pets. Start the mock with --data data.${end}.\n`);
  const lines = [
    `    {"id":${large},"name":"Rex","categoryId":1},`,
    '    {"id":2,"name":"Mia","categoryId":2,"status":"pending"},',
    `    {"id":7,"name":"Bo","categoryId":${large},"status":"sold"}`,
  ];
  expect(text).toBe(['{', '  "pets": [', ...lines, '  ]', '}', ''].join('\n'));
  const { api } = await startTwin({ data: file });
  const response = await fetch(`${api}/pets`, { headers: bearer('demo-free') });
  expect(await response.text()).toBe(`[${lines.map((line) => line.trim()).join('')}]`);
});

it('makes collections of lists that the document does not describe', async () => {
  const orders = '[{"id":"a-1","petId":7,"total":1.50}, {"petId":8}]';
  const { code, text, out } = await collect([answer(orders, { path: '/store/orders' })]);
  expect(code).toBe(0);
  expect(text).toContain('"store/orders": [\n    {"id":"a-1","petId":7,"total":1.5}\n');
  expect(out).toContain(
    'Left out 1 item not as the document says: GET /store/orders, it has no "id".',
  );
});

it.each(['', '/'])(
  'finds items in objects and below others, with paths that end in %j',
  async (end) => {
    const spec = await writeJson(
      documentOf(`
      GET /users${end} -> { data!: [User], total!: int }
      POST /users${end} User -> 201 { user!: User }
      GET /users/{id}${end} -> User
      GET /users/{user}/notes${end} -> [Note]
      POST /users/{user}/notes${end} Note -> 201 Note
      GET /users/{user}/notes/{id}${end} -> Note
      User: { id!: int, name! }
      Note: { id!: int, name! }
    `),
    );
    const entries = [
      answer('{"data":[{"id":1,"name":"Ada"},{"id":"x","name":"Bo"}],"total":2}', {
        path: `/users${end}`,
      }),
      answer('{"user":{"id":7,"name":"Cy"}}', {
        path: `/users${end}`,
        method: 'POST',
        status: 201,
      }),
      answer('[{"id":1,"name":"n"}]', { path: `/users/7/notes${end}` }),
    ];
    const { text: written, out, err, file } = await collect(entries, ['--spec', spec]);
    expect(err).toBe('');
    expect(written).toContain('"users": [\n    {"id":1,"name":"Ada"},\n    {"id":7,"name":"Cy"}\n');
    expect(written).toContain('"users/{user}/notes": [\n    {"{user}":"7","id":1,"name":"n"}\n');
    expect(out).toContain('Left out 1 item not as the document says: GET /users');
    const { api } = await startTwin({ spec, data: file });
    expect(await (await fetch(`${api}/users/7/notes${end}`)).json()).toEqual([
      { id: 1, name: 'n' },
    ]);
  },
);

it('finds items whose ids are in an object, and what they are below', async () => {
  const spec = await writeJson(clusters);
  const entries = [
    answer('{"items":[{"metadata":{"name":"a"}},{"kind":"Node"}]}', { path: '/nodes' }),
    answer('{"metadata":{"name":"red"}}', { path: '/namespaces/red' }),
    answer('{"metadata":{"name":"nightly"}}', { path: '/namespaces/red/jobs/nightly' }),
  ];
  const { text, out, file } = await collect(entries, ['--spec', spec]);
  expect(text).toContain('"nodes": [\n    {"metadata":{"name":"a"}}\n');
  expect(out).toContain('GET /nodes, it has no "metadata.name"');
  const { api } = await startTwin({ spec, data: file });
  expect(await (await fetch(`${api}/namespaces/red/jobs/nightly`)).json()).toEqual({
    metadata: { name: 'nightly', namespace: 'red' },
  });
});

it('leaves out what did not succeed, does not fit, or is of other addresses', async () => {
  const { out, text } = await collect([
    ...recorded,
    answer('{"code":"x","message":"y","status":404}', { path: '/pets/9', status: 404 }),
    answer('{"id":5,"name":"Zoe","categoryId":1,"status":"lost"}', { path: '/pets/5' }),
    answer('[{"id":6,"name":"Al","categoryId":1},{"id":7,"name":7}]'),
    answer('no JSON', { path: '/pets/6' }),
    answer('[{"id":8,"name":"Kit","categoryId":1}]', { host: 'elsewhere' }),
  ]);
  expect(text).not.toMatch(/Zoe|Kit|404/);
  expect(out).toContain('Left out 1 call outside https://host/v1, to https://elsewhere.\n');
  expect(out).toMatch(/Left out 2 items not as the document says: GET \/pets\/5, status .*lost/);
});

it('names broken entries by their number, and goes on', async () => {
  const broken = Array.from({ length: 12 }, () => ({ request: {} }));
  const { code, err } = await collect([...broken, ...recorded]);
  expect(code).toBe(0);
  const lines = err.trimEnd().split('\n');
  expect(lines).toHaveLength(11);
  expect(lines[0]).toBe('petstore-twin data: recording.har: entry 1 has no text "method".');
  expect(lines[10]).toBe('petstore-twin data: 2 more entries could not be read.');
});

it('says where the calls went if none is of the deployment', async () => {
  const { code, err } = await collect([answer('[]', { host: 'staging.host' })]);
  expect(code).toBe(2);
  expect(err).toBe(
    'petstore-twin data: No list, read or create of https://host/v1 succeeded with an item. Left out 1 call outside https://host/v1, to https://staging.host.\n',
  );
});

const har = toFile(toHar(recorded));

it.each([
  [[], 'Name a recording, such as calls.har. See --help.'],
  [[har, ...base], 'Name the file to write: --out FILE.'],
  [
    [har, '--out', '/tmp/x.yaml'],
    'Name the deployment of the recording: --base-url URL, such as https://host/v1.',
  ],
  [
    [har, ...base, '--out', '/none/x.yaml'],
    '--out /none/x.yaml cannot be written: there is no folder /none.',
  ],
  [
    ['x.json', ...base, '--out', './x.json'],
    '--out ./x.json is a file that is read, and would be lost. Name another one.',
  ],
  [['none.har', ...base, '--out', '/tmp/x.yaml'], 'none.har does not exist.'],
  [[har, '--nonsense'], "Unknown option '--nonsense'. See --help."],
])('refuses %j', async (args, message) => {
  expect(await run(args)).toEqual({ code: 2, out: '', err: `petstore-twin data: ${message}\n` });
});

it('the mock says what to do with a recording', async () => {
  const text = toFile(toHar(recorded), 'calls.json');
  const message =
    'is a recording (HAR), which holds no items as such. Make a file of items first: petstore-twin data';
  for (const data of [har, text])
    await expect(startTwin({ data })).rejects.toThrow(
      `--data ${data} ${message} ${data} --base-url URL`,
    );
});
