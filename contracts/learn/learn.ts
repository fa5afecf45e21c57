import type { Api, Operation, Refusal } from '../../openapi/index.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { toKey } from '../../openapi/model/operation.ts';
import type { Round } from '../fidelity/replay-all.ts';
import { createGuard } from './guard.ts';
import { learnAnswers, learnUnknownPaths } from './learn-answers.ts';
import { learnCounts } from './learn-counts.ts';
import { learnEffects } from './learn-effects.ts';
import { learnFilters, learnIgnored, learnOrders } from './learn-lists.ts';
import { type LearnOptions, learnMembers } from './learn-members.ts';
import { learnRefusals } from './learn-refusals.ts';
import { learnShown } from './learn-shown.ts';
import { learnStructure } from './learn-structure.ts';
import { learnTimes } from './learn-times.ts';
import { type Line, Lines } from './lines.ts';
import { type Observation, observe } from './observe.ts';

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
      ...learnIgnored(seen, document),
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
  const found = [...Map.groupBy(before, ({ operation }) => toKey(operation))].flatMap(
    ([key, seen]) => {
      const isFewer = (is: (one: Observation) => boolean) =>
        (after.get(key) ?? []).filter(is).length < seen.filter(is).length;
      const isLost = isFewer(hasSameStatus);
      if (!isLost && !isFewer(({ replayed }) => replayed.differences.length === 0)) return [];
      const [first] = seen;
      const ofCreates = linesOf(
        ({ kind, resource }) => rowOf(kind).adds === true && resource === first?.operation.resource,
      );
      const own = linesOf((one) => toKey(one) === key);
      return isLost && ofCreates.length > 0 ? ofCreates : own.length > 0 ? own : ofCreates;
    },
  );
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
