import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { projectFile } from '../../support/twin.ts';

const urlOf = (path: string) => JSON.stringify(pathToFileURL(projectFile(path)).href);

it("loads prism-http's validators without its mock server, which takes longest to load", async () => {
  const script = `
    import { createRequire } from 'node:module';
    import { builtInDocument, loadDocument } from ${urlOf('contracts/description/document.ts')};
    import { createSecondOpinion } from ${urlOf('contracts/transcript/schema/second-opinion.ts')};
    await createSecondOpinion(await loadDocument(builtInDocument));
    console.log(Object.keys(createRequire(${urlOf('package.json')}).cache).join('\\n'));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
  ]);
  const loaded = stdout
    .split('\n')
    .flatMap(
      (file) => /prism-http[\\/]dist[\\/](.+)$/.exec(file)?.[1]?.replaceAll('\\', '/') ?? [],
    );
  expect(loaded).toContain('validator/index.js');
  expect(loaded.filter((file) => /^(mocker|forwarder)\//.test(file))).toEqual([]);
});
