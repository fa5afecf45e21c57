import { oncePer } from '../../common/once-per.ts';
import type { Api, Resource, TimeForm, Timestamp } from '../../openapi/index.ts';
import type { Fields } from './stored-item.ts';

/** The timestamps of the items of a collection. */
export const timestampsOf = oncePer(({ schemas }: Api) =>
  oncePer((resource: Resource): readonly Timestamp[] => schemas.findTimestamps(resource)),
);

/** A time in Unix milliseconds as a property holds it. */
export function toTimestamp(time: number, form: TimeForm): string | number {
  if (form === 'milliseconds') return time;
  if (form === 'seconds') return Math.floor(time / 1000);
  return new Date(time).toISOString().slice(0, form === 'date' ? 10 : undefined);
}

const firstSeed = Date.UTC(2020, 0, 1);
const day = 86_400_000;

/**
 * When the n-th item was created that a twin begins with: one a day, and from the thousandth on one
 * a minute, as all of them lie in the past.
 */
function seedTime(n: number): number {
  const days = Math.min(n, 1000);
  return firstSeed + days * day + (n - days) * 60_000;
}

/** The n-th item that a twin begins with: created after those before it, then changed. */
export function withSeedTimes(timestamps: readonly Timestamp[], item: Fields, n: number): Fields {
  const stamped: Record<string, unknown> = { ...item };
  for (const { property, of, form } of timestamps)
    if (Object.hasOwn(item, property))
      stamped[property] = toTimestamp(seedTime(n) + (of === 'update' ? day : 0), form);
  return stamped;
}
