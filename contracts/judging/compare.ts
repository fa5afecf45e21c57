import { count as counted } from '../cli/count.ts';
import type { Finding } from '../report/events.ts';
import { toOperationName } from '../report/summary.ts';
import { type Answered, calledId, isAnswered, type Target } from '../transcript/exchange.ts';
import { mayRepeat } from '../transcript/may-repeat.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { type Aspect, aspects, type Point } from './compare-answers.ts';
import { toReported } from './reported-exchange.ts';

type Difference = Point & { aspect: Aspect; exchange: Answered };

type Side = 'onLeft' | 'onRight';

/**
 * Whether a check objected to this part of an answer, so that the difference is already reported.
 */
type IsJudged = (target: string, exchange: number, part: Aspect) => boolean;

/**
 * Compares the answers of two targets to the same case. What differs between two runs of it on one
 * target is noise, and what a check objected to is reported already; the rest are differences,
 * which never gate: one finding for each cause, that to act on first before others. The exchanges
 * shown are those of the right target.
 */
export function compare(left: Transcript, right: Transcript, isJudged: IsJudged): Finding[] {
  const compared = new Set(byCase(right).values().map(calledId)).size;
  const points = Map.groupBy(findDifferences(left, right, isJudged), toKey);
  const causes = Map.groupBy(points.values(), (group) => {
    const [{ aspect }] = group as [Difference];
    if (aspect === 'status') return toKey(group[0] as Difference);
    const ids = operationsOf(group).map(({ id }) => id);
    // What a server or its gateway adds to answers does not depend on what was called.
    const isEverywhere = aspect === 'headers' && ids.length * 2 > compared;
    return JSON.stringify([aspect, isEverywhere ? 'everywhere' : ids.toSorted()]);
  });
  return Object.keys(aspects).flatMap((aspect) =>
    [...causes.values()]
      .map((groups) => groups.flat())
      .filter(([difference]) => difference?.aspect === aspect)
      .map((differences) => toFinding(differences, left.target, right.target))
      .toSorted(
        (one, other) => other.operations.length - one.operations.length || other.count - one.count,
      ),
  );
}

function toKey({ aspect, name, onLeft, onRight }: Difference): string {
  return JSON.stringify([aspect, name, onLeft, onRight]);
}

function findDifferences(left: Transcript, right: Transcript, isJudged: IsJudged): Difference[] {
  const [leftCases, rightCases] = [byCase(left), byCase(right)];
  const differences: Difference[] = [];
  for (const [id, onRight] of rightCases) {
    const onLeft = leftCases.get(id);
    if (!onLeft || !isComparable(onLeft) || !isComparable(onRight)) continue;
    // Whether that was there before, or is seen already, says nothing of the targets.
    if (mayRepeat(left, onLeft) || mayRepeat(right, onRight)) continue;
    for (const aspect of Object.keys(aspects) as Aspect[]) {
      if (aspect === 'body' && (isUnjudged(onLeft) || isUnjudged(onRight))) continue;
      const points = aspects[aspect](onLeft, onRight, left.document);
      if (points.length === 0) continue;
      const isNoise = [leftCases, rightCases].some((cases) => {
        const [first, again] = [cases.get(id), findRepeat(cases, id)];
        return first && again && aspects[aspect](first, again, left.document).length > 0;
      });
      const isReported =
        isJudged(left.target.name, onLeft.number, aspect) ||
        isJudged(right.target.name, onRight.number, aspect);
      if (!isNoise && !isReported)
        differences.push(...points.map((point) => ({ ...point, aspect, exchange: onRight })));
      // Headers and bodies depend on the status, so they are not compared where it differs.
      if (aspect === 'status') break;
    }
  }
  return differences;
}

/** Whether an answer is the first one to its case, and not a refusal by the limiter. */
function isComparable({ case: { repeatOf }, response }: Answered): boolean {
  return repeatOf === undefined && response.status !== 429;
}

