import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Script } from 'node:vm';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { findBrowser } from '../support/browser.ts';
import { addPeer, type Consumer, createConsumer, type Run } from '../support/consumer.ts';
import { itInAll as it } from '../support/sample.ts';
import { projectFile, startTwin } from '../support/twin.ts';
import { testContents } from './test-contents.ts';
import { importsTest, testImports } from './test-imports.ts';
import { testInBrowser } from './test-in-browser.ts';
import { useVitest } from './use-vitest.ts';

let consumer: Consumer;

beforeAll(async () => {
  consumer = await createConsumer();
}, 240_000);

afterAll(() => consumer?.remove());

const bin = 'node_modules/.bin/petstore-twin';
const home = 'node_modules/petstore-twin';

const helpTexts = new Map<string, Promise<Run>>();

/** What `--help` gives, of a command or of all; each is asked once. */
function helpOf(...command: string[]): Promise<Run> {
  const name = command.join();
  const help = helpTexts.get(name) ?? consumer.run(bin, [...command, '--help']);
  helpTexts.set(name, help);
  return help;
}

/** Runs the text of a module there. */
function runModule(text: string) {
  return consumer.run('node', ['--input-type=module', '--eval', text]);
}

function copyExample(name: string): string {
  const path = `examples/${name}`;
  mkdirSync(dirname(join(consumer.folder, path)), { recursive: true });
  copyFileSync(join(consumer.folder, home, path), join(consumer.folder, path));
  return path;
}

it('brings its dependencies and nothing that only development needs', () => {
  const names = consumer.installed.map((path) => path.split('node_modules/').at(-1));
  for (const name of Object.keys(packageJson.dependencies)) expect(names).toContain(name);
  // Some dependencies bring types of their own.
  const development = Object.keys(packageJson.devDependencies).filter(
    (name) => !name.startsWith('@types/'),
  );
  for (const name of development) expect(names).not.toContain(name);
});

it('brings few packages, little to download and nothing that runs when it is installed', async () => {
  // Express brings most of the packages; XML 2 MB, and RE2 1 MB.
  expect(consumer.installed.length).toBeLessThanOrEqual(86);
  // The bytes of the files, as npm counts them: what they take on a disk depends on its blocks.
  const { out } = await consumer.run('du', ['-s', '--apparent-size', '-B1', 'node_modules']);
  expect(Number.parseInt(out, 10)).toBeLessThanOrEqual(12_000_000);
  const scripts = consumer.installed.flatMap((path) => {
    const { scripts = {} } = JSON.parse(
      readFileSync(join(consumer.folder, path, 'package.json'), 'utf8'),
    );
    return ['preinstall', 'install', 'postinstall']
      .filter((name) => name in scripts)
      .map((name) => `${path} ${name}`);
  });
  expect(scripts).toEqual([]);
});

