import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { createReference } from '../../reference/reference.ts';

const names = [
  '../../etc/passwd',
  '..',
  '.',
  'CON',
  'a/b',
  'a\\b',
  'é',
  'É',
  ' ',
  'get pets',
  'Get Pets',
  '__proto__',
  'constructor',
  '\u202e',
  'x'.repeat(5000),
  '</script>',
  'a.html',
  '%2e%2e',
];

it('gives each operation and schema a file of its own within the folder, on any file system', () => {
  const paths = Object.fromEntries(
    names.map((operationId, index) => [`/${index}`, { get: { operationId, responses: {} } }]),
  );
  const schemas = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:{}`).join()}}`);
  const raw = { openapi: '3.1.0', info: {}, paths, components: { schemas } };
  const reference = createReference(compile(raw));
  const made = reference.paths.filter((path) => path.includes('/'));
  for (const path of made)
    expect(path).toMatch(/^(?:operations|schemas|assets)\/[\w-]{1,90}\.(?:html|css|js|svg)$/);
  expect(new Set(made.map((path) => path.toLowerCase())).size).toBe(made.length);
  expect(made.filter((path) => path.startsWith('operations/'))).toHaveLength(names.length);
  for (const path of reference.paths) expect(reference.render(path, { now: 0 })).toBeDefined();
  expect(reference.render('operations/../index.html', { now: 0 })).toBeUndefined();
  expect(reference.render('__proto__', { now: 0 })).toBeUndefined();
});
