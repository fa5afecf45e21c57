import { isSame } from '../../common/json.ts';
import type { Api, Count, Operation, Refusal } from '../../openapi/index.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { toKey } from '../../openapi/model/operation.ts';
import type { Round } from '../fidelity/replay-all.ts';
import { createGuard } from './guard.ts';
import { learnAnswers, learnUnknownPaths } from './learn-answers.ts';
import { learnEffects } from './learn-effects.ts';
import { learnFilters, learnIgnored, learnOrders } from './learn-lists.ts';
import { type LearnOptions, learnMembers } from './learn-members.ts';
import { learnRefusals } from './learn-refusals.ts';
import { learnShown } from './learn-shown.ts';
import { learnStructure } from './learn-structure.ts';
import { byOperation, type Line, Lines, toLine } from './lines.ts';
import { fileOf, type Observation, observe, type ShownItem } from './observe.ts';

export type LearningOptions = LearnOptions & {
  title: string;
  /** Replays all recordings on twins with an overlay. */
  replayAll: (overlay: string | undefined) => Promise<Round>;
};

/** Holds the lines, and the replay with them. */
export type LearnedLines = { lines: Lines; last?: Round };

/** The most times that recordings are replayed: what a line explains may be what the next one needs. */
const maxRounds = 7;

/**
 * Learns lines from recordings until a round adds none: each is proposed by what the twin answers
 * otherwise, and explains every observation. One that refuses what was accepted is withdrawn, and
 * none holds a secret.
 */
export async function learn({
  title,
  replayAll,
  ...options
}: LearningOptions): Promise<LearnedLines> {
  const lines = new Lines();
  let isFree: ReturnType<typeof createGuard> | undefined;
  let listsBefore: ReadonlyMap<string, number> | undefined;
  let seenBefore: readonly Observation[] | undefined;
  for (let round = 0; ; round++) {
    const last = await replayAll(lines.all.length === 0 ? undefined : lines.toOverlay(title));
    const { document, runs } = last;
    const seen = [...runs].flatMap(([file, replayed]) => observe(file, replayed, document));
    const lists = differingLists(seen);
    listsBefore ??= lists;
    seenBefore ??= seen;
    const isWorse = ({ rule: [rule], operation }: Line) => {
      const key = operation === undefined ? '' : toKey(operation);
      // What was no list before was no better then.
      return rule === 'order' && (lists.get(key) ?? 0) > (listsBefore?.get(key) ?? Infinity);
    };
    const isWithdrawn = lines.withdraw(
      (line) => isWorse(line) || seen.some((one) => refusesAccepted(line, one)),
    );
    isFree ??= createGuard(seen, options);
    // With other items, most else is answered otherwise.
    const alike = countStatuses(seen);
    if (round === 1 && alike < countStatuses(seenBefore) && lines.withdraw(isOfKind)) continue;
    if (round < maxRounds && lines.add(learnStructure(seen, document).filter(isFree))) continue;
    const found: Line[] = [
      ...learnMembers(seen, options),
      ...learnAnswers(seen, options),
      ...learnUnknownPaths(last),
      ...learnRefusals(seen),
      ...learnShown(seen, options),
      ...learnEffects(seen, options),
      ...learnCounts(seen),
      ...learnFilters(seen),
      ...learnOrders(seen),
      ...learnIgnored(seen),
      ...learnTimes(seen),
    ];
    const isLonger = round < maxRounds && lines.add(found.filter(isFree));
    if (isLonger || isWithdrawn) continue;
    const harmful = findHarmful(lines.all, { before: seenBefore, now: seen });
    if (!lines.withdraw((line) => harmful.has(line))) return { lines, last };
  }
}

/**
 * Finds the lines of operations that fewer calls are answered alike by than with the document alone;
 * if an item is no longer found, the lines of the operations that create it.
 */
function findHarmful(
  lines: readonly Line[],
  { before, now }: Record<'before' | 'now', readonly Observation[]>,
): Set<Line> {
  const after = Map.groupBy(now, ({ operation }) => toKey(operation));
  const linesOf = (isOne: (one: Operation) => boolean) =>
    lines.filter(({ operation }) => operation && isOne(operation));
  const found = byOperation(before).flatMap((seen) => {
    const [{ operation }] = seen;
    const key = toKey(operation);
    const isFewer = (is: (one: Observation) => boolean) =>
      (after.get(key) ?? []).filter(is).length < seen.filter(is).length;
    const isLost = isFewer(hasSameStatus);
    if (!isLost && !isFewer(({ replayed }) => replayed.differences.length === 0)) return [];
    const ofCreates = linesOf(
      ({ kind, resource }) => rowOf(kind).adds === true && resource === operation.resource,
    );
    const own = linesOf((one) => toKey(one) === key);
    return isLost && ofCreates.length > 0 ? ofCreates : own.length > 0 ? own : ofCreates;
  });
  return new Set(found);
}

