import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringifyExact } from '../../common/json.ts';
import { readBrowserCode } from '../../common/look/browser-code.ts';
import { parseText } from '../../common/parse-text.ts';
import { bundleForBrowsers } from './browsers.ts';
import { bundleForNode } from './code.ts';
import { bundleTypes } from './types.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const target = `${root}dist/`;

rmSync(target, { recursive: true, force: true });
await bundleTypes(root, target);
const { modules, licenses } = await bundleForBrowsers(root);
licenses.push(...(await bundleForNode(root, target)));
write('THIRD-PARTY.md', toNotice(licenses));

// What the code reads beside itself: most as one file, and as files what users are led to.
const own: Record<string, string> = { ...modules };
for (const path of globSync(
  ['{common,contracts,mock,reference}/**/*.{css,lua,svg}', 'mock/extras/admin/openapi.json'],
  { cwd: root },
))
  own[path] = read(path);
for (const path of globSync('{common/look,contracts/proxy,reference}/browser/*.ts', { cwd: root }))
  own[path.replace(/\.ts$/, '.js')] = readBrowserCode(new URL(`../../${path}`, import.meta.url));
write('own-files.json', JSON.stringify(own));
const files = ['keys', 'pets', 'plans'].map((name) => `fixtures/${name}.json`);
for (const path of files) write(path, read(path));
// JSON is YAML too, and is read in a tenth of the time.
write('contracts/openapi.yaml', stringifyExact(parseText(read('contracts/openapi.yaml'))));
const hooks = 'contracts/dredd/hooks.c';
write(`${hooks}js`, read(`${hooks}ts`));

function toNotice(all: readonly string[]): string {
  const intro =
    '# Packages in this one\n\nThe code of this package contains code of the following.\n';
  return `${intro}\n${[...new Set(all)].toSorted().join('\n')}`;
}

function read(path: string): string {
  return readFileSync(root + path, 'utf8');
}

function write(path: string, text: string): void {
  mkdirSync(dirname(target + path), { recursive: true });
  writeFileSync(target + path, text);
}
