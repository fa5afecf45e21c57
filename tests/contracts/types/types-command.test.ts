import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTypesCommand } from '../../../contracts/types/command.ts';
import { capture } from '../../support/capture.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { projectFile } from '../../support/twin.ts';

/** Runs it where openapi-typescript is on the path, as `npx --package` puts it there, or is not. */
function run(args: string[], path = projectFile('tools/openapi-types/node_modules/.bin')) {
  vi.stubEnv('PATH', ['/usr/bin', makeFolder(), path].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
  return capture(() => createTypesCommand()(args, { env: {}, command: 'npm run types --' }));
}

const withoutFirstLine = (text: string) => text.slice(text.indexOf('\n'));

it('writes the types of the built-in document to standard output', async () => {
  const { code, out, err } = await run([]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^\/\/ Types of Pet Store Service 1\.0\.0, written by /);
  const types = readFileSync(projectFile('package/types.d.ts'), 'utf8');
  expect(withoutFirstLine(out)).toBe(withoutFirstLine(types));
});

it('writes the types of a document as it is served: Swagger 2.0 becomes OpenAPI', async () => {
  const out = join(makeFolder(), 'api.d.ts');
  const spec = projectFile('node_modules/@readme/oas-examples/2.0/json/petstore.json');
  expect(await run(['--spec', spec, '--out', out])).toEqual({
    code: 0,
    out: `Wrote the types of Swagger Petstore 1.0.0 to ${out}.\n`,
    err: '',
  });
  const types = readFileSync(out, 'utf8');
  expect(types).toContain('"application/json": components["schemas"]["Pet"];');
});

it.each([
  ['a file that cannot be written', ['--out', '/dev/null/api.d.ts'], /--out .* cannot be written/],
  ['a document that cannot be read', ['--spec', 'absent.yaml'], /absent\.yaml/],
  ['an option that it has not', ['--spce', 'a.yaml'], /--spec/],
])('refuses %s in a line', async (_, args, message) => {
  const { code, out, err } = await run(args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(message);
  expect(err.trimEnd()).not.toContain('\n');
});

it('says how to install what it needs where that is missing', async () => {
  expect(await run([], '')).toEqual({
    code: 2,
    out: '',
    err: 'petstore-twin types: Types need the package openapi-typescript, with TypeScript 5. Run "npm install --save-dev openapi-typescript", or in a project with a later TypeScript "npx --package openapi-typescript petstore-twin types ...".\n',
  });
});
