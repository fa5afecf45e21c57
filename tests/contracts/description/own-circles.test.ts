import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadDocument } from '../../../contracts/description/document.ts';
import { findOwnCircle, withoutOwnCircles } from '../../../contracts/description/own-circles.ts';
import { bearer, projectFile, startTwin } from '../../support/twin.ts';
import { makeFolder } from '../../support/watching.ts';

/** Writes the document of the Pet Store Service with a change of its text. */
async function changed(before: string, after: string): Promise<string> {
  const text = await readFile(projectFile('contracts/openapi.yaml'), 'utf8');
  expect(text).toContain(before);
  const file = join(await makeFolder(), 'api.yaml');
  await writeFile(file, text.replace(before, after));
  return file;
}

it.each([
  ['the document', 'openapi: 3.1.0\n', 'openapi: 3.1.0\nx-own: &a { list: [*a], own: *a }\n'],
  ['a schema', '    NewPet:\n', '    NewPet:\n      x-own: &a { own: *a }\n'],
  [
    'an example',
    '- { id: 1, name: Rex, categoryId: 1, status: available }',
    '- &a { id: 1, name: Rex, categoryId: 1, own: { more: *a } }',
  ],
])(
  'serves a document where an extension or an example of %s contains itself',
  async (_, before, after) => {
    const spec = await changed(before, after);
    const twin = await startTwin({ spec });
    const created = await fetch(`${twin.api}/pets`, {
      method: 'POST',
      headers: { ...bearer('demo-free'), 'Content-Type': 'application/json' },
      body: '{"name":"Rex"}',
    });
    expect([created.status, await created.text()]).toEqual([
      400,
      expect.stringContaining('\\"categoryId\\" is required.'),
    ]);
    const { raw, exact } = await loadDocument(spec);
    expect(() => JSON.stringify(raw)).not.toThrow();
    expect(findOwnCircle(exact)).toBeDefined();
  },
);

it('reads a schema that contains itself as one that refers to itself', async () => {
  const spec = await changed(
    '    NewPet:\n      type: object',
    '    NewPet: &new\n      not: *new\n      dependentSchemas: { mother: { properties: { mother: *new } } }\n      type: object',
  );
  const { raw, written } = await loadDocument(spec);
  expect(written.warnings).toEqual([
    {
      pointer: '#/components/schemas/NewPet/not/$ref',
      problem: 'it leads back to itself, which is circular; it is ignored',
    },
  ]);
  const { not, dependentSchemas } = raw.components.schemas.NewPet;
  expect(not).toEqual({});
  expect(dependentSchemas.mother.properties.mother).toEqual({
    $ref: '#/components/schemas/NewPet',
  });
});

it('leaves a document as it is whose values are in several places, or in a property of that name', () => {
  const shared = { type: 'string' };
  const plain = { 'x-a': shared, 'x-b': [shared, shared] };
  expect(withoutOwnCircles(plain)).toBe(plain);
  const schema: Record<string, unknown> = {};
  schema.properties = { 'x-parent': schema, default: schema };
  expect(withoutOwnCircles(schema)).toBe(schema);
  expect(findOwnCircle(schema)).toBe('/properties/x-parent');
});
