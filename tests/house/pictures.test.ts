import { globSync, readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pictures } from '../../tools/screenshots/pictures.ts';
import { projectFile } from '../support/twin.ts';

const images = globSync('docs/images/*', { cwd: projectFile('.') });

it('has the pictures that the tool takes, and no other', () => {
  const expected = pictures.map(({ name }) => `docs/images/${name}.png`);
  expect(images.toSorted()).toEqual(expected.toSorted());
});

it('shows each picture in the docs', () => {
  const docs = readFileSync(projectFile('docs/console.md'), 'utf8');
  for (const { name } of pictures) expect(docs).toContain(`](images/${name}.png)`);
});

it('has pictures of at most 600 kB together', () => {
  const sizes = images.map((path) => statSync(projectFile(path)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(600_000);
});
