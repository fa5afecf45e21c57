// Checks the workflows, the action and the workflow of examples with the library of GitHub's own editor.
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';

// It imports JSON as bundlers do, without saying so.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { validate } = await import('@actions/languageservice');

const root = fileURLToPath(new URL('..', import.meta.url));
const files = globSync(['.github/workflows/*.yml', 'action.yml', 'examples/*.yml'], { cwd: root });
if (files.length < 4) throw new Error('The workflows, the action and the example were not found.');
let count = 0;
for (const file of files) {
  const { href } = pathToFileURL(`${root}${file}`);
  const text = readFileSync(`${root}${file}`, 'utf8');
  for (const { message, range } of await validate(TextDocument.create(href, 'yaml', 0, text))) {
    count += 1;
    console.error(`${file}:${range.start.line + 1}: ${message}`);
  }
}
console.log(`${files.length} files, ${count} problems.`);
process.exitCode = count === 0 ? 0 : 1;
