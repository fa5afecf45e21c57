import { expect, it } from 'vitest';
import { toByteText } from '../../../mock/json/exact-json.ts';
import {
  describeMismatch,
  type Fingerprint,
  hashItems,
  hashText,
} from '../../../mock/sandboxes/fingerprint.ts';

const held: Fingerprint = { seed: 1, pets: 120, document: 'd', data: undefined, items: 'i' };

it.each<[string, Partial<Fingerprint>, string]>([
  ['seed and count', { seed: 7, pets: 12, items: 'j' }, 'with other --seed and --items'],
  ['data', { pets: undefined, data: 'x', items: 'j' }, 'with other --items and --data'],
  ['document', { document: 'e' }, 'with other --spec'],
  ['items alone', { items: 'j' }, 'that begins with other items'],
])('says what differs, and the ways out: %s', (_, changes, reason) => {
  const isFollowed = ['document', 'items'].includes(Object.keys(changes).join());
  const watch = isFollowed ? ', let a mock that runs follow the change with --watch' : '';
  expect(describeMismatch('twin.db', held, { ...held, ...changes })).toBe(
    `twin.db holds the state of a mock ${reason}. Start as that one${watch}, or discard the state with --reset-store.`,
  );
});

it('says nothing where the same is held, also as JSON', () => {
  const read: Fingerprint = JSON.parse(JSON.stringify(held));
  expect(describeMismatch('twin.db', read, { ...held })).toBeUndefined();
});

it('hashes items by their names, number, order and text', () => {
  const toSeeds = (texts: readonly string[], name = 'pets') => ({
    [name]: {
      items: texts.map((text) => ({ id: text, json: toByteText(text), filters: {} })),
      next: texts.length + 1,
    },
  });
  const many = Array.from({ length: 1000 }, (_, index) => String(index));
  const all = [
    toSeeds([]),
    toSeeds([], 'toys'),
    toSeeds(['1', '2']),
    toSeeds(['2', '1']),
    toSeeds(['12']),
    toSeeds(many),
    toSeeds([...many, 'x']),
    toSeeds(['x', ...many]),
    toSeeds(many.with(999, 'x')),
  ];
  expect(new Set(all.map(hashItems)).size).toBe(all.length);
  expect(hashItems(toSeeds(many))).toBe(hashItems(toSeeds(many)));
  expect(hashText('a', 'bc')).not.toBe(hashText('ab', 'c'));
});
