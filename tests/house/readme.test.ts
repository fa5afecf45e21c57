import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import description from '../../mock/admin/openapi.json' with { type: 'json' };
import { preferenceNames } from '../../mock/forced/preferences.ts';
import { projectFile } from '../support/twin.ts';

const readme = await readFile(projectFile('README.md'), 'utf8');

const codesOf = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

it('lists each operation of the admin, and no other', () => {
  const rows = readme.split('\n').filter((line) => /^\| `(GET|POST)`/.test(line));
  const told = rows.flatMap((row) => {
    const [, methods, paths] = row
      .split(' | ')
      .flatMap((cell, index) => (index === 0 ? ['', cell] : [cell]));
    // Two paths in a row have its methods in turn, or one for both.
    return codesOf(paths).flatMap((path) => codesOf(methods).map((method) => `${method} ${path}`));
  });
  const described = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => key !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(told.toSorted()).toEqual(described.toSorted());
});

it('lists each preference', () => {
  const rows = [...readme.matchAll(/^\| `(\w+)=[^`]+` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(preferenceNames);
});

it('has fewer than 200 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThan(200);
});
