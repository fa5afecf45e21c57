import { expect, it } from 'vitest';
import { indexDocument } from '../../../contracts/description/document.ts';
import { describeChange } from '../../../mock/files/describe-change.ts';
import { type LimitPolicy, parseKeys, parsePlans } from '../../../mock/limits/plans.ts';
import type { Served } from '../../../mock/served.ts';

const plans = { free: { perMinute: 60, perDay: 1000 }, pro: { perMinute: 300, perDay: 10_000 } };
const ban = { strikes: 10, withinSeconds: 60, seconds: 300, maxSeconds: 3600 };

type Parts = {
  paths?: object;
  more?: object;
  plans?: object;
  ban?: object | false;
  keys?: object[];
  named?: Record<string, string>;
};

const operation = (operationId: string, description = 'Done.') => ({
  operationId,
  responses: { 204: { description } },
});
const usualPaths = { '/a': { get: operation('listA') }, '/b': { get: operation('listB') } };

/** What is served of a small document; `more` are further parts of it. */
function toServed(parts: Parts = {}): Served {
  const document = indexDocument({
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: parts.paths ?? usualPaths,
    ...parts.more,
  });
  const policy: LimitPolicy = parsePlans(
    { plans: parts.plans ?? plans, ban: parts.ban ?? ban },
    {},
  );
  const keys = parseKeys(
    { keys: parts.keys ?? [{ key: 'one', plan: 'free' }] },
    policy.plans,
    (_, at) => `key-${at + 1}`,
  );
  return { document, policy, limits: 'plans', keys, namedItems: parts.named ?? {} };
}

/** The phrase for what differs; what is equal is the very same, as where files are read again. */
function change(one: Parts, other: Parts): string[] {
  const [before, after] = [toServed(one), toServed(other)];
  return describeChange(before, {
    document:
      one.paths === other.paths && one.more === other.more ? before.document : after.document,
    policy: one.plans === other.plans && one.ban === other.ban ? before.policy : after.policy,
    limits: 'plans',
    keys: after.keys,
    namedItems: after.namedItems,
  });
}

it.each<[string, Parts, string[]]>([
  ['nothing', {}, []],
  [
    'an operation that is new',
    { paths: { ...usualPaths, '/c': { get: operation('listC') } } },
    ['the document (added listC)'],
  ],
  [
    'an operation that is gone',
    { paths: { '/a': usualPaths['/a'] } },
    ['the document (removed listB)'],
  ],
  [
    'an operation that moved',
    { paths: { '/a': usualPaths['/a'], '/c': usualPaths['/b'] } },
    ['the document (changed listB)'],
  ],
  [
    'an operation that has another name',
    { paths: { ...usualPaths, '/b': { get: operation('listC') } } },
    ['the document (added listC; removed listB)'],
  ],
  [
    'an operation that answers with another status',
    {
      paths: {
        ...usualPaths,
        '/b': { get: { operationId: 'listB', responses: { 200: { description: 'Done.' } } } },
      },
    },
    ['the document (changed listB)'],
  ],
  [
    'parts that operations share',
    { more: { components: { schemas: { A: {} }, requestBodies: { B: { content: {} } } } } },
    ['the document (added schema A, request body B)'],
  ],
  [
    'title and version',
    { more: { info: { title: 'B', version: '2' } } },
    ['the document (its title is now "B"; its version is now 2)'],
  ],
  [
    'where the API is',
    { more: { servers: [{ url: '/v2' }] } },
    ['the document (the API is now under /v2)'],
  ],
  ['what it does not name', { more: { 'x-note': 'new' } }, ['the document']],
  ['named items', { named: { pets: '[{}]' } }, ['named items of pets']],
  [
    'a plan',
    { plans: { ...plans, free: { perMinute: 5, perDay: 2000 } } },
    ['plans (free is now 5/min, 2,000/day)'],
  ],
  ['bans that are off', { ban: false }, ['plans (the ban is now off)']],
  [
    'bans',
    { ban: { ...ban, strikes: 3 } },
    ['plans (the ban is now after 3 refusals within 60 s, for 300 to 3600 s)'],
  ],
])('says of a change of %s', (_, parts, expected) => {
  expect(change({}, parts)).toEqual(expected);
});

const one = { key: 'one', plan: 'free' };
const two = { key: 'two', plan: 'free' };
const three = { key: 'three', plan: 'free' };

it.each<[string, object[], object[], string[]]>([
  ['one that is new', [one], [one, two], ['keys (added key-2)']],
  ['one that is gone', [one, two], [one], ['keys (removed key-2)']],
  ['one that was replaced', [one, two], [one, three], ['keys (changed key-2)']],
  ['the only one', [one], [two], ['keys (changed key-1)']],
  ['one before others', [one, two, three], [one, three], ['keys (removed key-3; changed key-2)']],
  ['a plan', [one], [{ ...one, plan: 'pro' }], ['keys (changed key-1)']],
  ['figures', [one], [{ ...one, perMinute: 5 }], ['keys (changed key-1)']],
  [
    'name and plan',
    [one],
    [{ ...one, plan: 'pro', name: 'team' }],
    ['keys (added team; removed key-1)'],
  ],
  [
    'the order alone',
    [
      { ...one, name: 'a' },
      { ...two, name: 'b' },
    ],
    [
      { ...two, name: 'b' },
      { ...one, name: 'a' },
    ],
    [],
  ],
])('says of a change of keys: %s', (_, before, after, expected) => {
  expect(change({ keys: before }, { keys: after })).toEqual(expected);
});

it('names the first few of many', () => {
  const many = Array.from({ length: 9 }, (_, at) => ({ key: `many-${at}`, plan: 'free' }));
  expect(change({ keys: [one] }, { keys: [one, ...many] })).toEqual([
    'keys (added key-2, key-3, key-4, key-5, key-6, 4 more)',
  ]);
});
