import { expect, it } from 'vitest';
import { createItemEdits, ItemError } from '../../../mock/items/item-edits.ts';
import { parseExact, toByteText } from '../../../mock/json/exact-json.ts';
import { createSchemaCompiler } from '../../../mock/json/validator.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';

const document = compile(documentOf('GET /things -> [{ id!: int, more: object, list: [any] }]'));
const [resource] = document.resources;
if (!resource) throw new Error('The document has no collection');
const edits = createItemEdits(resource, createSchemaCompiler(document));

const given = (text: string) => ({ value: parseExact(text), bytes: text.length });

/** Returns what a patch makes of the JSON of the item with the id 1. */
const patch = (json: string, by: string) => edits.patch('1', toByteText(json), given(by)).json;

it.each([
  [
    '{"id":1,"more":{"a":{"b":1,"c":2}}}',
    '{"more":{"a":{"b":null,"d":3}}}',
    '{"id":1,"more":{"a":{"c":2,"d":3}}}',
  ],
  ['{"id":1,"more":{"a":[1,2]}}', '{"more":{"a":[3]}}', '{"id":1,"more":{"a":[3]}}'],
  ['{"id":1,"list":[{"a":1}]}', '{"list":[{"b":null}]}', '{"id":1,"list":[{"b":null}]}'],
  ['{"id":1,"more":{"a":1}}', '{"more":{"a":{"b":null}}}', '{"id":1,"more":{"a":{}}}'],
  ['{"id":1}', '{"more":{"__proto__":{"a":1}}}', '{"id":1,"more":{"__proto__":{"a":1}}}'],
  [
    '{"id":1,"more":{"n":9007199254740993}}',
    '{"more":{"m":9007199254740995}}',
    '{"id":1,"more":{"n":9007199254740993,"m":9007199254740995}}',
  ],
  ['{"id":1,"gone":7}', '{"more":{}}', '{"id":1,"more":{}}'],
])('merges into %s the patch %s (RFC 7396)', (before, by, after) => {
  expect(patch(before, by)).toBe(after);
});

it('lets an item grow by patches to a bound', () => {
  let json = '{"id":1}';
  const grow = (name: string) => {
    json = patch(json, `{"more":{"${name}":"${'x'.repeat(900_000)}"}}`);
  };
  grow('a');
  grow('b');
  expect(() => grow('c')).toThrow(ItemError);
  expect(() => grow('c')).toThrow(/^It would have 2700\d+ characters, but may have 2097152\.$/);
  expect(patch(json, '{"more":null}')).toBe('{"id":1}');
});

it('gives an item an id to the digit', () => {
  const { id, json } = edits.toItemOf('9007199254740993', given('{}'));
  expect([id, json]).toEqual(['9007199254740993', '{"id":9007199254740993}']);
  expect(() => patch('{"id":1}', '{"id":"1"}')).toThrow('"id" must be an integer, but is "1".');
});
