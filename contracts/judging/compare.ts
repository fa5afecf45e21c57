import { count as counted } from '../../common/cli/count.ts';
import type { Finding } from '../report/events.ts';
import { toOperationName } from '../report/summary.ts';
import { type Answer, calledId, isAnswered, type Target } from '../transcript/exchange.ts';
import { mayRepeat } from '../transcript/repeats.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { type Aspect, aspects, type Point } from './compare-answers.ts';
import { toReported } from './reported-exchange.ts';

type Difference = Point & { aspect: Aspect; exchange: Answer };

/**
 * Whether a check objected to this part of an answer, so that the difference is already reported.
 */
type IsJudged = (target: string, exchange: number, part: Aspect) => boolean;

/**
 * Compares the answers of two targets to the same case. Differences between two runs on one target
 * are noise, and faults that a check reports are left out. The rest become differences, which never
 * gate: one finding each, with all its operations, the most useful first. The exchanges shown are
 * those of the right target.
 */
export function compare(left: Transcript, right: Transcript, isJudged: IsJudged): Finding[] {
  const same = Map.groupBy(
    findDifferences(left, right, isJudged),
    ({ aspect, name, onLeft, onRight }) => JSON.stringify([aspect, name, onLeft, onRight]),
  );
  const rank = ([one]: readonly Difference[]) => Object.keys(aspects).indexOf(one?.aspect ?? '');
  return [...same.values()]
    .toSorted((one, other) => rank(one) - rank(other) || other.length - one.length)
    .map((differences) => toFinding(differences, left.target, right.target));
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
function isComparable({ case: { repeatOf }, response }: Answer): boolean {
  return repeatOf === undefined && response.status !== 429;
}

function isUnjudged({ response }: Answer): boolean {
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
  const [{ aspect, name, onLeft, onRight, exchange }] = differences as [Difference];
  const operations = operationsOf(differences);
  return {
    target: right.name,
    verdict: 'difference',
    check: 'comparison',
    operation: operations[0]?.id ?? '',
    clause: {
      id: 'comparison',
      basis: 'none',
      source: 'nothing is stated',
      text: 'The interface does not specify this, so a difference is no error.',
    },
    message: `${toWhere(operations)}: ${toWhat({ aspect, name, onLeft, onRight }, left, right)}`,
    expected: `${left.name}: ${onLeft ?? 'nothing'}`,
    actual: `${right.name}: ${onRight ?? 'nothing'}`,
    count: new Set(differences.map((one) => one.exchange)).size,
    operations,
    related: [],
    exchange: toReported(exchange, right.url),
  };
}

function toWhat(
  { aspect, name, onLeft, onRight }: Omit<Difference, 'exchange'>,
  left: Target,
  right: Target,
): string {
  if (aspect === 'status') return `${left.name} ${onLeft}, ${right.name} ${onRight}${name}`;
  if (onLeft !== undefined && onRight !== undefined)
    return `${name} is ${onLeft} on ${left.name}, ${onRight} on ${right.name}`;
  const only = onLeft === undefined ? right : left;
  return `only ${only.name} ${aspect === 'headers' ? 'sends' : 'has'} ${name}`;
}

/** Returns the operations of a difference: one or two by name, more by count. */
function toWhere(operations: Finding['operations']): string {
  const ids = operations.map(({ id }) => id);
  if (ids.length < 3) return ids.map(toOperationName).join(', ');
  const described = ids.filter((id) => id !== '').length;
  return `${counted(described, 'operation')}${described < ids.length ? ' and elsewhere' : ''}`;
}

function byCase({ exchanges }: Transcript): Map<string, Answer> {
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
function findRepeat(cases: ReadonlyMap<string, Answer>, id: string): Answer | undefined {
  return cases.values().find(({ case: { repeatOf } }) => repeatOf === id);
}
