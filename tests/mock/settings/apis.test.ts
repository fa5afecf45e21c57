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
  expect(storesOf('sqlite:a.b/twin.db')).toEqual([
    ...['sqlite:a.b/twin-users.db', 'sqlite:a.b/twin-orders.db'],
  ]);
  expect(storesOf('sqlite:twin')).toEqual(['sqlite:twin-users', 'sqlite:twin-orders']);
  const redis = 'redis://u:p@host/1?prefix=ci';
  expect(storesOf(redis)).toEqual([`${redis}.users`, `${redis}.orders`]);
  expect(storesOf('redis://host')[0]).toBe('redis://host?prefix=petstore-twin.users');
  expect(storesOf('memory')).toEqual(['memory', 'memory']);
});

const named = (...specs: string[]) => specs.flatMap((spec) => ['--spec', spec]);
const a = { spec: 'a' };
const sameStore = { a: { ...a, store: 'sqlite:x' }, b: { spec: 'b', store: 'sqlite:x' } };

it.each(
  Object.entries<unknown[]>({
    '--spec is given several times, so each needs a name, but a.yaml has none. Write --spec NAME=a.yaml.':
      named('a.yaml', 'b.yaml'),
    '--spec gives two documents the name a.': named('a=a.yaml', 'a=b.yaml'),
    'the name of an API must be 1 to 40': [{ 'a/b': 'a.yaml' }],
    '--spec Users=a.yaml: the name of an API must be': named('Users=a.yaml'),
    'no API can have the name localhost': named('localhost=a.yaml'),
    'The API users has no document.': [{ users: { seed: 3 } }],
    'users in "apis" in': [{ users: 3 }],
    'must be an object with the settings of each API': [[]],
    'is a setting of the whole process': [{ users: { ...a, host: '::' } }],
    'is not a setting. Did you mean "seed"?': [{ users: { ...a, sed: 1 } }],
    'seed of the API users must be a whole number': [{ users: { ...a, seed: 'x' } }],
    'has the port 5, which the API a has, too': [
      { a: { ...a, port: 5 }, b: { spec: 'b', port: 5 } },
    ],
    'which the process itself has, too': [{ a: { ...a, port: 4010 } }],
    'The APIs a and b have the same store.': [sameStore],
    'leads to no API. A path begins with the name of one: a.': [
      { a: { ...a, 'webhook-url': '/b/hook' } },
    ],
    '--spec has no name, but there are several APIs.': [...named('c.yaml'), { a: 'a.yaml' }],
  }),
)('says in one sentence: %s', async (message, given) => {
  const args: string[] = [];
  for (const one of given)
    if (typeof one === 'string') args.push(one);
    else args.push('--config', await writeJson({ apis: one }));
  const start = () => parseConfig(args, {});
  expect(start).toThrow(UsageError);
  expect(start).toThrow(message);
});
