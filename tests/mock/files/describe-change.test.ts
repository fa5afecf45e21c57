import { expect, it } from 'vitest';
import { describeChange } from '../../../mock/files/follow-files.ts';
import { parseKeys, parsePlans } from '../../../mock/limits/plans.ts';
import type { ServedFiles } from '../../../mock/served.ts';
import { compile } from '../../../openapi/index.ts';
import { toDocument } from '../../support/serve-document.ts';

const free = { perMinute: 60, perDay: 1000 };
const policy = parsePlans({ plans: { free } }, {});

function keysOf(key: string, { plans } = policy): ServedFiles['keys'] {
  return parseKeys({ keys: [{ key, plan: 'free' }] }, plans, () => 'key-1');
}

const document = compile(toDocument({}));
const before: ServedFiles = {
  document,
  policy,
  limits: 'plans',
  keys: keysOf('one'),
  namedItems: { pets: '[]' },
};
const faster = parsePlans({ plans: { free: { ...free, perMinute: 30 } } }, {});
const pinned = { pins: { errors: {} }, document: compile(toDocument({})) };

it.each<[string[], Partial<ServedFiles>]>([
  [[], {}],
  [[], { keys: keysOf('one') }],
  [['the document'], { document: compile(toDocument({ '/a': { get: {} } })) }],
  [['pins'], pinned],
  [['plans'], { policy: faster, keys: keysOf('one', faster) }],
  [['keys'], { keys: keysOf('two') }],
  [['keys', 'named items of pets'], { keys: [], namedItems: { pets: '[{}]' } }],
])('names %j', (expected, change) => {
  expect(describeChange(before, { ...before, ...change })).toEqual(expected);
});
