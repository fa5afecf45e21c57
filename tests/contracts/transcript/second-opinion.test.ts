import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { builtInDocument, loadDocument } from '../../../contracts/description/document.ts';
import { createSecondOpinion } from '../../../contracts/transcript/schema/second-opinion.ts';

it("loads prism-http's validators without its mock server, which takes longest to load", async () => {
  await createSecondOpinion(await loadDocument(builtInDocument));
  const loaded = Object.keys(createRequire(import.meta.url).cache).flatMap(
    (file) => /prism-http\/dist\/(.+)$/.exec(file.replaceAll('\\', '/'))?.[1] ?? [],
  );
  expect(loaded).toContain('validator/index.js');
  expect(loaded.filter((file) => /^(mocker|forwarder)\//.test(file))).toEqual([]);
});