function isUnjudged({ response }: Answered): boolean {
  return response.unjudged !== undefined;
}

/** The operations that show differences, each with how many exchanges do; most first. */
function operationsOf(differences: readonly Difference[]): Finding['operations'] {
  const groups = Map.groupBy(differences, ({ exchange }) => calledId(exchange));
  return [...groups]
    .map(([id, group]) => ({ id, count: new Set(group.map(({ exchange }) => exchange)).size }))
    .toSorted((one, other) => other.count - one.count);
}

function toFinding(differences: readonly Difference[], left: Target, right: Target): Finding {
  const [{ aspect, exchange }] = differences as [Difference];
  const operations = operationsOf(differences);
  const points = new Map(differences.map((one) => [toKey(one), one])).values().toArray();
  const verb = aspect === 'headers' ? 'sends' : 'has';
  const both = points.flatMap(({ name, onLeft, onRight }) => {
    if (onLeft === undefined || onRight === undefined) return [];
    return aspect === 'status'
      ? [`${left.name} ${onLeft}, ${right.name} ${onRight}${name}`]
      : [`${name} is ${onLeft} on ${left.name}, ${onRight} on ${right.name}`];
  });
  const only = (target: Target, own: Side, other: Side) => {
    const names = points.filter((one) => one[own] !== undefined && one[other] === undefined);
    const list = toList(
      names.map(({ name }) => name),
      ', ',
    );
    return names.length === 0 ? [] : [`only ${target.name} ${verb} ${list}`];
  };
  const parts = [...both, ...only(left, 'onLeft', 'onRight'), ...only(right, 'onRight', 'onLeft')];
  const toSide = (target: Target, side: Side) => {
    const texts = points.flatMap(({ name, [side]: own }) =>
      own === undefined ? [] : [aspect === 'body' && own !== name ? `${name}: ${own}` : own],
    );
    return `${target.name}: ${toList(texts, ', ', maxShown) || 'none of these'}`;
  };
  return {
    target: right.name,
    verdict: 'difference',
    check: 'comparison',
    operation: operations[0]?.id ?? '',
    clause: {
      id: 'comparison',
      basis: 'none',
      source: 'nothing is stated',
      text: 'Nothing is stated here, so a difference is not an error.',
    },
    message: `${toWhere(operations)}: ${toList(parts, '; ')}`,
    expected: toSide(left, 'onLeft'),
    actual: toSide(right, 'onRight'),
    count: new Set(differences.map((one) => one.exchange)).size,
    operations,
    related: [],
    exchange: toReported(exchange, right.url),
  };
}

/** Where something differs: one or two operations by name, more by count. */
function toWhere(operations: Finding['operations']): string {
  const ids = operations.map(({ id }) => id);
  if (ids.length < 3) return ids.map(toOperationName).join(', ');
  const described = ids.filter((id) => id !== '').length;
  return `${counted(described, 'operation')}${described < ids.length ? ' and elsewhere' : ''}`;
}

/** How many of what differs are named: in a message, and beside it. */
const maxNamed = 6;
const maxShown = 100;

function toList(texts: readonly string[], separator: string, max = maxNamed): string {
  const more = texts.length - max;
  return [...texts.slice(0, max), ...(more > 0 ? [`${more} more`] : [])].join(separator);
}

function byCase({ exchanges }: Transcript): Map<string, Answered> {
  return new Map(
    exchanges
      .filter(isAnswered)
      .filter(
        ({ case: { purpose } }) => !['count', 'exhaust', 'after-exhaustion'].includes(purpose.kind),
      )
      .map((exchange) => [exchange.case.id, exchange]),
  );
}

/** The repetition of a case, if there was one. */
function findRepeat(cases: ReadonlyMap<string, Answered>, id: string): Answered | undefined {
  return cases.values().find(({ case: { repeatOf } }) => repeatOf === id);
}
