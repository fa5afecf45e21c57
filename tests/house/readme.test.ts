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
    'npm start -- --spec your-openapi.yaml',
    'npx petstore-twin mock --spec your-openapi.yaml',
    'docker run --rm -p 127.0.0.1:4010:4010 -v "$PWD:/api:ro" -w /api petstore-twin --spec your-openapi.yaml',
  ])
    expect(firstScreen).toContain(shown);
});

it('runs the package where the package is installed first, as npm does not have it', () => {
  const blocks = [...readme.matchAll(/^```sh[^\n]*\n(.*?)^```/gms)].map(([, block = '']) => block);
  const using = blocks.filter((block) => block.includes('npx petstore-twin'));
  expect(using).not.toEqual([]);
  for (const block of using)
    expect(block).toMatch(/^npm install [^\n]*\.tgz.*^npx petstore-twin/ms);
});

it('leads to every page of docs/', async () => {
  const pages = (await readdir(projectFile('docs'))).filter((name) => name.endsWith('.md'));
  for (const page of pages) expect(readme).toContain(`](docs/${page})`);
});
