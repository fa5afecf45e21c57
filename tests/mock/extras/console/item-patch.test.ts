import { expect, it } from 'vitest';
import {
  isShownBy,
  toFields,
  toItemOperation,
  toItemPatch,
} from '../../../../mock/extras/console/browser/item-fields.ts';
import { mergePatch } from '../../../../mock/json/merge-patch.ts';

it.each<[what: string, before: string, after: string, patch: string | undefined]>([
  ['nothing', '{"a":1,"b":{"c":[1]}}', '{"b":{"c":[1]},"a":1}', '{}'],
  ['a value', '{"a":1,"b":2}', '{"a":3,"b":2}', '{"a":3}'],
  ['a member that is gone', '{"a":1,"b":2}', '{"b":2}', '{"a":null}'],
  ['a member within', '{"a":{"b":1,"c":2,"d":3}}', '{"a":{"b":1,"c":4}}', '{"a":{"d":null,"c":4}}'],
  ['an order alone', '{"a":{"b":1,"c":2}}', '{"a":{"c":2,"b":1}}', '{}'],
  ['an object made empty', '{"a":{"b":1}}', '{"a":{}}', '{"a":{"b":null}}'],
  ['an empty object', '{}', '{"a":{}}', '{"a":{}}'],
  ['an object for a list', '{"a":[1]}', '{"a":{"b":1}}', '{"a":{"b":1}}'],
  ['a list with null', '{"a":[1]}', '{"a":[null,1]}', '{"a":[null,1]}'],
  [
    'a name of objects',
    '{}',
    '{"__proto__":{"a":1},"toString":1}',
    '{"__proto__":{"a":1},"toString":1}',
  ],
  ['a null that stays', '{"a":null,"b":1}', '{"a":null,"b":2}', '{"b":2}'],
  ['a null that is set', '{"a":1}', '{"a":null}', undefined],
  ['a null that is set in a new object', '{}', '{"a":{"b":null}}', undefined],
  ['no object', '{"a":1}', '[]', undefined],
])('patches %s', (_, before, after, patch) => {
  expect(toItemPatch(before, after)).toBe(patch);
  if (patch !== undefined)
    expect(mergePatch(JSON.parse(before), JSON.parse(patch))).toEqual(JSON.parse(after));
});

it('sends each number to the digit', () => {
  const [before, after] = [
    '{"a":9007199254740993,"b":9223372036854775807,"c":0.1}',
    '{"a":9007199254740993,"b":9223372036854775806,"c":0.10000000000000000001,"d":1e400}',
  ];
  expect(toItemPatch(before, after)).toBe(
    '{"b":9223372036854775806,"c":0.10000000000000000001,"d":1e400}',
  );
});

it('replaces an item where a null is set, and leaves alone what a form does not show', () => {
  const collection = { name: 'pets', idProperty: 'id' };
  const item = { id: 7, name: 'x', other: { a: 1 } };
  const fields = toFields({ properties: { name: { type: 'string' } } });
  const call = (json: string, shown: typeof fields | false) =>
    toItemOperation({ collection, item, json, fields: shown });
  const path = 'data/pets/7';
  expect(call('{"name":"y"}', fields)).toEqual({ method: 'PATCH', path, text: '{"name":"y"}' });
  expect(call('{"name":"x"}', false)).toEqual({ method: 'PATCH', path, text: '{"other":null}' });
  const withNull = '{"id":7,"name":null}';
  expect(call(withNull, false)).toEqual({ method: 'PUT', path, text: withNull });
});

it('changes an item whose id is in an object that it has', () => {
  const collection = { name: 'nodes', idProperty: 'metadata.name' };
  const text = { type: 'string' };
  const held = { type: 'object', properties: { name: text, uid: text } };
  const item = { kind: 'Node', metadata: { name: 'web', uid: '7' } };
  const schema = { properties: { kind: text, metadata: held } };
  const fields = toFields(schema, { without: '/metadata/name' });
  expect(fields.map(({ pointer }) => pointer)).toEqual(['/kind', '/metadata/uid']);
  expect(isShownBy(fields, item, 'metadata.name')).toBe(true);
  const call = (json: string, shown: typeof fields | false) =>
    toItemOperation({ collection, item, json, fields: shown });
  const patch = { method: 'PATCH', path: 'data/nodes/web', text: '{"metadata":{"uid":"8"}}' };
  expect(call('{"kind":"Node","metadata":{"uid":"8"}}', fields)).toEqual(patch);
  expect(call('{"kind":"Node","metadata":{"name":"web","uid":"8"}}', false)).toEqual(patch);
});
