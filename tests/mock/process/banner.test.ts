import { execFile } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../mock/log.ts';
import { toBanner } from '../../../mock/process/banner.ts';
import { parseConfig } from '../../../mock/settings/config.ts';
import { openTwin } from '../../../mock/twin.ts';
import { documentOf } from '../../support/document-of.ts';
import { projectFile } from '../../support/twin.ts';
import { writeJson, writeText } from '../../support/write-json.ts';

const run = promisify(execFile);

/**
 * Returns what a twin with these flags prints when it listens, which it does until the test ends.
 */
async function bannerOf(flags: readonly string[]): Promise<string> {
  const { config } = parseConfig(['--port', '0', ...flags], {});
  if (!config) throw new Error('parseConfig gave no configuration');
  const twin = await openTwin(config, { log: createLog('error', () => {}) });
  onTestFinished(() => twin.close());
  return stripVTControlCharacters(`${await toBanner(twin, config)}\n`);
}

/** The curl lines of a banner. */
function curlLines(banner: string): string[] {
  return [...banner.matchAll(/curl .*/g)].map(([line]) => line);
}

/** The status that a printed line gets when it is pasted into a shell. */
async function statusOf(line: string, env: Record<string, string> = {}): Promise<string> {
  const { PATH = '' } = process.env;
  const script = `${line} --silent --output /dev/null --write-out '%{http_code}'`;
  return (await run('bash', ['-c', script], { env: { PATH, ...env } })).stdout;
}

/** The statuses that the curl lines of a banner get. */
function curlStatusesOf(banner: string): Promise<string[]> {
  return Promise.all(curlLines(banner).map((line) => statusOf(line)));
}

it('prints a curl line for each operation that works as it stands', async () => {
  const banner = await bannerOf([]);
  expect(await curlStatusesOf(banner)).toEqual(['200', '201', '200', '200']);
});

it('names the store if it is not memory, without user and password', async () => {
  const { config } = parseConfig(['--port', '0'], {});
  if (!config) throw new Error('parseConfig gave no configuration');
  const twin = await openTwin(config, { log: createLog('error', () => {}) });
  onTestFinished(() => twin.close());
  const bannerWith = async (store: string) =>
    stripVTControlCharacters(await toBanner(twin, { ...config, store }));
  expect(await bannerWith('memory')).not.toContain('Store  ');
  const banner = await bannerWith('redis://me:s3cret@cache.test:6379/0');
  expect(banner).toContain('  Store  redis://[Filtered]@cache.test:6379/0\n');
  expect(banner).not.toContain('s3cret');
});

it('says what is forwarded, and where, without user and password', async () => {
  const flags = ['--forward', 'http://127.0.0.1:9/v1', '--forward-operations', 'listPets,getPet'];
  expect(await bannerOf(flags)).toContain('  Passed listPets, getPet to http://127.0.0.1:9/v1\n');
});

it.each([
  [
    ['--stateless', '--auth', 'check'],
    'nothing is stored; unknown ids get an example; paths work without the base path, too',
  ],
  [['--auth', 'any', '--unknown-ids', 'example'], 'any caller is accepted; unknown ids get an'],
])('says what is not checked with %j', async (flags, mode) => {
  expect(await bannerOf(flags)).toContain(`  Mode   ${mode}`);
});

it('says which operations a behaviour of the own file answers', async () => {
  const file = await writeText('export default { getPet: () => ({ status: 200 }) };', 'own.mjs');
  const banner = await bannerOf(['--behaviours', file]);
  const marked = banner.split('\n').filter((line) => line.endsWith('  # a behaviour answers'));
  expect(marked).toEqual([expect.stringMatching(/^ +getPet +curl /)]);
});

it('prints curl lines that work for another document', async () => {
  const banner = await bannerOf(['--spec', projectFile('tests/support/shelters.yaml')]);
  expect(await curlStatusesOf(banner)).toEqual(['200', '201', '200', '204', '200', '200']);
});

it.each([
  ['off', 'off: nothing is counted or refused; headers show unused windows'],
  ['observe', 'observe: counted in the headers, nothing is refused'],
])('says what the limits do in the mode %s', async (mode, said) => {
  const banner = await bannerOf(['--rate-limits', mode]);
  expect(banner).toContain(`\n  Limits ${said}\n`);
});

