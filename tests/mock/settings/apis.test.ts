import { expect, it } from 'vitest';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { parseConfig } from '../../../mock/settings/config.ts';
import { writeJson } from '../../support/write-json.ts';

const apisOf = (args: string[], env = {}) => {
  const { apis, config } = parseConfig(args, env);
  return { config, apis: Object.fromEntries(apis ?? []) };
};

it('takes documents with names for APIs, which share all other settings', () => {
  const { config, apis } = apisOf(['--spec', 'users=u.yaml', '--spec=orders=o.yaml', '--seed=7']);
  expect(config?.spec).toBeUndefined();
  expect(apis).toMatchObject({
    users: { spec: 'u.yaml', seed: 7, allowedHosts: ['users'] },
    orders: { spec: 'o.yaml', seed: 7 },
  });
  const env = { TWIN_SPEC: 'users=u,v.yaml,orders=https://a.test/o.json?b=c' };
  expect(apisOf([], env).apis).toMatchObject({
    users: { spec: 'u,v.yaml' },
    orders: { spec: 'https://a.test/o.json?b=c' },
  });
});

it.each([
  ['openapi.yaml'],
  ['https://a.test/o.json?users=1,orders=2'],
  ['./a=b.yaml'],
  ['C:\\a=b'],
])('takes %s for a document without a name', (spec) => {
  expect(parseConfig(['--spec', spec], {})).toMatchObject({ config: { spec } });
  expect(parseConfig(['--spec', spec], {}).apis).toBeUndefined();
  expect(parseConfig([], { TWIN_SPEC: spec })).toMatchObject({ config: { spec } });
});

it('reads settings of each API from the config file, below flags', async () => {
  const file = await writeJson({
    seed: 3,
    items: 9,
    apis: {
      users: { spec: 'u.yaml', keys: 'k.json', items: 2, port: 4011, 'webhook-url': '/orders/x' },
      orders: 'o.yaml',
    },
  });
  expect(apisOf(['--config', file]).apis).toMatchObject({
    users: { spec: 'u.yaml', keys: 'k.json', items: 2, seed: 3, port: 4011 },
    orders: { spec: 'o.yaml', items: 9, seed: 3, port: -1 },
  });
  const { apis } = apisOf(['--config', file, '--items=4', '--spec', 'users=v.yaml', '--port=1']);
  expect(apis).toMatchObject({ users: { spec: 'v.yaml', keys: 'k.json', items: 4, port: 4011 } });
});

it('divides a store that all have', async () => {
  const specs = ['--spec', 'users=u.yaml', '--spec', 'orders=o.yaml'];
  const storesOf = (store: string) =>
    Object.values(apisOf([...specs, '--store', store]).apis).map((one) => one.store);
  expect(storesOf('sqlite:a.b/twin.db')).toEqual(
    ['users', 'orders'].map((name) => `sqlite:a.b/twin-${name}.db`),
  );
  expect(storesOf('sqlite:twin')).toEqual(['sqlite:twin-users', 'sqlite:twin-orders']);
  expect(storesOf('redis://u:p@host/1?prefix=ci')).toEqual([
    'redis://u:p@host/1?prefix=ci.users',
    'redis://u:p@host/1?prefix=ci.orders',
  ]);
  expect(storesOf('redis://host')[0]).toBe('redis://host?prefix=petstore-twin.users');
  expect(storesOf('memory')).toEqual(['memory', 'memory']);
});

it.each<[string, unknown[], string]>([
  [
    'two without names',
    ['--spec', 'a.yaml', '--spec', 'b.yaml'],
    '--spec is given several times, so each needs a name, but a.yaml has none. Write --spec NAME=a.yaml.',
  ],
  [
    'a name twice',
    ['--spec', 'a=a.yaml', '--spec', 'a=b.yaml'],
    '--spec gives two documents the name a.',
  ],
  ['a name with a slash', [{ 'a/b': 'a.yaml' }], 'the name of an API must be 1 to 40'],
  [
    'a name of upper case',
    ['--spec', 'Users=a.yaml'],
    '--spec Users=a.yaml: the name of an API must be',
  ],
  ['a taken name', ['--spec', 'localhost=a.yaml'], 'no API can have the name localhost'],
  ['no document', [{ users: { seed: 3 } }], 'The API users has no document.'],
  ['no settings', [{ users: 3 }], 'users in "apis" in'],
  ['no APIs', [[]], 'must be an object with the settings of each API'],
  [
    'a setting of the process',
    [{ users: { spec: 'a', host: '::' } }],
    'is a setting of the whole process',
  ],
  [
    'an unknown setting',
    [{ users: { spec: 'a', sed: 1 } }],
    'is not a setting. Did you mean "seed"?',
  ],
  [
    'a wrong value',
    [{ users: { spec: 'a', seed: 'x' } }],
    'seed of the API users must be a whole number',
  ],
  [
    'the port of another',
    [{ a: { spec: 'a', port: 5 }, b: { spec: 'b', port: 5 } }],
    'has the port 5, which the API a has, too',
  ],
  ['the port of all', [{ a: { spec: 'a', port: 4010 } }], 'which the process itself has, too'],
  [
    'the store of another',
    [{ a: { spec: 'a', store: 'sqlite:x' }, b: { spec: 'b', store: 'sqlite:x' } }],
    'The APIs a and b have the same store.',
  ],
  [
    'a webhook to nobody',
    [{ a: { spec: 'a', 'webhook-url': '/b/hook' } }],
    'leads to no API. A path begins with the name of one: a.',
  ],
  [
    'a document without a name',
    ['--spec', 'c.yaml', { a: 'a.yaml' }],
    '--spec has no name, but there are several APIs.',
  ],
])('says in one sentence what is wrong with %s', async (_, given, message) => {
  const args: string[] = [];
  for (const one of given)
    if (typeof one === 'string') args.push(one);
    else args.push('--config', await writeJson({ apis: one }));
  const start = () => parseConfig(args, {});
  expect(start).toThrow(UsageError);
  expect(start).toThrow(message);
});
