import { expect, it } from 'vitest';
import { loadDocument } from '../../../contracts/description/document.ts';
import { createSchemaCompiler, toSentences } from '../../../mock/json/validator.ts';
import { toDocument } from '../../support/serve-document.ts';
import { writeJson } from '../../support/write-json.ts';

const text = { type: 'string' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});
const [cat, dog] = [ref('Cat'), ref('Dog')];
const mapping = { cat: cat.$ref, dog: 'Dog' };

const schemas = {
  Cat: object({ kind: text, lives: { type: 'integer', maximum: 9 } }),
  Dog: object({ kind: text, bark: { type: 'boolean' }, name: text }),
  Mapped: { oneOf: [cat, dog], discriminator: { propertyName: 'kind', mapping } },
  Plain: { anyOf: [cat, dog], discriminator: { propertyName: 'kind' } },
  Named: object(
    { name: text },
    { oneOf: [cat, dog], discriminator: { propertyName: 'kind', mapping } },
  ),
  Nullable: { oneOf: [ref('Mapped'), { type: 'null' }] },
  Circle: object({ shape: { const: 'circle' }, r: { type: 'number' } }),
  Square: object({ shape: { enum: ['square', 'box'] }, side: { type: 'number' } }),
  Shape: { oneOf: [ref('Circle'), ref('Square')], discriminator: { propertyName: 'shape' } },
  All: object({ op: { const: 'all' }, of: { type: 'array', items: ref('Term') } }),
  Any: object({ op: { const: 'any' }, of: { type: 'array', items: ref('Term') } }),
  Is: object({ op: { const: 'is' }, value: text }),
  Term: { oneOf: [ref('All'), ref('Any'), ref('Is')], discriminator: { propertyName: 'op' } },
};

async function problemsOf(name: keyof typeof schemas, value: unknown): Promise<string> {
  const file = await writeJson(toDocument({}, { components: { schemas } }));
  const compile = createSchemaCompiler(await loadDocument(file));
  const validate = compile(ref(name), 'readOnly');
  const all = validate(value, JSON.stringify(value).length);
  // Of what is large, the first problem alone.
  const first = validate(value);
  expect(first?.length ?? 0).toBe(Math.min(all?.length ?? 0, first?.length ?? 0));
  return toSentences(all ?? []);
}

it.each<[keyof typeof schemas, unknown, string]>([
  ['Mapped', { kind: 'cat', lives: 9 }, ''],
  ['Mapped', { kind: 'cat', bark: 4 }, '"lives" is required.'],
  ['Mapped', { kind: 'dog', lives: 10 }, '"bark" is required. "name" is required.'],
  ['Mapped', { kind: 'cow' }, '"kind" must be one of "cat", "dog", but is "cow".'],
  ['Mapped', { lives: 'x' }, '"kind" must be one of "cat", "dog", but is missing.'],
  ['Mapped', 7, 'It must be an object, but is 7.'],
  ['Plain', { kind: 'Dog', name: 'a' }, '"bark" is required.'],
  ['Plain', { kind: 'dog' }, '"kind" must be one of "Cat", "Dog", but is "dog".'],
  ['Named', { kind: 'cat' }, '"lives" is required. "name" is required.'],
  [
    'Named',
    { kind: 'cat', name: 3, lives: 'x' },
    '"lives" must be an integer, but is "x". "name" must be a string, but is 3.',
  ],
  ['Nullable', { kind: 'dog', name: 'a' }, '"bark" is required.'],
  ['Nullable', null, ''],
  ['Shape', { shape: 'box', r: 1 }, '"side" is required.'],
  ['Shape', { shape: 'star' }, '"shape" must be one of "circle", "square", "box", but is "star".'],
  [
    'Term',
    { op: 'all', of: [{ op: 'any', of: [{ op: 'is' }] }] },
    '"of/0/of/0/value" is required.',
  ],
  [
    'Term',
    { op: 'all', of: [{ op: 'none' }] },
    '"of/0/op" must be one of "all", "any", "is", but is "none".',
  ],
])('tells of %s %j what the alternative that it names lacks', async (name, value, sentences) => {
  expect(await problemsOf(name, value)).toBe(sentences);
});

it('judges a value with many levels of alternatives in time', async () => {
  const deep = (levels: number): object =>
    levels === 0 ? { op: 'is' } : { op: levels % 2 ? 'all' : 'any', of: [deep(levels - 1)] };
  const started = performance.now();
  expect(await problemsOf('Term', deep(60))).toMatch(/^"of\/0\/.*\/value" is required\.$/);
  expect(performance.now() - started).toBeLessThan(1000);
});

it('tells the first problem of alternatives that lead to themselves, without a discriminator', async () => {
  const [both, one] = [
    object({ both: { type: 'array', items: ref('Tree') } }),
    object({ leaf: text }),
  ];
  const trees = { Tree: { anyOf: [ref('And'), ref('Or'), one] }, And: both, Or: both };
  const file = await writeJson(toDocument({}, { components: { schemas: trees } }));
  const validate = createSchemaCompiler(await loadDocument(file))(ref('Tree'));
  const value = { both: [{ leaf: 3 }, { leaf: 4 }] };
  expect(validate(value, 100)).toEqual(validate(value));
  const [nullable, note] = [{ anyOf: [ref('Note'), { type: 'null' }] }, object({ text, by: text })];
  const notes = { Note: { ...note, properties: { ...note.properties, reply: nullable } } };
  const other = await writeJson(toDocument({}, { components: { schemas: notes } }));
  const all = createSchemaCompiler(await loadDocument(other))(ref('Note'));
  expect(all({ reply: { text: 3 } }, 100)).toHaveLength(4);
});
