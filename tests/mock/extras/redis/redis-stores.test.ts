import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseRedisUrl } from '../../../../mock/extras/redis/address.ts';
import { isRefusedForGood, toReason } from '../../../../mock/extras/redis/connection.ts';
import { openRedisBackend } from '../../../../mock/extras/redis/open-redis-backend.ts';
import { describeWithRedis, openRedis, type RedisServer } from '../../../support/redis-server.ts';
import { testJournal } from '../../journal/journal-conformance.ts';
import { testBackend } from '../../sandboxes/backend-conformance.ts';
import { testEviction } from '../../sandboxes/eviction-conformance.ts';
import { testTasks } from '../tasks/tasks-conformance.ts';

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

it.each(['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
  'says that a certificate is not accepted: %s',
  (code) => {
    const error = Object.assign(new Error('It failed.'), { code });
    expect(toReason(error, false)).toContain(`has a certificate that is not accepted (${code})`);
    expect(isRefusedForGood(error, false)).toBe(true);
  },
);

it.each([
  'ERR Protocol error: unauthenticated multibulk length',
  'ERR AUTH <password> called without any password configured for the default user.',
])('says what is wrong with a password: %s', (message) => {
  const error = new Error(message);
  expect(toReason(error, true)).toBe(`answers "${message.replace(/\.$/, '')}"`);
  expect(isRefusedForGood(error, true)).toBe(true);
});

let server: RedisServer;
let stores = 0;

const createStore = async () => {
  const url = `${server.url}?prefix=store-${++stores}`;
  return {
    open: (options: Parameters<typeof openRedisBackend>[1]) => openRedisBackend(url, options),
    remove: async () => {},
  };
};

describeWithRedis('Redis', () => {
  beforeAll(async () => {
    server = await openRedis();
  });
  afterAll(() => server?.close());

  testBackend('Redis', createStore, { survives: true, processes: 3, runs: 40 });
  testEviction('Redis', createStore, { survives: true, processes: 2, runs: 20 });
  testJournal('Redis', createStore, { processes: 3, runs: 20 });
  testTasks('Redis', createStore, { survives: true, processes: 3 });
});
