import { expect, it } from 'vitest';
import { withoutCredentials } from '../../../mock/redact.ts';
import { storeForms, storeOf } from '../../../mock/settings/parse-value.ts';

const schemes = ['memory', 'sqlite', 'redis', 'rediss'] as const;
const parse = storeOf(schemes);

it.each([
  'memory',
  'sqlite:twin.db',
  'sqlite:/data/twin.db',
  'sqlite:C:\\data\\twin.db',
  'redis://127.0.0.1:6379/0',
  'redis://me:s3cret@[::1]:6379/2?prefix=qa',
  'rediss://cache.test',
  // The store judges the rest.
  'redis://',
])('takes %s', (text) => {
  expect(parse(text)).toBe(text);
});

const all = 'memory, sqlite:FILE, redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], or rediss://...';

it.each([
  ['', all],
  ['Memory', all],
  ['memory:', all],
  ['twin.db', all],
  ['postgres://db', all],
  ['sqlite', 'sqlite:FILE, such as sqlite:twin.db or sqlite:/data/twin.db'],
  ['sqlite:', 'sqlite:FILE, such as sqlite:twin.db or sqlite:/data/twin.db'],
  ['sqlite://data/twin.db', 'sqlite:FILE, such as sqlite:twin.db or sqlite:/data/twin.db'],
])('says what it expects instead of %j', (text, expected) => {
  expect(() => parse(text)).toThrow(new Error(expected));
});

it('takes and names the schemes alone that there are', () => {
  expect(storeForms(['memory', 'sqlite'])).toBe('memory or sqlite:FILE');
  expect(() => storeOf(['memory', 'sqlite'])('redis://cache.test')).toThrow(
    new Error('memory or sqlite:FILE'),
  );
});

it.each([
  ['redis://me:s3cret@cache.test:6379/0', 'redis://[Filtered]@cache.test:6379/0'],
  ['redis://:s3@cret@cache.test', 'redis://[Filtered]@cache.test'],
  ['redis:me:s3cret@cache.test', '[Filtered]@cache.test'],
  ['me:s3cret@cache.test', '[Filtered]@cache.test'],
  ['redis://me:s3\ncret@cache.test', 'redis://[Filtered]@cache.test'],
  ['redis://cache.test/0', 'redis://cache.test/0'],
  ['memory', 'memory'],
])('shows %j as %j', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown);
});
