import { once } from 'node:events';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Script } from 'node:vm';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type Consumer, createConsumer, type Run } from '../support/consumer.ts';
import { itInAll as it } from '../support/sample.ts';
import { projectFile, startTwin } from '../support/twin.ts';
import { testContents } from './test-contents.ts';
import { testExamples } from './test-examples.ts';
import { importsTest, testImports } from './test-imports.ts';
import { testInBrowser } from './test-in-browser.ts';
import { testTypes } from './test-types.ts';
import { useVitest } from './use-vitest.ts';

let consumer: Consumer;

beforeAll(async () => {
  consumer = await createConsumer();
}, 240_000);

afterAll(() => consumer?.remove());

const bin = 'node_modules/.bin/petstore-twin';
const home = 'node_modules/petstore-twin';

const helpTexts = new Map<string, Promise<Run>>();

/** Returns what `--help` gives, of a command or of all; each is asked once. */
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
  // Express brings most of the packages; XML and fast-check 2 MB each, RE2 1 MB.
  expect(consumer.installed.length).toBeLessThanOrEqual(88);
  // The bytes of the files, as npm counts them: what they take on a disk depends on its blocks.
  const { out } = await consumer.run('du', ['-s', '--apparent-size', '-B1', 'node_modules']);
  expect(Number.parseInt(out, 10)).toBeLessThanOrEqual(14_500_000);
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
    err: 'petstore-twin: Name a command first: init, mock, verify, proxy, judge, calibrate, mcp, explain, docs, types, data, learn, fidelity, dredd. See --help.\n',
  });
  expect(await consumer.run(bin, ['serve'])).toEqual({
    code: 2,
    out: '',
    err: 'petstore-twin: "serve" is not a command: init, mock, verify, proxy, judge, calibrate, mcp, explain, docs, types, data, learn, fidelity, dredd. See --help.\n',
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
testExamples(() => consumer, testsOf);
testTypes(() => consumer);

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
