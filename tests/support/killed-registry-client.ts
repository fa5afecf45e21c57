import { expect } from 'vitest';
import type { Call, KilledTwinClient } from './killed-twin.ts';

/** Creates sandboxes with options of their own, and deletes them again. */
export function createRegistryClient(): KilledTwinClient {
  const shown = new Map<string, string | undefined>();
  let changing: string | undefined;
  let turn = 0;
  const look = async (call: Call, name: string) => {
    const { status, text } = await call('GET', `/__admin/sandboxes/${name}`);
    return status === 404 ? undefined : text.replace(/,"createdAt":.*/, '');
  };
  return {
    async act(call) {
      turn += 1;
      const name = `r${turn % 4}`;
      changing = name;
      if (shown.get(name) === undefined) {
        const body = JSON.stringify({
          seed: turn,
          pets: turn % 7,
          plans: { free: { perMinute: 5, perDay: turn } },
        });
        expect((await call('PUT', `/__admin/sandboxes/${name}`, { body })).status).toBe(201);
      } else expect((await call('DELETE', `/__admin/sandboxes/${name}`)).status).toBe(204);
      shown.set(name, await look(call, name));
      changing = undefined;
    },
    async check(call) {
      for (const [name, expected] of shown) {
        const found = await look(call, name);
        if (name === changing) shown.set(name, found);
        else expect(found).toBe(expected);
      }
      if (changing !== undefined) shown.set(changing, await look(call, changing));
      changing = undefined;
    },
  };
}
