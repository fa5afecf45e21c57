import { expect, it } from 'vitest';
import {
  isShownBy,
  toDraft,
  toFields,
  toItemJson,
} from '../../../../mock/extras/console/browser/item-fields.ts';
import { parseJson } from '../../../../mock/extras/pages/browser/exact-json.ts';

const schema = {
  required: ['id', 'name', 'tags'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    open: { type: 'boolean' },
    status: { enum: ['new', 'sold', 7] },
    tags: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'integer' } },
    owner: {
      type: 'object',
      required: ['city'],
      properties: { city: { type: 'string' }, 'a/b~': { type: 'number' } },
    },
    any: {},
    pair: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
  },
};
const fields = toFields(schema, { without: '/id' });
const kinds = Object.fromEntries(fields.map(({ pointer, kind }) => [pointer, kind]));

it('has a field for each property, and for those of objects', () => {
  expect(kinds).toEqual({
    '/name': 'text',
    '/open': 'choice',
    '/status': 'choice',
    '/tags': 'lines',
    '/sizes': 'lines',
    '/owner/city': 'text',
    '/owner/a~1b~0': 'number',
    '/any': 'json',
    '/pair': 'json',
  });
  expect(fields.find(({ pointer }) => pointer === '/status')?.options).toEqual([
    '"new"',
    '"sold"',
    '7',
  ]);
  expect(fields.find(({ pointer }) => pointer === '/owner/city')?.label).toBe('owner, city');
  expect(toFields(schema)[0]?.pointer).toBe('/id');
});

const whole =
  '{"name":"x","open":false,"status":7,"tags":["a","b"],"sizes":[9007199254740993,2],"owner":{"city":"x","a/b~":1.5},"any":{"n":9007199254740993},"pair":null}';

it('shows an item and makes it again, each integer to the digit', () => {
  const item = parseJson(whole);
  const draft = toDraft(fields, item);
  expect(draft['/sizes']).toBe('9007199254740993\n2');
  expect(toItemJson(fields, draft).json).toBe(
    whole
      .replace(' ', '')
      .replace('"any":{', '"any":{\n  ')
      .replace('{\n  "n":9007199254740993}', '{\n  "n": 9007199254740993\n}'),
  );
  expect(isShownBy(fields, { id: 1, ...(item as object) }, 'id')).toBe(true);
});

it.each([
  ['{"name":"x","tags":["a\\nb"]}', 'a text of two lines in a list'],
  ['{"name":"x","tags":[],"status":"none","more":1}', 'a field that the schema has not'],
  ['{"name":"x","tags":[],"owner":{"age":7}}', 'a field of an object that the schema has not'],
  ['{"name":7,"tags":[]}', 'a number where a text belongs'],
  ['{"name":"x","tags":[],"owner":{"city":""}}', 'an empty text that may be left out'],
])('tells that it cannot show %s: %s', (json) => {
  expect(isShownBy(fields, parseJson(json), 'id')).toBe(false);
});

it('leaves out what is empty, and leaves the twin to judge what is wrong', () => {
  expect(toItemJson(fields, {}).json).toBe('{"name":"","tags":[]}');
  expect(toItemJson(fields, { '/sizes': '1\ntwo', '/owner/a~1b~0': ' 012 ' }).json).toBe(
    '{"name":"","tags":[],"sizes":[1,"two"],"owner":{"a/b~":" 012 "}}',
  );
  expect(toItemJson(fields, { '/any': '{' })).toEqual({ wrong: '/any' });
});