/** Whether a line says what an operation does, which a document with mistakes may not allow. */
function isOfKind({ rule: [rule = ''] }: Line): boolean {
  return ['kind', 'id', 'newId'].includes(rule);
}

function countStatuses(seen: readonly Observation[]): number {
  return seen.filter(hasSameStatus).length;
}

/** Whether the mock did what the deployment had done, and answered with the same status. */
function hasSameStatus({ replayed }: Observation): boolean {
  const { response, twin, outcome, twinOutcome } = replayed;
  return response.status === twin?.status && outcome === twinOutcome;
}

/** Counts the differences of lists, by their operations. */
function differingLists(seen: readonly Observation[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of seen) {
    const { operation, replayed } = one;
    const key = toKey(operation);
    const { differences } = replayed;
    const isLost = !hasSameStatus(one);
    if (operation.kind === 'list')
      counts.set(key, isLost ? Infinity : (counts.get(key) ?? 0) + differences.length);
  }
  return counts;
}

/** Whether the mock refused by a line what the deployment had accepted. */
function refusesAccepted({ rule: [rule], value, operation }: Line, one: Observation): boolean {
  const { outcome, twin, twinOutcome, error } = one.replayed;
  if (outcome === 'refusal' || twinOutcome !== 'refusal') return false;
  if (rule === 'unique') return error?.code === 'value_taken';
  const isOfOperation = operation !== undefined && toKey(operation) === toKey(one.operation);
  return rule === 'refuses' && isOfOperation && (value as Refusal).status === twin?.status;
}

/** The title of an overlay that is learned for a document. */
export function titleOf({ title }: Pick<Api, 'title'>): string {
  return `What recordings show of ${title}`;
}

/**
 * Learns the form of times: that of the recorded ones, where all that differ have it. Where others are as
 * the mock writes them, it is that of some operations.
 */
export function learnTimes(all: readonly Observation[]): Line[] {
  const seen = all.flatMap(({ call, operation, replayed }) =>
    replayed.differences
      .filter(
        ({ kind, recorded, twin }) =>
          kind === 'form' && [recorded, twin].map(String).every(isMoment),
      )
      .map(({ recorded }) => ({ call, operation, form: toForm(String(recorded)) })),
  );
  const isOwn = ({ replayed: { response, differences } }: Observation) =>
    differences.every(({ kind }) => kind !== 'form') && ownTime.test(response.text);
  const groups = all.some(isOwn)
    ? Map.groupBy(seen, ({ operation }) => operation)
    : [[undefined, seen] as const];
  return [...groups].flatMap(([operation, own]): Line[] => {
    const forms = new Set(own.map(({ form }) => form));
    const [form] = forms;
    if (forms.size !== 1 || form === undefined) return [];
    const calls = [...new Set(own.map(({ call }) => call))].map((call) => ({ call }));
    const value = form.replace('0000-00-00', '2026-01-01');
    return [toLine(calls, { ...(operation && { operation }), rule: ['times'], value })];
  });
}

/** Matches a text of JSON that is a time as the mock writes it. */
const ownTime = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z"/;

/** A time in the form of another one, which is the same for all such times. */
function toForm(time: string): string {
  const [weekday] = /^[A-Z][a-z]{2}, /.exec(time) ?? [];
  const form = time.replaceAll(/\d/g, '0');
  return weekday ? `Thu, 01 Jan 2026 00:00:00 ${form.split(' ').at(-1)}` : form;
}

/** Whether a text is a time of a day. */
function isMoment(text: string): boolean {
  return /\d[T ]\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Learns which numbers of items count those of other collections. */
function learnCounts(all: readonly Observation[]): Line[] {
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

type SeenCall = Pick<Observation, 'call' | 'resource'> & { shown: ShownItem };

/** Finds what one member counts: that whose number changes by as much whenever the member does. */
function learnCount(path: string, member: string, seen: readonly SeenCall[]): Line[] {
  const byItem = Map.groupBy(seen, ({ call, shown }) => `${fileOf(call)} ${shown.places[0]}`);
  const steps = [...byItem.values()].flatMap((shows) =>
    shows.slice(1).map((now, at) => ({ before: shows[at] as SeenCall, now })),
  );
  const changeOf = ({ before, now }: (typeof steps)[number]) =>
    Number(now.shown.item[member]) - Number(before.shown.item[member]);
  const changed = steps.filter((step) => changeOf(step) !== 0);
  if (changed.length === 0) return [];
  const keys = new Set(seen.flatMap(({ shown }) => [...shown.counts.keys()]));
  const numberOf = ({ shown }: SeenCall, key: string) => shown.counts.get(key) ?? 0;
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
