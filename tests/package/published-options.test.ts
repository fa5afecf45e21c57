import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { makeFolder } from '../support/make-folder.ts';
import { projectFile } from '../support/twin.ts';
import { optionsOf } from './published-options.ts';

const folder = makeFolder();

/** Writes the declarations that the package is published with. */
beforeAll(() => {
  const project = ['-p', projectFile('tsconfig.build.json')];
  const output = ['--emitDeclarationOnly', '--outDir', folder];
  const { status } = spawnSync(process.execPath, [
    projectFile('node_modules/typescript/bin/tsc'),
    ...project,
    ...output,
  ]);
  expect(status).toBe(0);
}, 120_000);

it.each([
  ['twin', 'TwinSettings'],
  ['verify', 'VerifySettings'],
])(
  'documents every option of %s where an editor shows it',
  (entry, type) => {
    const options = optionsOf(join(folder, `package/${entry}.d.ts`), type);
    expect(options.length).toBeGreaterThan(10);
    expect(options.filter(({ documentation }) => documentation.length < 10)).toEqual([]);
    expect(options.find(({ name }) => name === 'seed')?.type).toBe('number | undefined');
    expect(
      options.filter(({ type }) => /\b(any|unknown|ReturnType)\b/.test(type.replace(/"\w+"/g, ''))),
    ).toEqual([]);
  },
  60_000,
);