it('lists in its bill of materials what is installed and what its code contains', async () => {
  const { code, out, err } = await consumer.run('node', [
    projectFile('tools/make-sbom.ts'),
    consumer.folder,
  ]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  type Component = { name: string; version: string; components?: Component[] };
  const bom = JSON.parse(out) as {
    bomFormat: string;
    metadata: { component: Component };
    components: Component[];
  };
  expect(bom.bomFormat).toBe('CycloneDX');
  const toLine = ({ name, version }: Component) => `${name} ${version}`;
  const installed = consumer.installed.map((path) =>
    toLine(JSON.parse(readFileSync(join(consumer.folder, path, 'package.json'), 'utf8'))),
  );
  const listed = new Set([bom.metadata.component, ...bom.components].map(toLine));
  expect([...listed].toSorted()).toEqual([...new Set(installed)].toSorted());
  const own = bom.metadata.component;
  expect(own.name).toBe(packageJson.name);
  const notice = readFileSync(join(consumer.folder, home, 'dist/THIRD-PARTY.md'), 'utf8');
  const contained = [...notice.matchAll(/^## (\S+ \S+) \(/gm)].map(([, line]) => line);
  expect(contained.length).toBeGreaterThan(5);
  expect(own.components?.map(toLine)).toEqual(contained);
});

testContents(() => consumer);

it('holds the state of a twin in a file that the next one goes on with', async () => {
  const { code, out, err } = await runModule(`
    import { createTwin } from 'petstore-twin';
    const run = async (act) => {
      const twin = await createTwin({ store: 'sqlite:twin.db' });
      await act(twin.data);
      await twin.close();
    };
    await run((data) => data.create('pets', { name: 'Rex', categoryId: 9007199254740993n }));
    await run(async (data) => console.log((await data.get('pets', 121)).categoryId));
  `);
  expect([code, out.trim(), err]).toEqual([0, '9007199254740993n', '']);
});

/** The files that a text names by their paths in the project, and those that its links lead to. */
function namedFiles(text: string, folder = ''): string[] {
  const linked = [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, path = '']) =>
    posix.join(folder, path),
  );
  const tops = 'common|contracts|docs|examples|fixtures|mock|openapi|package|reference|tests|tools';
  const named = [...text.matchAll(new RegExp(`(?<![\\w./-])(?:${tops})/[\\w./-]*\\w`, 'g'))];
  return [...linked, ...named.map(([path]) => path), ...(text.match(/\b[A-Z]+\.md\b/g) ?? [])];
}

it('holds each file that its README, the links of its docs and its help name', async () => {
  const root = join(consumer.folder, home);
  const help = await Promise.all([
    helpOf(),
    ...['mock', 'verify', 'proxy', 'dredd'].map((name) => helpOf(name)),
  ]);
  const named = [
    ...namedFiles(readFileSync(join(root, 'README.md'), 'utf8')),
    ...help.flatMap(({ out }) => namedFiles(out)),
  ];
  for (const file of [
    'docs/limits.md',
    'docs/control.md',
    'ARCHITECTURE.md',
    'contracts/openapi.yaml',
  ])
    expect(named).toContain(file);
  const linked = globSync('{docs,examples}/*.md', { cwd: root }).flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(
      ([, path = '']) => posix.join(dirname(page), path),
    ),
  );
  expect(linked).toContain('contracts/report/report.schema.json');
  // Pictures would be a large part of the package; they are in the project.
  const expected = [...named, ...linked].filter((path) => !path.startsWith('docs/images/'));
  expect(expected.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('serves the mock until it is stopped', async () => {
  const child = consumer.start(bin, ['mock', '--port', '0', '--disable-banner']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  const response = await fetch(`${String(line).trim()}/pets?limit=1`, {
    headers: { Authorization: 'Bearer demo-free' },
  });
  expect(await response.json()).toEqual([
    { id: 1, name: 'Rex', categoryId: 1, status: 'available' },
  ]);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('answers what has no kind without prism-http, as the document says', async () => {
  const spec = join(consumer.folder, 'report.yaml');
  writeFileSync(
    spec,
    `openapi: 3.1.0
info: { title: Report, version: '1' }
paths:
  /example: { get: { responses: { '200': { description: Fine., content: { application/json: { schema: {}, example: [1] } } } } } }
  /made:
    get:
      responses:
        '200':
          description: Fine.
          content:
            application/json:
              schema:
                type: object
                properties: { year: { type: integer, default: 2024 }, state: { enum: [open] }, code: { type: string, pattern: '^[0-9]{5}$' } }
`,
  );
  const child = consumer.start(bin, ['mock', '--port', '0', '--disable-banner', '--spec', spec]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  const get = async (path: string) => (await fetch(String(line).trim() + path)).json();
  expect(await get('/example')).toEqual([1]);
  const made = await get('/made');
  expect(made).toEqual({ year: 2024, state: 'open', code: expect.stringMatching(/^[0-9]{5}$/) });
  expect(await get('/made')).toEqual(made);
});

const kinds = ['json', 'junit', 'html', 'markdown'];
let verified: Promise<Run> | undefined;

/** Verifies a twin of the command, once, without what is optional. */
function verifyOwnTwin(): Promise<Run> {
  const reports = kinds.flatMap((kind) => [`--${kind}`, `report.${kind}`]);
  verified ??= consumer.run(bin, ['verify', '--strict', ...reports]);
  return verified;
}

it('verifies a twin of its own, and writes each report', async () => {
  const { code, out, err } = await verifyOwnTwin();
  expect(err).toMatch(/^Verifying twin at .+\nMade \d+ requests in .+\n$/);
  expect(out).toMatch(
    /^CLEAN {2}No drift: (\d+ of|all) \d+ clauses passed on the twin(; undecided: \d+)?\.\n/,
  );
  expect(code).toBe(0);
  for (const kind of kinds) {
    const report = readFileSync(join(consumer.folder, `report.${kind}`), 'utf8');
    expect(report.length).toBeGreaterThan(100);
  }
});

it('calls its commands by their names, and refuses what is none', async () => {
  const help = await helpOf();
  expect(help).toMatchObject({ code: 0, err: '' });
  for (const name of ['mock', 'verify', 'proxy', 'dredd']) {
    expect(help.out).toContain(`\n  ${name} `);
    const { code, out, err } = await helpOf(name);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Usage: petstore-twin ${name} `);
    expect(out).not.toContain('npm run');
  }
  for (const args of [['--version'], ['mock', '--version']])
    expect(await consumer.run(bin, args)).toEqual({
      code: 0,
      out: `${packageJson.version}\n`,
      err: '',
    });
  expect(await consumer.run(bin, [])).toEqual({
    code: 2,
    out: '',
    err: 'petstore-twin: Name a command first: mock, verify, proxy, judge, calibrate, explain, docs, types, data, dredd. See --help.\n',
  });
  expect(await consumer.run(bin, ['serve'])).toEqual({
    code: 2,
    out: '',
    err: 'petstore-twin: "serve" is not a command: mock, verify, proxy, judge, calibrate, explain, docs, types, data, dredd. See --help.\n',
  });
});

it('writes the reference as a static site', async () => {
  expect(await consumer.run(bin, ['docs', '--out', 'site'])).toMatchObject({ code: 0, err: '' });
  const page = readFileSync(join(consumer.folder, 'site/operations/listPets.html'), 'utf8');
  expect(page).toContain('<code>limit</code> animals');
  const script = readFileSync(join(consumer.folder, 'site/assets/reference.js'), 'utf8');
  expect(() => new Script(script)).not.toThrow();
});

it('says what to install where an optional package is missing', async () => {
  const { api } = await startTwin();
  expect(await consumer.run(bin, ['dredd', api, '--key', 'demo-free'])).toMatchObject({
    code: 2,
    out: '',
    err: 'petstore-twin dredd: Dredd is not installed. Add it: npm install --save-dev dredd\n',
  });
  const { code, err } = await runModule("import 'petstore-twin/vitest'");
  expect(code).toBe(1);
  expect(err).toContain("Cannot find package 'vitest'");
});

// From here on Vitest is installed beside the package.
const testsOf = useVitest(() => consumer, { 'imports.test.ts': importsTest });
testImports(() => consumer, testsOf);
testInBrowser(() => consumer);

it('runs the test of its README', async () => {
  expect(await testsOf('readme.test.ts')).toEqual([expect.objectContaining({ status: 'passed' })]);
});

it('gives the documents that others read', async () => {
  const { out, err } = await runModule(`
    import { readFileSync } from 'node:fs';
    for (const name of ['openapi.yaml', 'report.schema.json', 'package.json'])
      console.log(readFileSync(new URL(import.meta.resolve('petstore-twin/' + name)), 'utf8').length > 100);
  `);
  expect({ out, err }).toEqual({ out: 'true\ntrue\ntrue\n', err: '' });
});

it('runs its examples, typed', async () => {
  const { api } = await startTwin();
  const scripts = [copyExample('verify-release.ts'), copyExample('typed-client.ts')];
  const verified = await consumer.run('node', [scripts[0] as string], {
    STAGING_BASE_URL: api,
    STAGING_KEY: 'demo-business',
  });
  expect(verified).toEqual({ code: 0, out: `The verdict on ${api} is clean.\n`, err: '' });
  expect(await consumer.run('node', [scripts[0] as string], { STAGING_BASE_URL: '' })).toEqual({
    code: 2,
    out: '',
    err: 'Not verified: Set STAGING_BASE_URL and STAGING_KEY.\n',
  });
  const refused = await consumer.run('node', [scripts[0] as string], {
    STAGING_BASE_URL: api,
    STAGING_KEY: 'wrong',
  });
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toMatch(/^Not verified: .+\n$/);
  expect(refused.err).not.toContain('--');

  writeFileSync(
    join(consumer.folder, 'use-client.ts'),
    `import { listPets } from './examples/typed-client.ts';
     const [rex] = await listPets('${api}', { key: 'demo-free', query: { limit: 1, status: 'available' } });
     console.log(rex?.name);`,
  );
  expect(await consumer.run('node', ['use-client.ts'])).toEqual({ code: 0, out: 'Rex\n', err: '' });

  for (const example of ['vitest/keep-contract.test.ts', 'shop/shop.test.ts', 'msw/pets.test.ts']) {
    const tests = await testsOf(`examples/${example}`);
    expect(tests.map(({ status }) => status)).toEqual(tests.map(() => 'passed'));
  }
});

it('meets a 429 with its example of a patient client, and recovers', async () => {
  const { code, out, err } = await consumer.run('node', [copyExample('backoff.ts')]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const lines = out.trim().split('\n');
  expect(lines.filter((line) => line.startsWith('call'))).toEqual([
    'call 1: 200, 2 left',
    'call 2: 200, 1 left',
    'call 3: 200, 0 left',
    'call 4: 200, 2 left',
    'call 5: 200, 1 left',
  ]);
  expect(lines[3]).toMatch(/^429: waiting \d+ s$/);
});

it('gives its example of a patient client to who imports it, and starts nothing', async () => {
  copyExample('backoff.ts');
  writeFileSync(
    join(consumer.folder, 'use-backoff.ts'),
    "import { fetchPatiently } from './examples/backoff.ts';\nconsole.log(typeof fetchPatiently);",
  );
  expect(await consumer.run('node', ['use-backoff.ts'])).toEqual({
    code: 0,
    out: 'function\n',
    err: '',
  });
});

it('tests a page in a browser, and runs what the workflow runs', async () => {
  addPeer(consumer, 'playwright');
  for (const name of ['playwright/index.html', 'playwright/page.spec.ts']) copyExample(name);
  const launchOptions = {
    executablePath: findBrowser(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  };
  writeFileSync(
    join(consumer.folder, 'playwright.config.ts'),
    `export default { reporter: 'line', expect: { timeout: 30_000 }, workers: 2, fullyParallel: true, testMatch: '*.spec.ts', use: ${JSON.stringify({ launchOptions })} };`,
  );
  const commands = readFileSync(projectFile('examples/workflow.yml'), 'utf8')
    .matchAll(/^ *- run: (.+)$/gm)
    .map(([, command = '']) => command)
    .toArray();
  const isInstall = (command: string) =>
    command === 'npm ci' || command.startsWith('npx playwright install');
  expect(commands.filter((command) => !isInstall(command))).toHaveLength(2);
  const [tested, verified] = commands.filter((command) => !isInstall(command)) as [string, string];

  const page = await consumer.run(
    'sh',
    ['-c', tested.replace('npx playwright', 'node node_modules/playwright/cli.js')],
    { NO_COLOR: '1' },
  );
  expect(page.out + page.err).toMatch(/5 passed/);
  expect(page.code).toBe(0);

  const { api } = await startTwin();
  const contract = await consumer.run(
    'sh',
    ['-c', verified.replace('npx ', './node_modules/.bin/')],
    { STAGING_BASE_URL: api, FREE_KEY: 'demo-free', PRO_KEY: 'demo-pro' },
  );
  expect(contract.code, contract.out + contract.err).toBe(0);
  expect(readFileSync(join(consumer.folder, 'verify.xml'), 'utf8')).toContain('<testsuites');
});

it('starts a twin in an empty folder, in a few lines', async () => {
  const { code, out, err } = await runModule(`
    import { createTwin } from 'petstore-twin';
    await using twin = await createTwin({ pets: 1 });
    const answer = await fetch(twin.url + '/pets', { headers: { Authorization: 'Bearer ' + twin.key() } });
    console.log(answer.status, await answer.text());
  `);
  expect({ code, out, err }).toEqual({
    code: 0,
    out: '200 [{"id":1,"name":"Rex","categoryId":1,"status":"available"}]\n',
    err: '',
  });
});

/** The errors that a compiler finds in files of the consumer, one line each. */
async function typeErrors(compiler: string, options: object, files: string[]): Promise<string[]> {
  const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', ...options };
  writeConsumed('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  const args = [projectFile(compiler), '-p', '.', '--pretty', 'false'];
  const { out, err } = await consumer.run('node', args);
  expect(err).toBe('');
  return out.split('\n').filter((line) => /^\S/.test(line));
}

function writeConsumed(name: string, text: string): void {
  writeFileSync(join(consumer.folder, name), text);
}

const typescripts = {
  '7': 'node_modules/typescript/bin/tsc',
  '5': 'tools/openapi-types/node_modules/typescript/bin/tsc',
};

const useAll = ['petstore-twin', 'petstore-twin/verify', 'petstore-twin/types']
  .map((name, at) => `export * as one${at} from '${name}';\n`)
  .join('');
const ofEachKind = ['use.mts', 'use.cts'];

it.each([
  ['7', 'nodenext', []],
  ['7', 'bundler', []],
  ['5', 'nodenext', []],
  ['5', 'nodenext', ['node']],
  ['5', 'bundler', []],
  ['5', 'node10', []],
] as const)(
  'is typed whole with TypeScript %s, whose modules are those of %s, and the types %j',
  async (typescript, moduleResolution, types) => {
    for (const name of types) addPeer(consumer, `@types/${name}`);
    const uses = moduleResolution === 'nodenext' ? ofEachKind : ['use.ts'];
    for (const file of uses) writeConsumed(file, useAll);
    writeConsumed(
      'wrong.ts',
      `import { createTwin } from 'petstore-twin';
       import { verify } from 'petstore-twin/verify';
       createTwin({ seed: '7' });
       verify({ seed: '7' });`,
    );
    writeConsumed(
      'globals.d.ts',
      'declare const process: { env: Record<string, string>; exitCode: number };',
    );
    // The examples need no types of Node.
    const isPlain = moduleResolution === 'nodenext' && types.length === 0;
    const examples = ['verify-release.ts', 'typed-client.ts'].map(copyExample);
    const files = [...uses, ...(isPlain ? ['globals.d.ts', ...examples] : []), 'wrong.ts'];
    const lib = ['es2022', 'dom', 'dom.iterable'];
    const modules = moduleResolution === 'nodenext' ? {} : { module: 'esnext', moduleResolution };
    const options = { target: 'es2022', lib, types, skipLibCheck: false, ...modules };
    const wrong = /^wrong\.ts.*Type 'string' is not assignable to type 'number'/;
    expect(await typeErrors(typescripts[typescript], options, files)).toEqual([
      expect.stringMatching(wrong),
      expect.stringMatching(wrong),
    ]);
  },
);

it('types what is for Vitest and Playwright where they are installed', async () => {
  const examples = [
    ...['vitest/keep-contract.test.ts', 'shop/shop.test.ts', 'shop/behaviours.ts', 'backoff.ts'],
    'playwright/page.spec.ts',
  ].map(copyExample);
  for (const name of ['vitest', 'playwright', '@types/node']) addPeer(consumer, name);
  const compiler = 'node_modules/typescript/bin/tsc';
  const lib = ['es2023', 'esnext.disposable', 'dom'];
  const options = { target: 'es2023', lib, types: ['node'] };
  // The other imports are typed with the types of Node in the same program.
  for (const file of ofEachKind) writeConsumed(file, useAll);
  writeConsumed(
    'wrong.ts',
    "import { expect } from 'vitest';\nimport 'petstore-twin/vitest';\nawait expect(new Response()).toKeepContract(7);",
  );
  expect(await typeErrors(compiler, options, [...examples, ...ofEachKind, 'wrong.ts'])).toEqual([
    expect.stringContaining(
      "Argument of type '7' is not assignable to parameter of type 'OperationId'",
    ),
  ]);
});
