import { type Check, clearest, type Violation } from '../clauses/check.ts';
import type { Finding, RelatedFinding } from '../report/events.ts';
import { calledId, headerValue, isAnswered } from '../transcript/exchange.ts';
import type { FoundKind } from './judge.ts';

/** Violations of one kind on all operations, or those of them that have one cause. */
type Kind = {
  found: FoundKind;
  violations: readonly Violation[];
  exchanges: ReadonlySet<number>;
  /** The subjects of the violations. */
  things: ReadonlySet<string>;
};

/** A cause: the kinds of violation that show it, and those that only follow from it. */
type Cause = { kinds: Kind[]; consequences: Kind[] };

/**
 * The share of exchanges that two kinds of error have in common where one guard or handler makes
 * both.
 */
const mostlyTheSame = 0.8;

const weights: readonly Finding['verdict'][] = ['drift', 'standard', 'undocumented', 'known'];

/**
 * One finding for each cause. These have one cause: a violation of one kind on several operations,
 * violations in the same error responses, and those that follow from another check, as the check
 * declares. The first check in order leads; nothing is dropped.
 */
export function groupByCause(found: readonly FoundKind[], checks: readonly Check[]): Finding[] {
  const groups = Map.groupBy(
    found,
    ({ target, verdict }) => `${target} ${weights.includes(verdict) ? '' : verdict}`,
  );
  return [...groups.values()].flatMap((group) =>
    toCauses(toKinds(group, checks), checks).map((cause) => toFinding(cause, checks)),
  );
}

/** Joins violations that differ only in their operation, or that their check calls alike. */
function toKinds(found: readonly FoundKind[], checks: readonly Check[]): Kind[] {
  const groups = Map.groupBy(found, ({ check, verdict, kind }) => `${check} ${verdict} ${kind}`);
  const kinds: Kind[] = [];
  for (const [first, ...others] of groups.values()) {
    const kind = first as FoundKind;
    const violations = [kind, ...others].flatMap((one) => one.violations);
    const { isAlike } = checks.find(({ id }) => id === kind.check) ?? {};
    const at = kinds.findIndex(
      ({ found: { check, verdict }, violations: seen }) =>
        check === kind.check && verdict === kind.verdict && isAlike?.(seen, violations),
    );
    const alike = kinds[at];
    if (alike) kinds[at] = toKind(alike.found, [...alike.violations, ...violations]);
    else kinds.push(toKind(kind, violations));
  }
  return kinds;
}

function toKind(found: FoundKind, violations: readonly Violation[]): Kind {
  return {
    found,
    violations,
    exchanges: new Set(violations.map(({ exchange }) => exchange.number)),
    things: new Set(violations.flatMap(({ about = [] }) => about)),
  };
}

function toCauses(kinds: readonly Kind[], checks: readonly Check[]): Cause[] {
  const checkOf = new Map(checks.map((check) => [check.id, check]));
  const causes: Cause[] = [];
  const consequences: { kind: Kind; of: Kind }[] = [];
  for (const kind of kinds) {
    const check = checkOf.get(kind.found.check);
    const sources = kinds.filter(({ found }) => found.check !== kind.found.check);
    const sourceOf = (one: Violation) =>
      sources.find((source) => isFollowed(check, source, one) && explains(source, one));
    for (const [of, violations] of Map.groupBy(kind.violations, sourceOf)) {
      const part = toKind(kind.found, violations);
      if (of) consequences.push({ kind: part, of });
      else join(causes, part, (other) => isSameCause(part, other, check));
    }
  }
  for (const { kind, of } of consequences)
    findCause(of, causes, consequences)?.consequences.push(kind);
  return causes;
}

/** Adds a kind to the causes, and merges all causes that it belongs to. */
function join(causes: Cause[], kind: Kind, isSame: (other: Kind) => boolean): void {
  const same = causes.filter(({ kinds }) => kinds.some(isSame));
  const others = causes.filter((cause) => !same.includes(cause));
  causes.splice(0, causes.length, ...others, {
    kinds: [...same.flatMap(({ kinds }) => kinds), kind],
    consequences: [],
  });
}

/** The cause that a kind belongs to, directly or as a consequence of a consequence. */
function findCause(
  { found }: Kind,
  causes: readonly Cause[],
  consequences: readonly { kind: Kind; of: Kind }[],
): Cause | undefined {
  const own = causes.find(({ kinds }) => kinds.some((kind) => kind.found === found));
  const before = consequences.find(({ kind }) => kind.found === found);
  return own ?? (before && findCause(before.of, causes, consequences));
}