it('says what data there is of each collection of another document', async () => {
  const spec = projectFile('tests/support/namesakes.yaml');
  const banner = await bannerOf(['--spec', spec, '--pets', '3']);
  expect(banner).toMatch(
    /\n {2}Data {3}seed 1, 3 each of pets, keys\n {2}State {2}in \d of \d operations; see npm run explain -- \S+namesakes.yaml\n {9}fixed responses: getMotto \(example from the document\)\n/,
  );
});

it('shows how to explain a document with its overlays', async () => {
  const actions = [{ target: '$.info', update: { title: 'Corrected' } }];
  const info = { title: 'Corrections', version: '1' };
  const file = await writeJson({ overlay: '1.0.0', info, actions });
  const spec = projectFile('tests/support/namesakes.yaml');
  const banner = await bannerOf(['--spec', spec, '--overlay', file]);
  expect(banner).toContain(`; see npm run explain -- ${spec} --overlay ${file}\n`);
});

it('names no keys and no data where a document asks for none and has none', async () => {
  const spec = await writeText(
    '{ "openapi": "3.1.0", "paths": { "/ping": { "get": { "responses": { "204": {} } } } } }',
  );
  const banner = await bannerOf(['--spec', spec]);
  expect(banner).toMatch(
    /\n {2}Keys {3}none needed: no operation requires credentials\n {2}Limits none: the document states none; --plans sets them\n/,
  );
  expect(banner).toMatch(
    /\n {2}Data {3}none: the document has no collection that the mock can store\n {2}State {2}in 0 of 1 operations; .*\n {9}fixed responses: GET \/ping \(no content\)\n/,
  );
  expect(banner).not.toContain('demo-free');
});

it('names single objects as what there is, where a document has no collections', async () => {
  const spec = await writeJson(documentOf('GET /me -> { name }\nPUT /me { name } -> { name }'));
  expect(await bannerOf(['--spec', spec])).toMatch(
    /\n {2}Data {3}the singleton \/me\n {2}State {2}in 2 of 2 operations; /,
  );
});

it('keeps keys of a file out of what it prints', async () => {
  const team = { key: 's3cret-2', plan: 'free', name: 'team' };
  const keys = await writeJson({ keys: [{ key: 's3cret', plan: 'pro' }, team] });
  const banner = await bannerOf(['--keys', keys]);
  expect(banner).not.toContain('s3cret');
  expect(banner).toMatch(/\n {2}Keys {3}key-1 +pro: .*\n +team +free: /);
  const statuses = curlLines(banner).map((line) => statusOf(line, { KEY: 's3cret' }));
  expect(await Promise.all(statuses)).toEqual(['200', '201', '200', '200']);
});

it('says how many items of which file there are', async () => {
  const banner = await bannerOf(['--data', projectFile('examples/data.yaml')]);
  expect(banner).toMatch(/ Data +3 pets, 2 store\/orders of \S+\/examples\/data\.yaml\n/);
  expect(await curlStatusesOf(banner)).toEqual(['200', '201', '200', '200']);
  const none = await bannerOf(['--data', await writeJson({ pets: [] })]);
  expect(none).toMatch(
    / Data +0 pets of \S+; fixed responses: listOrders \(example from the document\)\n/,
  );
});

/** The addresses of the pages that a banner names. */
function pagesOf(banner: string): string[] {
  const [, pages = ''] = /\n {2}Pages (.*\n(?: {9}\S.*\n)?)/.exec(banner) ?? [];
  return pages.match(/http:\S+/g) ?? [];
}

it('names the pages, all of which exist', async () => {
  const pages = pagesOf(await bannerOf([]));
  expect(pages).toHaveLength(3);
  for (const page of pages) {
    const response = await fetch(page, { headers: { Accept: 'text/html' } });
    expect([page, response.status]).toEqual([page, 200]);
    expect(await response.text()).toMatch(/<html/);
  }
  const open = pagesOf(await bannerOf(['--host', '0.0.0.0']));
  expect(open.map((page) => new URL(page).pathname)).toEqual(['/', '/__docs']);
  const root = await writeJson(documentOf('getRoot: GET / -> 200'));
  const other = pagesOf(await bannerOf(['--spec', root]));
  expect(other.map((page) => new URL(page).pathname)).toEqual(['/__docs', '/__admin/console']);
});
