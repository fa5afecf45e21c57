import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import description from '../../mock/extras/admin/openapi.json' with { type: 'json' };
import { projectFile } from '../support/twin.ts';

const codesOf = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

it('lists each operation of the admin, and no other', async () => {
  const text = await readFile(projectFile('docs/admin.md'), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| `(GET|POST|DELETE)`/.test(line));
  const listed = rows.flatMap((row) => {
    const [, methods, paths] = row.split('|');
    // Two paths in a row have all of its methods.
    return codesOf(paths).flatMap((path) => codesOf(methods).map((method) => `${method} ${path}`));
  });
  const described = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => key !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.toSorted()).toEqual(described.toSorted());
});
