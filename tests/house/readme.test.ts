import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { projectFile } from '../support/twin.ts';

const readme = await readFile(projectFile('README.md'), 'utf8');

it('has fewer than 150 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThan(150);
});

it('shows mock, suite, a finding and a test before anything else', () => {
  const firstScreen = readme.slice(0, readme.indexOf('\n## '));
  for (const shown of [
    'npm start',
    'npm run verify',
    'docker compose up',
    '(stated)\n',
    'createTwin()',
    'toKeepContract(',
    'npx petstore-twin mock --spec your-openapi.yaml',
  ])
    expect(firstScreen).toContain(shown);
});

it('leads to every page of docs/', async () => {
  const pages = (await readdir(projectFile('docs'))).filter((name) => name.endsWith('.md'));
  for (const page of pages) expect(readme).toContain(`](docs/${page})`);
});
