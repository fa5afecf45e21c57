import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../../contracts/docs/command.ts';
import { capture } from '../../support/capture.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { projectFile } from '../../support/twin.ts';

const run = (...args: string[]) =>
  capture(() => runCommand(args, { env: {}, command: 'npm run docs --' }));

const shelters = projectFile('tests/support/shelters.yaml');

it('writes a site whose links all lead to its own files', async () => {
  const folder = join(makeFolder(), 'new', 'site');
  expect(await run('--out', folder)).toEqual({
    code: 0,
    out: expect.stringMatching(
      /^Wrote the reference of Pet Store Service 1\.0\.0, \d+ files\. Open .+index\.html\.\n$/,
    ),
    err: '',
  });
  const { files } = JSON.parse(readFileSync(join(folder, '.petstore-twin-docs.json'), 'utf8'));
  const pages = (files as string[]).filter((file) => file.endsWith('.html'));
  expect(pages).toContain('operations/listPets.html');
  const dead = pages.flatMap((page) => {
    const text = readFileSync(join(folder, page), 'utf8');
    return [...text.matchAll(/ (?:href|src)="([^"]+)"/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const file = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(folder, file))) return true;
        const target = readFileSync(join(folder, file), 'utf8');
        return anchor !== undefined && !target.includes(` id="${anchor}"`);
      })
      .map((link) => `${page}: ${link}`);
  });
  expect(dead).toEqual([]);
});

it('replaces the files of the run before, and leaves all others alone', async () => {
  const folder = makeFolder();
  await run('--out', folder);
  writeFileSync(join(folder, 'CNAME'), 'docs.example.com');
  expect((await run('--out', folder, '--spec', shelters)).code).toBe(0);
  expect(existsSync(join(folder, 'operations/listPets.html'))).toBe(false);
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('shelters');
  expect(readFileSync(join(folder, 'CNAME'), 'utf8')).toBe('docs.example.com');
});

it('overwrites no file that is not its own', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'index.html'), 'mine');
  expect(await run('--out', folder)).toEqual({
    code: 2,
    out: '',
    err: `petstore-twin docs: ${join(folder, 'index.html')} exists and is not from this command, so it is not overwritten. Move it, or name another --out.\n`,
  });
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('mine');
});

it('writes and removes nothing outside of the folder, whatever its list of files says', async () => {
  const folder = makeFolder();
  const outside = makeFolder();
  writeFileSync(join(outside, 'x.html'), 'mine');
  await run('--out', folder);
  const list = { files: ['../x.html', `${outside}/x.html`, 'operations/../../x.html'] };
  writeFileSync(join(folder, '.petstore-twin-docs.json'), JSON.stringify(list));
  expect((await run('--out', folder)).err).toContain('is not from this command');
  expect(readFileSync(join(outside, 'x.html'), 'utf8')).toBe('mine');
});

it('says what is wrong with a folder that it cannot write to', async () => {
  const folder = makeFolder();
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const { code, err } = await run('--out', join(file, 'site'));
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(
      /site cannot be written \(ENOTDIR\)\. Name another folder with --out\.\n$/,
    ),
  ]);
});

it.each([
  [[], 'Name the folder to write to: --out DIR. See --help.'],
  [['--out', 'x', '--spec', 'none.yaml'], 'There is no document at none.yaml.'],
  [['--out'], '--out needs a value. See --help.'],
  [['--output', 'x'], "Unknown option '--output'. See --help."],
  [['--specs', 'x'], "Unknown option '--specs'. Did you mean --spec? See --help."],
])('refuses %j', async (args, message) => {
  onTestFinished(() => expect(existsSync('x')).toBe(false));
  const { code, err } = await run(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(`petstore-twin docs: ${message}`)]);
});

it('says what it leaves out of a document, and refuses it under --strict-spec', async () => {
  const text = readFileSync(shelters, 'utf8');
  const spec = join(makeFolder(), 'shelters.yaml');
  writeFileSync(spec, text.replace('paths:\n', 'paths:\n  "/broken{": {}\n'));
  const warning =
    '#/paths/~1broken{: each brace needs another one, and a name between them; it is left out.';
  const out = join(makeFolder(), 'site');
  const lenient = await run('--out', out, '--spec', spec);
  expect(lenient.code).toBe(0);
  expect(lenient.err).toBe(
    `petstore-twin docs: ${spec} has 1 part that cannot be used as written. --strict-spec refuses such a document. ${warning}\n`,
  );
  expect(await run('--out', out, '--spec', spec, '--strict-spec')).toEqual({
    code: 2,
    out: '',
    err: `petstore-twin docs: ${spec} cannot be used under --strict-spec: ${warning}\n`,
  });
});

it('shows its help', async () => {
  const { code, out } = await run('--help');
  expect(code).toBe(0);
  expect(out).toContain('Usage: npm run docs -- --out DIR [options]');
});
