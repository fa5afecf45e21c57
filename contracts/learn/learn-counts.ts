import { isSame } from '../../common/json.ts';
import type { Count } from '../../openapi/index.ts';
import { type Line, toLine } from './lines.ts';
import { fileOf, type Observation, type ShownItem } from './observe.ts';

/** Learns which numbers of items count those of other collections. */
export function learnCounts(all: readonly Observation[]): Line[] {
  const byPath = Map.groupBy(
    all.flatMap((one) =>
      one.shown.map((shown) => ({ call: one.call, resource: one.resource, shown })),
    ),
    ({ resource }) => resource?.path ?? '',
  );
  return [...byPath].flatMap(([path, seen]) => {
    if (path === '') return [];
    const differing = seen.flatMap(({ shown }) => shown.differing);
    const isNumber = (name: string) =>
      seen.every(({ shown: { item } }) => ['number', 'undefined'].includes(typeof item[name]));
    const names = [...new Set(differing)].filter(isNumber);
    return names.flatMap((name) => learnCount(path, name, seen));
  });
}

type Seen = Pick<Observation, 'call' | 'resource'> & { shown: ShownItem };

/** Finds what one member counts: that whose number changes by as much whenever the member does. */
function learnCount(path: string, member: string, seen: readonly Seen[]): Line[] {
  const byItem = Map.groupBy(seen, ({ call, shown }) => `${fileOf(call)} ${shown.places[0]}`);
  const steps = [...byItem.values()].flatMap((shows) =>
    shows.slice(1).map((now, at) => ({ before: shows[at] as Seen, now })),
  );
  const changeOf = ({ before, now }: (typeof steps)[number]) =>
    Number(now.shown.item[member]) - Number(before.shown.item[member]);
  const changed = steps.filter((step) => changeOf(step) !== 0);
  if (changed.length === 0) return [];
  const keys = new Set(seen.flatMap(({ shown }) => [...shown.counts.keys()]));
  const numberOf = ({ shown }: Seen, key: string) => shown.counts.get(key) ?? 0;
  const fitting = [...keys].filter((key) =>
    steps.every((step) => numberOf(step.now, key) - numberOf(step.before, key) === changeOf(step)),
  );
  const [best] = fitting
    .map((key): Omit<Count, 'in' | 'member'> => JSON.parse(key))
    .toSorted((left, right) => costOf(left, member) - costOf(right, member));
  if (!best) return [];
  const value: Count = { in: path, member, ...best };
  const shown = changed.map(({ now }) => now);
  return [toLine(shown, { rule: ['counts', `${path} ${member}`], value })];
}

/** Orders what a member may count: fewer conditions first, but before them one that its name has. */
function costOf({ by, when = {} }: Omit<Count, 'in' | 'member'>, member: string): number {
  const words = member.toLowerCase().split(/[^a-z]+/);
  const [value] = Object.values(when);
  const isNamed = words.some((word) => isSame(word, String(value).toLowerCase()));
  const cost = value === undefined ? 1 : isNamed ? 0 : 2;
  return cost * 2 + Number(by !== undefined);
}
