import { expect } from 'vitest';
import type { Random } from '../../mock/faults/random.ts';
import { type Call, type KilledTwinClient, pick } from './killed-twin.ts';

/** The instants that the clock is stopped at are in one minute, so that no window ends. */
const minute = '2030-01-01T12:00';

type Part = 'clock' | 'settings' | 'limits' | 'faults' | 'snapshots' | 'items' | 'exports';

const all: readonly Part[] = [
  ...(['clock', 'settings', 'limits', 'faults', 'snapshots', 'items', 'exports'] as const),
];

export type ControlClientOptions = {
  /** The sandbox that it alone uses. */
  sandbox: string;
  key: string;
  /** The name of the key. */
  name: string;
  random: Random;
};

/**
 * Changes all that the admin can change of a sandbox. After each change it looks at everything, so
 * that it knows what a twin that goes on has to show, but for what was being changed.
 */
export function createControlClient(options: ControlClientOptions): KilledTwinClient {
  const { sandbox, key, name, random } = options;
  const prefix = `/sandboxes/${sandbox}`;
  let seen: Record<Part, string> | undefined;
  let changing: readonly Part[] = [];
  let turn = 0;

  const admin = async (call: Call, method: string, path: string, body?: unknown) =>
    call(method, `${prefix}/__admin${path}`, {
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const look = async (call: Call): Promise<Record<Part, string>> => {
    const show = async (path: string) => (await admin(call, 'GET', path)).text;
    const snapshots = await show('/snapshots');
    const names = (JSON.parse(snapshots).snapshots as { name: string }[]).map(({ name }) => name);
    return {
      clock: await show('/clock'),
      settings: await show('/settings'),
      limits: await show(`/limits/${name}`),
      faults: await show('/faults'),
      items: await show('/data/pets'),
      snapshots,
      exports: (await Promise.all(names.map((name) => show(`/snapshots/${name}`)))).join('\n'),
    };
  };
  const snapshot = () => `/snapshots/s${Math.floor(random() * 3)}`;
  const count = () => (turn += 1);
  const plans = ['free', 'pro', 'business', 'enterprise'];
  const changes: readonly (() => [parts: readonly Part[], request: string, body?: unknown])[] = [
    () => {
      const second = String(count() % 60).padStart(2, '0');
      return [['clock'], 'PUT /clock', { action: 'freeze', instant: `${minute}:${second}Z` }];
    },
    () => [['settings'], 'POST /settings', { fixedDelay: count() % 2 }],
    () => [['limits'], `POST /limits/${name}`, { plan: pick(random, plans) }],
    () => [['limits'], `POST /limits/${name}`, { lift: true }],
    () => [['limits'], `POST /limits/${name}`, { ban: 60 + count() }],
    () => {
      const when = random() < 0.5 ? { every: 3 } : { probability: 0.5 };
      const body = { code: 'ré', message: `${count()}` };
      const rule = { operation: 'getPet', ...when, status: 503, body };
      return [['faults'], `PUT /faults/f${count() % 3}`, rule];
    },
    () => [['faults'], `DELETE /faults/f${count() % 3}`],
    () => [['items'], 'POST /data/pets', { name: `Rex ${count()}`, categoryId: 1 }],
    () => [['items'], `DELETE /data/pets/${1 + Math.floor(random() * 20)}`],
    () => [['snapshots', 'exports'], `PUT ${snapshot()}`],
    () => [['snapshots', 'exports'], `PUT ${snapshot()}`],
    () => [['snapshots', 'exports'], `DELETE ${snapshot()}`],
    () => [['clock', 'limits', 'items'], `POST ${snapshot()}/restore`],
    () => [all, 'POST /reset'],
    ...Array.from({ length: 4 }, () => (): [readonly Part[], string] => [
      ['limits', 'faults'],
      'GET /v1/pets/1',
    ]),
  ];
  const run = (call: Call, request: string, body: unknown) => {
    const [method = '', path = ''] = request.split(' ');
    const isOfApi = path.startsWith('/v1');
    return isOfApi ? call(method, prefix + path, { key }) : admin(call, method, path, body);
  };
  return {
    async act(call) {
      if (!seen) {
        await admin(call, 'PUT', '/clock', { action: 'freeze', instant: `${minute}:00Z` });
        seen = await look(call);
        return;
      }
      const [parts, request, body] = pick(random, changes)();
      changing = parts;
      const { status } = await run(call, request, body);
      expect([200, 201, 202, 204, 404, 429, 503]).toContain(status);
      seen = await look(call);
      changing = [];
      // The clock runs again after a reset.
      if (JSON.parse(seen.clock).frozen === false) seen = undefined;
    },
    async check(call) {
      const found = await look(call);
      for (const part of all)
        if (seen && !changing.includes(part)) expect(found[part], part).toBe(seen[part]);
      seen = JSON.parse(found.clock).frozen ? found : undefined;
      changing = [];
    },
  };
}
