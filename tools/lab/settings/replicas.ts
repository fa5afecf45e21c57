import {
  type Deployment,
  type DeploymentOptions,
  type Mutate,
  openDeployment,
} from '../deployment.ts';
import type { Behaviour, Shop } from '../shop.ts';
import { openRelay } from './relay.ts';

/**
 * Two servers that answer in turn, with one store and one set of counters. The second sees what is
 * created `lag` milliseconds later.
 */
export async function openReplicas(options: DeploymentOptions, lag = 100): Promise<Deployment> {
  let shared: { behaviour: Behaviour; shop: Shop } | undefined;
  const since = new Map<string, number>();
  const writing: Mutate = (truth, shop) => {
    const own = { ...truth, ...options.mutate?.({ ...truth }, shop) };
    const behaviour: Behaviour = {
      ...own,
      create: (body, call) => {
        const item = own.create(body, call);
        since.set(String(item.id), Date.now());
        return item;
      },
    };
    shared = { behaviour, shop };
    return behaviour;
  };
  const first = await openDeployment({ ...options, mutate: writing });
  const { behaviour, shop } = shared as unknown as { behaviour: Behaviour; shop: Shop };
  const behind = <Seen>(look: () => Seen): Seen => {
    const recent = [...shop.items].filter(([id]) => Date.now() - (since.get(id) ?? 0) < lag);
    for (const [id] of recent) shop.items.delete(id);
    const seen = look();
    for (const [id, item] of recent) shop.items.set(id, item);
    return seen;
  };
  const second = await openDeployment({
    ...options,
    mutate: () => ({
      ...behaviour,
      list: (query, call) => behind(() => behaviour.list(query, call)),
      read: (id, call) => behind(() => behaviour.read(id, call)),
    }),
  });
  return openRelay([first, second]);
}
