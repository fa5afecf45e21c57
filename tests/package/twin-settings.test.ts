import { expect, expectTypeOf, it } from 'vitest';
import type { Config } from '../../mock/settings/settings.ts';
import {
  connectTwin,
  createTwin,
  type Sandbox,
  TwinError,
  type TwinSettings,
} from '../../package/twin.ts';
import { sendRaw } from '../support/raw-socket.ts';
import { ca, forElsewhere, forLocalhost } from '../support/tls.ts';

const list = (of: Sandbox) =>
  fetch(`${of.url}/pets`, { headers: { Authorization: `Bearer ${of.key()}` } });
const count = async (of: Sandbox) => ((await (await list(of)).json()) as unknown[]).length;

it('begins with items of one’s own, to the digit, and goes back to them', async () => {
  await using own = await createTwin({
    data: {
      pets: [
        { id: 5n, name: 'Rex', categoryId: 9_007_199_254_740_993n },
        { name: 'Mia', categoryId: 2 },
      ],
      'store/orders': [{ petId: 5, placedAt: new Date(0) }],
    },
  });
  const orders = async () =>
    (
      await fetch(`${own.url}/store/orders`, { headers: { Authorization: `Bearer ${own.key()}` } })
    ).json();
  expect(await own.data.list('pets')).toEqual([
    { id: 5, name: 'Rex', categoryId: 9_007_199_254_740_993n },
    { id: 1, name: 'Mia', categoryId: 2 },
  ]);
  await own.data.clear('pets');
  await own.data.create('store/orders', { petId: 1 });
  expect(await orders()).toMatchObject([
    { id: 1, placedAt: '1970-01-01T00:00:00.000Z' },
    { id: 2 },
  ]);
  const snapshot = await own.snapshot();
  await own.reset();
  expect([await count(own), await orders()]).toMatchObject([2, [{ id: 1 }]]);
  await using copy = await createTwin({ data: JSON.parse(await snapshot.export()) });
  expect([await count(copy), await copy.data.list('store/orders')]).toMatchObject([
    0,
    [{ id: 1 }, { id: 2 }],
  ]);
  await using three = await own.sandbox('three', { items: 3 });
  expect(await count(three)).toBe(3);
});

it.each<[settings: TwinSettings, message: string]>([
  [{ data: { pets: [{ name: 'x' }] } as never }, 'data "pets/0/categoryId" is required.'],
  [
    { data: { pets: [{ name: 1 }] } as never },
    'data has 2 mistakes:\n  "pets/0/categoryId" is required.\n  "pets/0/name" must be a string, but is 1.',
  ],
  [{ data: { dogs: [] } }, 'data "dogs" is no collection of the document. Collections are pets,'],
  [{ data: [] as never }, 'data must have an object such as'],
  [{ data: {} }, 'data must have an object such as'],
  [{ data: { pets: [], 'store/orders': [{ n: Number.NaN }] } }, 'data "store~1orders/0/n" must be'],
  [{ data: {}, pets: 3 }, 'data gives all items, so pets has no effect.'],
  [{ data: {}, items: 3 }, 'data gives all items, so items has no effect.'],
  [{ data: 'none.json' }, 'data none.json cannot be read: there is no such file.'],
])('says what is wrong with items of one’s own', async (settings, message) => {
  await expect(createTwin(settings)).rejects.toThrow(message);
});

it('takes keys, plans and bans of one’s own', async () => {
  await using own = await createTwin({
    keys: [{ key: 'mine', plan: 'free', name: 'Team A' }],
    plans: { free: { perMinute: 1, perDay: 5 } },
    ban: false,
    pets: 2,
  });
  expect(own.keys).toEqual([{ key: 'mine', name: 'Team A', plan: 'free' }]);
  await own.clock.freeze();
  expect(await count(own)).toBe(2);
  for (let call = 0; call < 20; call++) expect((await list(own)).status).toBe(429);
  expect(await own.limits.list()).toMatchObject({
    ban: false,
    keys: [{ name: 'Team A', ban: null }],
  });
});

