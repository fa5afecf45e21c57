import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { findDocument } from '../../../mock/init/find-document.ts';
import { type Runner, runners, toTestFile } from '../../../mock/init/test-file.ts';
import { parseConfig } from '../../../mock/settings/config.ts';
import { compile } from '../../../openapi/index.ts';
import { createTwin } from '../../../package/twin.ts';
import { schemaOf } from '../../support/document-of.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { projectFile } from '../../support/twin.ts';

type Printed = { code: number; out: string; err: string };

/** Runs the command in a folder. */
function init(cwd: string, ...args: string[]): Promise<Printed> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [projectFile('package/bin.ts'), 'init', ...args],
      { cwd, env: { PATH: process.env.PATH, NO_COLOR: '1' } },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

/** Makes a project of a document, with other files. */
async function makeProject(document: string, files: Record<string, string> = {}): Promise<string> {
  const folder = makeFolder();
  copyFileSync(projectFile(document), join(folder, 'openapi.yaml'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const bookshop = 'examples/bookshop.yaml';

/** A project of a document after the command, made once. */
const projectOf = memoize(async (document: string) => {
  const folder = await makeProject(document, { 'package-lock.json': '{}' });
  return { folder, ...(await init(folder)) };
});

function memoize<Value>(make: (document: string) => Value): (document: string) => Value {
  const made = new Map<string, Value>();
  return (document) => {
    if (!made.has(document)) made.set(document, make(document));
    return made.get(document) as Value;
  };
}

const files = ['twin.config.yaml', 'twin.overlay.yaml', 'tests/twin.test.ts'];
const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

const AsyncFunction = (async () => {}).constructor as new (
  ...code: string[]
) => (...given: unknown[]) => Promise<void>;

/** Runs a test file as its runner does, in the folder of its project; gives the titles. */
async function runTests(folder: string, name: string): Promise<string[]> {
  const text = read(folder, name)
    .replace(/^import .*$/gm, '')
    .replace('let twin: Twin', 'let twin')
    .replace(/'(\S+\.yaml)'/g, (_, file) => JSON.stringify(join(folder, file)));
  const hooks: Record<string, (() => Promise<void>)[]> = { before: [], each: [], after: [] };
  const tests: [title: string, act: () => Promise<void>][] = [];
  const add = (when: string) => (act: () => Promise<void>) => hooks[when]?.push(act);
  const given = {
    createTwin,
    expect,
    it: (...test: (typeof tests)[number]) => tests.push(test),
    ...{ beforeAll: add('before'), beforeEach: add('each'), afterAll: add('after') },
  };
  await new AsyncFunction(...Object.keys(given), text)(...Object.values(given));
  const runAll = async (when: string) => {
    for (const act of hooks[when] ?? []) await act();
  };
  await runAll('before');
  try {
    for (const [, act] of tests) {
      await runAll('each');
      await act();
    }
  } finally {
    await runAll('after');
  }
  return tests.map(([title]) => title);
}

it('writes files that the mock takes, and says what comes next', async () => {
  const { folder, code, out } = await projectOf(bookshop);
  expect(code).toBe(0);
  expect(out).toMatch(/^Book shop 1\.0: 6 operations, 4 with state\n/);
  expect(out.slice(out.indexOf('\nNext:'))).toBe(`
Next:
    npm install --save-dev petstore-twin vitest
    npx vitest run tests/twin.test.ts
    npx petstore-twin mock --config twin.config.yaml
`);
  const config = parseConfig(['--config', join(folder, 'twin.config.yaml')], {}).config;
  expect(config).toMatchObject({ spec: 'openapi.yaml', overlay: 'twin.overlay.yaml', port: 4010 });
  const overlay = join(folder, 'twin.overlay.yaml');
  const { resources } = await compile(join(folder, 'openapi.yaml'), { overlay });
  expect(resources.map(({ name }) => name)).toContain('receipts');
  for (const name of files.slice(0, 2))
    expect(read(folder, name)).toMatch(/^(?:(?:#.*| {2}#.*\n.*target.*\n.*update.*|\w.*|)\n)+$/);
});

it.each([
  [bookshop, ['listBooks answers with 200', 'getBook shows what addBook creates']],
  ['contracts/openapi.yaml', ['listPets answers with 200', 'getPet shows what createPet creates']],
  ['tests/support/shop.yaml', ['listOrders answers with 200', expect.any(String)]],
])('writes a test of %s that passes', async (document, titles) => {
  const { folder } = await projectOf(document);
  expect(await runTests(folder, 'tests/twin.test.ts')).toEqual(titles);
});

it('sends the key of the mock in place of its text', async () => {
  const { folder } = await projectOf('contracts/openapi.yaml');
  const test = read(folder, 'tests/twin.test.ts');
  expect(test).toContain('Authorization: `Bearer ${' + 'twin.key()}`');
  expect(test).not.toContain('demo-');
});

it('runs nothing that a document holds', async () => {
  const code = '`+globalThis.ran()+`$' + '{globalThis.ran()}';
  const schema = schemaOf('{ id!, name! }');
  const described = (of: object) => ({
    description: 'Done.',
    content: { 'application/json': { schema: of } },
  });
  const note = { in: 'header', name: 'X-Note', required: true, schema: { type: 'string' } };
  const id = { in: 'path', name: 'id', required: true, schema: { type: 'string' } };
  const path = `/pets${code.replaceAll(/[{}]/g, '')}`;
  const document = {
    openapi: '3.0.3',
    info: { title: code, version: '1' },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    security: [{ key: [] }],
    paths: {
      [path]: {
        get: {
          operationId: code,
          parameters: [{ ...note, example: `demo-free${code}` }],
          responses: { 200: described({ type: 'array', items: schema }) },
        },
        post: {
          operationId: 'make',
          requestBody: described(schema),
          responses: { 201: described(schema) },
        },
      },
      [`${path}/{id}`]: {
        get: { operationId: 'read', parameters: [id], responses: { 200: described(schema) } },
      },
    },
  };
  const folder = await makeProject(bookshop, { 'openapi.yaml': JSON.stringify(document) });
  expect(await init(folder)).toMatchObject({ code: 0 });
  expect(await runTests(folder, 'tests/twin.test.ts')).toEqual([
    `${code} answers with 200`,
    'read shows what make creates',
  ]);
});

it('leaves what exists as it is, and uses it', async () => {
  const overlay = `overlay: 1.0.0
info: { title: Mine, version: 1 }
actions: [{ target: "$.paths['/books']", remove: true }]
`;
  const scripts = JSON.stringify({ scripts: { mock: 'mine' }, devDependencies: { vitest: '5' } });
  const own = { 'twin.overlay.yaml': overlay, 'package.json': scripts, 'test/a.ts': '' };
  const folder = await makeProject(bookshop, own);
  const { out } = await init(folder);
  expect(out).toMatch(/left +twin\.overlay\.yaml/);
  expect(out).not.toContain('"mock":');
  expect(out).toContain('npm install --save-dev petstore-twin\n');
  for (const [name, text] of Object.entries(own)) expect(read(folder, name)).toBe(text);
  expect(read(folder, 'test/twin.test.ts')).not.toContain('listBooks');
  const before = read(folder, 'twin.config.yaml');
  writeFileSync(join(folder, 'test/twin.test.ts'), 'mine');
  expect((await init(folder)).out.match(/^ {2}left/gm)).toHaveLength(4);
  expect(read(folder, 'test/twin.test.ts') + read(folder, 'twin.config.yaml')).toBe(
    `mine${before}`,
  );
});

it.each(['null', '[]', '{"scripts":null,"dependencies":7}'])(
  'takes a package.json of %s for one without scripts and packages',
  async (text) => {
    const folder = await makeProject(bookshop, { 'package.json': text });
    const { code, out } = await init(folder, '--dry-run');
    expect(code).toBe(0);
    expect(out).toContain('"mock": "petstore-twin mock');
    expect(out).toContain('npm install --save-dev petstore-twin vitest');
  },
);

it.each(['a\n      - run: id #.yaml', 'a$' + '{{ secrets.KEY }}.yaml'])(
  'writes no workflow that runs the name %j',
  async (name) => {
    const folder = makeFolder();
    copyFileSync(projectFile(bookshop), join(folder, name));
    const { code, err } = await init(folder);
    expect(code).toBe(2);
    expect(err).toContain('cannot stand in a workflow. Give the document another name.\n');
    expect(readdirSync(folder)).toEqual([name]);
  },
);

it('prints with --dry-run what it would write', async () => {
  const folder = await makeProject(bookshop);
  const { out } = await init(folder, '--dry-run');
  expect(readdirSync(folder)).toEqual(['openapi.yaml']);
  for (const part of [...files, 'spec: openapi.yaml', 'would write', 'x-twin', 'createTwin'])
    expect(out).toContain(part);
});

it.each([
  ['jest', /^let twin;$/m, /^it\('reads', async \(\) => \{$/m],
  [
    'playwright',
    /^test\.use\(\{ twinSettings: \{ spec: 'a\.yaml' \} \}\);$/m,
    /^test\('reads', async \(\{ twin \}\) => \{$/m,
  ],
])('writes a test for %s', (name, head, test) => {
  const runner = runners.find(({ packages }) => packages.includes(name)) as Runner;
  const text = toTestFile(
    [{ title: 'reads', body: ['expect(1).toBe(1);'] }],
    { spec: 'a.yaml' },
    runner,
  );
  expect(text).toMatch(head);
  expect(text).toMatch(test);
});

it('finds the document, and asks for a name where there are none or several', async () => {
  const folder = makeFolder();
  await expect(findDocument(folder)).rejects.toThrow('There is no OpenAPI document in this folder');
  mkdirSync(join(folder, 'api'));
  copyFileSync(projectFile(bookshop), join(folder, 'api/shop.yaml'));
  writeFileSync(join(folder, 'package.json'), '{"keywords":["openapi"]}');
  expect(await findDocument(folder)).toBe(join('api', 'shop.yaml'));
  writeFileSync(join(folder, 'old.json'), '{"swagger":"2.0"}');
  await expect(findDocument(folder)).rejects.toThrow('several documents: old.json, api/shop.yaml.');
});

it('says what is wrong with an overlay that exists', async () => {
  const folder = await makeProject(bookshop, { 'twin.overlay.yaml': 'actions: [' });
  const { code, err } = await init(folder);
  expect(code).toBe(2);
  expect(err).toMatch(/^petstore-twin init: twin\.overlay\.yaml is neither YAML nor JSON: /);
  expect(readdirSync(folder)).toHaveLength(2);
});

it('writes a workflow that reads a deployment only, with keys where the document asks for them', async () => {
  for (const [document, hasKeys] of [
    [bookshop, false],
    ['contracts/openapi.yaml', true],
  ] as const) {
    const { folder } = await projectOf(document);
    const { jobs } = load(read(folder, '.github/workflows/twin.yml')) as {
      jobs: Record<string, { env?: object; steps: { if?: string; run?: string }[] }>;
    };
    expect(Object.hasOwn(jobs.verify?.env ?? {}, 'TARGET_KEYS')).toBe(hasKeys);
    const { if: condition, run } = jobs.verify?.steps.at(-1) ?? {};
    expect(condition).toBe("env.DEPLOYMENT_URL != ''");
    expect(run).toMatch(/^npx petstore-twin verify --spec openapi\.yaml .* --read-only --github$/);
    expect(jobs.test?.steps.flatMap((step) => step.run ?? [])).toEqual([
      'npm ci',
      'npx petstore-twin mock --config twin.config.yaml &',
      expect.stringContaining('/__admin/health'),
      'npx vitest run tests/twin.test.ts',
    ]);
  }
});