/** Whether a check says that its violations may follow from those of another. */
function isFollowed(check: Check | undefined, { found }: Kind, violation: Violation): boolean {
  return (check?.follows ?? []).some((one) =>
    typeof one === 'string'
      ? one === found.check
      : one.check === found.check && one.when(violation),
  );
}

function explains({ exchanges, things }: Kind, { exchange, about = [] }: Violation): boolean {
  return (
    exchanges.has(exchange.number) ||
    (about.length > 0 && about.every((thing) => things.has(thing)))
  );
}

function isSameCause(left: Kind, right: Kind, check: Check | undefined): boolean {
  if (left.found.check === right.found.check) {
    if (check?.follows?.includes(check.id) && !left.things.isDisjointFrom(right.things))
      return true;
    // A different status is a different mistake, but one handler may send errors of several
    // statuses in the same wrong form.
    const isForm =
      check?.part !== 'status' &&
      withoutNumbers(left.found.kind) === withoutNumbers(right.found.kind);
    if (isForm && !typesOf(left).isDisjointFrom(typesOf(right))) return true;
  }
  const both = left.exchanges.intersection(right.exchanges).size;
  return (
    isOfErrors(left) &&
    isOfErrors(right) &&
    both / left.exchanges.union(right.exchanges).size >= mostlyTheSame
  );
}

/** Whether a handler of errors may have made them; an undocumented status is a gap of the document. */
function isOfErrors({ found, violations }: Kind): boolean {
  return (
    found.verdict !== 'undocumented' &&
    violations.every(({ exchange: { response } }) => (response?.status ?? 0) >= 400)
  );
}

function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, '#');
}

/** The media types of the answers of a kind: those of one handler have one. */
function typesOf({ violations }: Kind): Set<string | undefined> {
  return new Set(
    violations.map(({ exchange }) =>
      isAnswered(exchange) ? headerValue(exchange, 'Content-Type') : '',
    ),
  );
}

function toFinding({ kinds, consequences }: Cause, checks: readonly Check[]): Finding {
  const inOrder = (all: readonly Kind[]) =>
    all.toSorted(
      (left, right) =>
        weightOf(left, checks) - weightOf(right, checks) ||
        right.exchanges.size - left.exchanges.size,
    );
  const [first, ...others] = inOrder(kinds) as [Kind, ...Kind[]];
  const { violations: _, kind: __, calledIds: ___, show, ...finding } = first.found;
  return {
    ...finding,
    ...show(first.violations),
    ...countsOf(first),
    related: [
      ...others.map((kind) => toRelated(kind, false, first.found.verdict)),
      ...inOrder(joinAlike(consequences)).map((kind) => toRelated(kind, true, first.found.verdict)),
    ],
  };
}

/** A consequence of several kinds is reported once. */
function joinAlike(kinds: readonly Kind[]): Kind[] {
  const byCheck = Map.groupBy(
    kinds,
    ({ found: { check, verdict, kind, operation } }) =>
      `${check} ${verdict} ${kind === operation ? '' : kind}`,
  );
  return [...byCheck.values()].map((group) =>
    toKind(
      (group[0] as Kind).found,
      group.flatMap(({ violations }) => violations),
    ),
  );
}

/** By verdict, the heaviest first; within one, the first check. */
function weightOf({ found }: Kind, checks: readonly Check[]): number {
  return (
    checks.findIndex(({ id }) => id === found.check) +
    weights.indexOf(found.verdict) * checks.length
  );
}

/** Returns a related finding. A consequence of a known finding is known too. */
function toRelated(
  kind: Kind,
  isConsequence: boolean,
  leading: Finding['verdict'],
): RelatedFinding {
  const { check } = kind.found;
  const { clause, message } = kind.found.show(kind.violations);
  const verdict = isConsequence && leading === 'known' ? 'known' : kind.found.verdict;
  return {
    verdict,
    check,
    clause,
    message,
    ...countsOf(kind),
    isConsequence,
  };
}

/** On how many exchanges a kind shows, and on which operations: first on that of the clearest. */
function countsOf({ violations, exchanges }: Kind): Pick<Finding, 'count' | 'operations'> {
  const byOperation = Map.groupBy(violations, ({ exchange }) => calledId(exchange));
  const first = calledId(clearest(violations).exchange);
  const alikeIn = (group: readonly Violation[]) =>
    group.reduce((sum, { alike = 0 }) => sum + alike, 0);
  return {
    count: exchanges.size + alikeIn(violations),
    operations: [...byOperation]
      .map(([id, group]) => ({
        id,
        count: new Set(group.map(({ exchange }) => exchange.number)).size + alikeIn(group),
      }))
      .toSorted(
        (left, right) =>
          Number(right.id === first) - Number(left.id === first) || right.count - left.count,
      ),
  };
}