it.each([
  [{ port: 70_000 }, 'port must be a whole number from 0 to 65535, but is 70000.'],
  [{ rateLimits: 'on' as never }, 'rateLimits must be one of enforce, observe, off'],
  [{ seeds: 1 } as never, 'There is no setting "seeds". Settings are port, host, seed'],
  [{ keys: [{ key: 'a', plan: 'gold' }] }, 'keys: keys[0].plan must be one of free, pro'],
  [
    { plans: { free: { perMinute: 0, perDay: 1 } } },
    'plans: plans.free.perMinute must be a whole number of at least 1',
  ],
  [{ spec: '/nowhere.yaml' }, 'There is no document at /nowhere.yaml.'],
  [{ logTransaction: true, logLevel: 'warn' as const }, 'logTransaction writes at the level info'],
  [{ adminToken: 'a b' }, 'adminToken must be made of letters'],
  [{ disableBanner: true } as never, 'There is no setting "disableBanner".'],
  [{ keys: { keys: [{ key: 'a', plan: 'free' }] } } as never, 'keys: "keys" must be a list'],
  [{ keys: 5 } as never, 'keys: "keys" must be a list'],
  [{ plans: 5 } as never, 'plans: "plans" must be an object.'],
  [null as never, 'The settings of a twin must be an object'],
  [[] as never, 'The settings of a twin must be an object'],
  [
    { allowedHosts: [5] } as never,
    'allowedHosts must be a string or a list of strings, but is [ 5 ].',
  ],
  [{ spec: {} } as never, 'spec must be a string or a list of strings, but is {}.'],
  [
    { spec: { paths: Object.fromEntries(Array.from({ length: 90 }, (_, n) => [n, {}])) } } as never,
    /^spec must be a string or a list of strings, but is .{1,110}$/,
  ],
  [{ port: null } as never, 'port must be a whole number from 0 to 65535, but is null.'],
  [{ adminToken: { a: 1 } } as never, 'and -._~+/ only, but is "[Filtered]".'],
  [{ store: 7 as never }, 'or rediss://..., but is 7.'],
  [{ store: { url: 'redis://me:s3cret@db' } as never }, 'but is "[Filtered]".'],
  [{ watch: 'x' as never }, 'watch must be on or off, but is "x".'],
])('says what is wrong with %o', async (settings, message) => {
  await expect(createTwin(settings)).rejects.toThrow(TwinError);
  await expect(createTwin(settings)).rejects.toThrow(message);
});

it('has each setting of the command line but those of its output, typed as it is parsed', () => {
  expectTypeOf<Exclude<keyof Config, keyof TwinSettings>>().toEqualTypeOf<'disableBanner'>();
  expectTypeOf<Exclude<keyof TwinSettings, keyof Config>>().toEqualTypeOf<'ban' | 'listen'>();
  expectTypeOf<Pick<TwinSettings, 'port' | 'watch' | 'spec' | 'rateLimits'>>().toEqualTypeOf<{
    port?: number;
    watch?: boolean;
    spec?: string;
    rateLimits?: 'enforce' | 'observe' | 'off';
  }>();
  expectTypeOf<TwinSettings['logLevel']>().toEqualTypeOf<
    'silent' | 'error' | 'warn' | 'info' | 'debug' | undefined
  >();
  expectTypeOf<TwinSettings['allowedHosts']>().toEqualTypeOf<
    readonly string[] | string | undefined
  >();
  expectTypeOf<Pick<Config, 'port' | 'watch' | 'spec' | 'adminOrigins'>>().toEqualTypeOf<{
    port: number;
    watch: boolean;
    spec?: string;
    adminOrigins: string[];
  }>();
  // @ts-expect-error There is no such setting.
  const unknown: TwinSettings = { seeds: 1 };
  // @ts-expect-error Only the command has a banner.
  const ofCommand: TwinSettings = { disableBanner: true };
  // @ts-expect-error A port is a number.
  const wrong: TwinSettings = { port: '4010' };
  expect([unknown, ofCommand, wrong]).toHaveLength(3);
});

it('reads nothing of the environment', async () => {
  process.env.TWIN_PETS = '1';
  await using other = await createTwin();
  delete process.env.TWIN_PETS;
  expect(await count(other)).toBe(20);
});

it('is reached beyond loopback with its token, and refused with another', async () => {
  await using open = await createTwin({ host: '0.0.0.0', adminToken: 's3cret' });
  expect(open.origin).toContain('//127.0.0.1:');
  expect((await open.limits.list()).mode).toBe('enforce');
  await expect(connectTwin(open.url, { adminToken: 'wrong' })).rejects.toThrow(
    'The admin needs its token.',
  );
  expect(await (await connectTwin(open.url, { adminToken: 's3cret' })).clock.now()).toBeInstanceOf(
    Date,
  );
});

it.each([
  ['one host name for a list of it', 'twin.example'],
  ['a list of host names', ['other.example', 'twin.example']],
])('takes %s', async (_, allowedHosts) => {
  await using own = await createTwin({ allowedHosts });
  const { answers } = await sendRaw(
    own.origin,
    'GET /v1/nothing HTTP/1.1\r\nHost: twin.example\r\nConnection: close\r\n\r\n',
  );
  expect(answers.map(({ status }) => status)).toEqual([401]);
});

it.each([forLocalhost, forElsewhere])(
  'controls a twin whatever its certificate is for ($tlsCert)',
  async (files) => {
    await using secure = await createTwin(files);
    expect(secure.url).toMatch(/^https:/);
    expect((await secure.limits.list()).mode).toBe('enforce');
    await expect(connectTwin(secure.url)).rejects.toThrow(/^There is no twin at https:/);
    const near = connectTwin(secure.url.replace('127.0.0.1', 'localhost'), { ca });
    if (files === forLocalhost) expect((await near).url).toContain('//localhost:');
    else await expect(near).rejects.toThrow(/altnames|certificate/);
  },
);
