import { expect, it } from 'vitest';
import { parseRedisUrl } from '../../../../mock/extras/redis/address.ts';

it('reads all parts of a URL', () => {
  expect(parseRedisUrl('rediss://qa:p%40ss@[::1]:6380/3?prefix=team-a')).toEqual({
    url: 'rediss://qa:p%40ss@[::1]:6380/3',
    prefix: 'team-a',
    shown: 'rediss://[::1]:6380/3?prefix=team-a',
  });
});

it('has a default for each part but the host', () => {
  expect(parseRedisUrl('redis://cache')).toEqual({
    url: 'redis://cache',
    prefix: 'petstore-twin',
    shown: 'redis://cache:6379/0',
  });
});

const form = 'must be redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE][?prefix=NAME]';
const encoded = `${form} with USER and PASSWORD percent-encoded`;

it.each([
  ['redis', `${form}, or rediss://`],
  ['redis://', `${form}, or rediss://`],
  ['redis://cache:port', `${form}, or rediss://`],
  ['redis://qa:hunter2#1@cache', encoded],
  ['redis://qa:2#hunter2@cache', encoded],
  ['redis://qa:hunter2@cache/first', encoded],
  ['redis://qa:hunter2@cache/0?prefix=a{b}', '1 to 64 letters'],
  ['redis://qa:hunter2@cache/0?db=hunter2', encoded],
  ['redis://qa:hunter2%@cache/0', encoded],
])('says what is wrong with %s, and shows no password', (url, problem) => {
  const parsed = parseRedisUrl(url);
  expect(parsed).toContain(problem);
  expect(parsed).not.toContain('hunter2');
});
