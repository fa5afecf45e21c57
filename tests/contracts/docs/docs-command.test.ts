import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../../contracts/docs/command.ts';
import { capture } from '../../support/capture.ts';
import { projectFile } from '../../support/twin.ts';
import { temporaryFolder } from '../../support/verify-command.ts';

const run = (...args: string[]) =>
  capture(() => runCommand(args, { env: {}, command: 'npm run docs --' }));

const shelters = projectFile('tests/support/shelters.yaml');

it('writes a site whose links all lead to its own files', async () => {
  const folder = join(temporaryFolder(), 'new', 'site');
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
  const folder = temporaryFolder();
  await run('--out', folder);
  writeFileSync(join(folder, 'CNAME'), 'docs.example.com');
  expect((await run('--out', folder, '--spec', shelters)).code).toBe(0);
  expect(existsSync(join(folder, 'operations/listPets.html'))).toBe(false);
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('shelters');
  expect(readFileSync(join(folder, 'CNAME'), 'utf8')).toBe('docs.example.com');
});

it('overwrites no file that is not its own', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'index.html'), 'mine');
  expect(await run('--out', folder)).toEqual({
    code: 2,
    out: '',
    err: `petstore-twin docs: ${join(folder, 'index.html')} exists and is not from this command, so it is not overwritten. Move it, or name another --out.\n`,
  });
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('mine');
});

it('writes and removes nothing outside of the folder, whatever its list of files says', async () => {
  const folder = temporaryFolder();
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'x.html'), 'mine');
  await run('--out', folder);
  const list = { files: ['../x.html', `${outside}/x.html`, 'operations/../../x.html'] };
  writeFileSync(join(folder, '.petstore-twin-docs.json'), JSON.stringify(list));
  expect((await run('--out', folder)).err).toContain('is not from this command');
  expect(readFileSync(join(outside, 'x.html'), 'utf8')).toBe('mine');
});

it('follows no link below the folder', async () => {
  const folder = temporaryFolder();
  const outside = temporaryFolder();
  symlinkSync(outside, join(folder, 'operations'));
  expect((await run('--out', folder)).err).toBe(
    `petstore-twin docs: ${join(folder, 'operations')} is in the way: it is no folder. Move it, or name another --out.\n`,
  );
  expect(existsSync(join(outside, 'listPets.html'))).toBe(false);
});

it.each([
  ['a page', 'index.html', 'file'],
  ['a file of an earlier run', 'schemas/Old.html', 'file'],
  ['a page, to nowhere', 'index.html', 'none'],
  ['the list of files', '.petstore-twin-docs.json', 'list.json'],
  ['a page, to a folder', 'index.html', 'folder'],
])('follows no link in the place of %s', async (_, path, target) => {
  const folder = temporaryFolder();
  const outside = temporaryFolder();
  const list = JSON.stringify({ files: ['index.html', 'schemas/Old.html'] });
  for (const name of ['file', 'list.json']) writeFileSync(join(outside, name), list);
  mkdirSync(join(outside, 'folder'));
  mkdirSync(join(folder, 'schemas'));
  writeFileSync(join(folder, '.petstore-twin-docs.json'), list);
  rmSync(join(folder, path), { force: true });
  symlinkSync(join(outside, target), join(folder, path));
  expect(await run('--out', folder, '--spec', shelters)).toEqual({
    code: 2,
    out: '',
    err: `petstore-twin docs: ${join(folder, path)} is in the way: it is no regular file. Move it, or name another --out.\n`,
  });
  for (const name of ['file', 'list.json'])
    expect(readFileSync(join(outside, name), 'utf8')).toBe(list);
  expect(existsSync(join(outside, 'none'))).toBe(false);
  expect(existsSync(join(folder, 'assets'))).toBe(false);
});

it('removes nothing through a link to a folder', async () => {
  const folder = temporaryFolder();
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'Old.html'), 'mine');
  symlinkSync(outside, join(folder, 'schemas'));
  const spec = join(outside, 'api.yaml');
  writeFileSync(
    spec,
    'openapi: 3.1.0\ninfo: { title: None, version: "1" }\npaths: { /a: { get: { responses: { 200: { description: A. } } } } }\n',
  );
  const list = JSON.stringify({ files: ['schemas/Old.html'] });
  writeFileSync(join(folder, '.petstore-twin-docs.json'), list);
  expect(await run('--out', folder, '--spec', spec)).toEqual({
    code: 2,
    out: '',
    err: `petstore-twin docs: ${join(folder, 'schemas')} is in the way: it is no folder. Move it, or name another --out.\n`,
  });
  expect(readFileSync(join(outside, 'Old.html'), 'utf8')).toBe('mine');
});

it('leaves out the document where it contains itself', async () => {
  const folder = temporaryFolder();
  const spec = join(folder, 'api.yaml');
  writeFileSync(spec, `${readFileSync(shelters, 'utf8')}\nx-own: &a { own: *a }\n`);
  const site = join(folder, 'site');
  expect((await run('--out', site, '--spec', spec)).code).toBe(0);
  expect(existsSync(join(site, 'openapi.yaml'))).toBe(false);
  expect(readFileSync(join(site, 'index.html'), 'utf8')).toContain('cannot be written out');
});

it('leaves a file alone that has a second name in the folder', async () => {
  const folder = temporaryFolder();
  const outside = temporaryFolder();
  const names = ['index.html', '.petstore-twin-docs.json'];
  const list = JSON.stringify({ files: ['index.html'] });
  for (const name of names) {
    writeFileSync(join(outside, name), list);
    linkSync(join(outside, name), join(folder, name));
  }
  expect((await run('--out', folder, '--spec', shelters)).code).toBe(0);
  for (const name of names) expect(readFileSync(join(outside, name), 'utf8')).toBe(list);
});

it('says what is wrong with a folder that it cannot write to', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const places = [
    [file, 'it is a file, and a folder is needed (EEXIST)'],
    [join(file, 'site'), 'a part of its path is a file, and no folder (ENOTDIR)'],
    ['/dev/null/site', 'a part of its path is a file, and no folder (ENOTDIR)'],
  ] as const;
  for (const [out, reason] of places)
    expect(await run('--out', out)).toEqual({
      code: 2,
      out: '',
      err: `petstore-twin docs: ${out} cannot be written: ${reason}. Name another folder with --out.\n`,
    });
});

it.skipIf(process.platform !== 'linux')('says so where no folder can be made', async () => {
  for (const out of ['/proc/x', '/proc/x/site', '/proc/self/x']) {
    const { code, err } = await run('--out', out);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^[^\n]+no folder can be made there \(ENOENT\)[^\n]+\n$/),
    ]);
  }
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
  const spec = join(temporaryFolder(), 'shelters.yaml');
  writeFileSync(spec, text.replace('paths:\n', 'paths:\n  broken: {}\n'));
  const warning = '#/paths/broken: a path must start with a slash; it is left out.';
  const out = join(temporaryFolder(), 'site');
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
