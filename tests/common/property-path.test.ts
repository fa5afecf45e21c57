import { expect, test } from 'vitest';
import { hasAt, pointerTo, topOf, valueAt, withAt, withoutAt } from '../../common/property-path.ts';

const item = { kind: 'Node', metadata: { labels: {}, name: 'web-1' } };

test('reads a property, or one in an object that the item has', () => {
  expect(valueAt({ id: 7 }, 'id')).toBe(7);
  expect(valueAt(item, 'metadata.name')).toBe('web-1');
  expect(valueAt({ metadata: 'web-1' }, 'metadata.name')).toBeUndefined();
  expect(valueAt(undefined, 'metadata.name')).toBeUndefined();
});

test('takes a name with other characters than words for one property', () => {
  expect(valueAt({ '@odata.id': 7 }, '@odata.id')).toBe(7);
  expect(topOf('@odata.id')).toBe('@odata.id');
  expect(topOf('metadata.name')).toBe('metadata');
});

test('tells whether an item has it', () => {
  expect(hasAt(item, 'metadata.name')).toBe(true);
  expect(hasAt({ metadata: {} }, 'metadata.name')).toBe(false);
  expect(hasAt({ metadata: null }, 'metadata.name')).toBe(false);
  expect(hasAt({ id: undefined }, 'id')).toBe(true);
});

test('sets it in front of what is beside it, and leaves the item as it was', () => {
  expect(JSON.stringify(withAt({ name: 'Rex' }, 'id', 7))).toBe('{"id":7,"name":"Rex"}');
  expect(withAt(item, 'metadata.name', 'web-2')).toEqual({
    kind: 'Node',
    metadata: { name: 'web-2', labels: {} },
  });
  expect(withAt({}, 'metadata.name', 'web-2')).toEqual({ metadata: { name: 'web-2' } });
  expect(item.metadata.name).toBe('web-1');
});

test('leaves it out', () => {
  expect(withoutAt({ id: 7, name: 'Rex' }, 'id')).toEqual({ name: 'Rex' });
  expect(withoutAt(item, 'metadata.name')).toEqual({ kind: 'Node', metadata: { labels: {} } });
  expect(withoutAt({ metadata: {} }, 'metadata.name')).toEqual({ metadata: {} });
});

test('gives its JSON pointer', () => {
  expect(pointerTo('a/b')).toBe('/a~1b');
  expect(pointerTo('metadata.name')).toBe('/metadata/name');
});
