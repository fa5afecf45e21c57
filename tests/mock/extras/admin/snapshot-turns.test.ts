import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createParseSnapshot } from '../../../../mock/extras/snapshots/parse-snapshot.ts';
import { startTwin } from '../../../support/twin.ts';

it('answers other requests while it reads a large snapshot', async () => {
  const { app } = await startTwin({ pets: 0 });
  const parse = createParseSnapshot({ ...app.served, allowedHosts: [] });
  const items = Array.from({ length: 30_000 }, (_, index) => ({
    id: index + 1,
    name: 'x',
    categoryId: 1,
  }));
  const body = { version: 1, collections: { pets: { next: items.length + 1, items } } } as const;
  let turns = 0;
  const parsing = parse(body, body).finally(() => (turns = -turns));
  while (turns >= 0) {
    turns += 1;
    await setImmediate();
  }
  expect(turns).toBeLessThanOrEqual(-3);
  expect((await parsing).state?.collections.pets?.items).toHaveLength(30_000);
});

it('imports a snapshot under the plans that are served once its items are read', async () => {
  const { app } = await startTwin({ pets: 0 });
  const { document, namedItems, keys, policy, toInitialState } = app.served;
  const parse = createParseSnapshot({
    ...app.served,
    allowedHosts: [],
    toInitialState: (options) => app.sandboxes.toInitialState(options),
  });
  const items = Array.from({ length: 30_000 }, (_, index) => ({
    id: index + 1,
    name: 'x',
    categoryId: 1,
  }));
  const body = { version: 1, collections: { pets: { next: items.length + 1, items } } } as const;
  const parsing = parse(body, body);
  const free = { name: 'free', perMinute: 3, perDay: 30 };
  await app.serve({
    document,
    namedItems,
    keys,
    policy: { ...policy, plans: { ...policy.plans, free } },
    limits: 'plans',
  });
  const { state } = await parsing;
  expect(state?.collections.pets?.items).toHaveLength(30_000);
  expect((await toInitialState({})).settings.policy.plans.free?.perMinute).toBe(60);
});
