import type { Transcript } from '../transcript/transcript.ts';
import { maxRefill, onlyOperation, type Refill, refillOf, type Span, spansByKey } from './spans.ts';

/**
 * By how much Remaining falls with each call of an operation: the same number each time; `uneven`
 * where no one number explains what was seen; `unsure` where it was not seen often enough.
 */
export type Cost = number | 'uneven' | 'unsure';

/** The counter of a key, read from its answers. */
export type KeyCounter = {
  key: string;
  spans: readonly Span[];
  refill: Refill;
  /** By the operation's id. */
  costs: ReadonlyMap<string, Cost>;
  /**
   * Who else uses it, if it falls by more than any constant cost of our calls explains: another
   * client, or our own calls with other keys.
   */
  takenBy: 'nobody' | 'somebody-else' | 'other-keys';
};

/** How often a fall by more than one must be seen before it counts as the operation's cost. */
const minSeen = 3;

/**
 * How many times longer than the shortest the longest of its spans must be: a call costs the same
 * after any time, while another client takes more in a longer one.
 */
const minSpread = 3;

/** The shortest time that counts for that, in milliseconds. */
const minTime = 1;

/** Reads the counter of each key from its answers. */
export function readCounters(transcript: Pick<Transcript, 'exchanges'>): KeyCounter[] {
  const spansOf = spansByKey(transcript);
  const counters = [...spansOf].map(([key, spans]) => {
    const refill = refillOf(spans);
    return { key, spans, refill, costs: costsOf(spans, refill) };
  });
  const ofOthers = new Map(
    counters.flatMap(({ costs }) => [...costs].filter(([, cost]) => typeof cost === 'number')),
  );
  return counters.map((counter) => {
    const { key, spans } = counter;
    const costs = new Map([...ofOthers, ...counter.costs]);
    // Others can only take, so a counter that also rises is another matter.
    const rises =
      counter.refill !== 'yes' &&
      spans.some(({ fall, maybeBefore, isOneWindow }) => isOneWindow && fall < -maybeBefore);
    const isTaken = !rises && spans.some((span) => excessOf(span, costs) > 0);
    const takenBy = !isTaken
      ? 'nobody'
      : takesWithOtherKeys(transcript, key, spans)
        ? 'other-keys'
        : 'somebody-else';
    return { ...counter, takenBy };
  });
}

/** How often a counter must fall by just our calls to say that nobody else uses the key. */
const minExact = 8;

/** Whether it is seen that nobody else used a key all the time. */
export function isExclusive({ spans, takenBy }: KeyCounter): boolean {
  // A counter that stands at 0 says nothing of who uses it.
  const inWindow = spans.filter(
    ({ before, isOneWindow }) => isOneWindow && before.quota.remaining > 0,
  );
  const exact = inWindow.filter(({ fall, sure, maybe }) => fall >= sure && fall <= sure + maybe);
  return takenBy === 'nobody' && exact.length >= minExact && exact.length === inWindow.length;
}

/**
 * The keys that something else uses too, and why their counters say nothing about the deployment.
 */
export function takenKeys(
  counters: readonly KeyCounter[],
): { keys: ReadonlySet<string>; reason: string } | undefined {
  const taken = counters.filter(({ takenBy }) => takenBy !== 'nobody');
  const [{ takenBy } = { takenBy: 'nobody' }] = taken;
  if (takenBy === 'nobody') return undefined;
  const alike = taken.filter((counter) => counter.takenBy === takenBy).map(({ key }) => key);
  const names = `${alike.length === 1 ? 'key' : 'keys'} ${alike.join(', ')}`;
  const reason =
    takenBy === 'somebody-else'
      ? `another client uses ${names}: Remaining falls by more than our calls`
      : `Remaining of ${names} falls with calls of other keys too, so its calls cannot be counted one by one`;
  return { keys: new Set(taken.map(({ key }) => key)), reason };
}

/** The maximum known cost of a call of an operation, in requests. */
export function maxOf(cost: Cost | undefined): number {
  return typeof cost === 'number' ? Math.max(1, cost) : 1;
}

function isKnown(cost: Cost | undefined): boolean {
  return cost !== undefined && cost !== 'unsure';
}

function costsOf(spans: readonly Span[], refill: Refill): Map<string, Cost> {
  const samples = spans.filter((span) => span.isOneWindow && onlyOperation(span) !== undefined);
  return new Map(
    [...Map.groupBy(samples, (span) => onlyOperation(span) as string)].map(([id, of]) => [
      id,
      costOf(of, refill),
    ]),
  );
}

/** The one cost that explains all spans of an operation, 1 where it does. */
function costOf(spans: readonly Span[], refill: Refill): Cost {
  let [min, max] = [0, Number.POSITIVE_INFINITY];
  for (const { before, after, fall, sure } of spans) {
    const gain =
      refill === 'yes'
        ? Math.floor(maxRefill(before.quota.limit, after.endedAt - before.sentAt))
        : 0;
    min = Math.max(min, Math.ceil(fall / sure));
    // Nothing can fall below 0.
    if (after.quota.remaining > 0) max = Math.min(max, Math.floor((fall + gain) / sure));
  }
  if (min > max) return 'uneven';
  if (min <= 1 && max >= 1) return 1;
  if (min <= 1) return max;
  const counted = spans.filter(({ after }) => after.quota.remaining > 0);
  const times = counted.map(({ before, after }) => after.endedAt - before.endedAt);
  const isSpread = Math.max(...times) >= minSpread * Math.max(minTime, Math.min(...times));
  return counted.length >= minSeen && isSpread ? min : 'unsure';
}

/** By how much Remaining fell beyond the maximum cost of the calls of a span. */
function excessOf(
  { calls, fall, maybe, isOneWindow }: Span,
  costs: ReadonlyMap<string, Cost>,
): number {
  if (!isOneWindow || ![...calls.keys()].every((id) => isKnown(costs.get(id)))) return 0;
  const dearest = Math.max(1, ...[...costs.values()].map(maxOf));
  const paid = [...calls].reduce((sum, [id, number]) => sum + number * maxOf(costs.get(id)), 0);
  return fall - paid - maybe * dearest;
}

/**
 * Whether our calls with other keys at the same time explain what is missing, as they do if all
 * keys share one counter.
 */
function takesWithOtherKeys(
  { exchanges }: Pick<Transcript, 'exchanges'>,
  key: string,
  spans: readonly Span[],
): boolean {
  const others = exchanges.filter(({ request }) => request.keyName !== key);
  let [taken, made] = [0, 0];
  for (const { before, after, fall, sure, maybe, isOneWindow } of spans) {
    if (!isOneWindow) continue;
    const called = others.filter(
      ({ sentAt, endedAt }) => endedAt > before.sentAt && sentAt < after.endedAt,
    ).length;
    if (fall - sure - maybe > called) return false;
    taken += Math.max(0, fall - sure);
    made += called;
  }
  return made > 0 && taken >= made / 2;
}
