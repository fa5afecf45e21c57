import fc from 'fast-check';
import { expect, it } from 'vitest';
import { adminOf } from '../../../support/admin-requests.ts';
import { bearer, startTwin } from '../../../support/twin.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The places in a value: the names and numbers that lead to each part. */
function placesOf(value: Json, above: string[] = []): string[][] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [above, ...inner.flatMap(([name, one]) => placesOf(one as Json, [...above, name]))];
}

/** The same value with another part at a place. */
function withPart(value: Json, [name, ...rest]: string[], part: Json): Json {
  if (name === undefined) return part;
  const copy = structuredClone(value) as Record<string, Json>;
  copy[name] = withPart(copy[name] as Json, rest, part);
  return copy;
}

const parts: Json[] = [null, true, -1, 0, 1e30, 1.5, '', 'x', '9'.repeat(20), [], [null], {}];

it('refuses a damaged snapshot with the reason, or restores what it says', async () => {
  const { origin, api } = await startTwin({ pets: 2 });
  const { send } = adminOf({ origin });
  const get = () => fetch(`${api}/pets`, { headers: bearer('demo-key-enterprise') });
  await get();
  await send('PUT', 'clock', '{"offsetMillis":1000}');
  await send('POST', 'domains', '{"domain":"docs.example.com"}');
  await send('PUT', 'snapshots/a');
  const { text } = await send('GET', 'snapshots/a');
  const task = {
    id: 'task-1',
    name: 'webhook:deliver',
    args: { id: 'a' },
    due: '2090-01-01T00:00:00Z',
  };
  const whole = { ...JSON.parse(text), tasks: [task] } as Json;
  const places = placesOf(whole);
  const damage = fc.oneof(
    fc
      .tuple(fc.constantFrom(...places), fc.constantFrom(...parts))
      .map(([place, part]) => JSON.stringify(withPart(whole, place, part))),
    fc.nat(text.length - 1).map((end) => text.slice(0, end)),
  );
  await fc.assert(
    fc.asyncProperty(damage, async (body) => {
      const { status, json } = await send('PUT', 'snapshots/b', body || ' ');
      expect([200, 201, 400, 409, 422, 503, 507]).toContain(status);
      if (status >= 400) expect(json.message.length).toBeGreaterThan(20);
      else {
        const restored = await send('POST', 'snapshots/b/restore');
        expect([body, restored.status]).toEqual([body, 200]);
      }
      expect((await get()).status).toBeLessThan(500);
    }),
    { seed: 43, numRuns: 80 },
  );
});
