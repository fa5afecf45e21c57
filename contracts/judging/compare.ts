import { count as counted } from '../../common/cli/count.ts';
import { membersOf, typeOf } from '../../common/json.ts';
import type { Api, Schema } from '../../openapi/index.ts';
import type { Purpose } from '../cases/case.ts';
import type { Check } from '../clauses/check.ts';
import { statedSchema } from '../document/stated.ts';
import type { Finding } from '../report/events.ts';
import { toOperationName } from '../report/summary.ts';
import { type Answer, calledId, isAnswered, type Target } from '../transcript/exchange.ts';
import { mayRepeat } from '../transcript/repeats.ts';
import type { Transcript } from '../transcript/transcript.ts';
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

const volatileHeaders = [
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'age',
  'via',
  'x-request-id',
  'retry-after',
];

/** The part of an answer that is compared. */
type Aspect = NonNullable<Check['part']>;

/** A difference between two responses, with the value of each; undefined where it has none. */
type Point = { name: string; onLeft: string | undefined; onRight: string | undefined };

type Compare = (left: Answer, right: Answer, document: Api) => Point[];

/** How answers to one case are compared; what a user would act on first comes first. */
const aspects: Readonly<Record<Aspect, Compare>> = {
  status: ({ response: left }, { response: right, case: { purpose } }) =>
    toPoint(toSituation(purpose), String(left.status), String(right.status)),
  body: (left, right, document) => {
    const { operation } = right.case;
    const schema = operation && statedSchema(operation, right.response.status);
    return compareValues(contentOf(left), contentOf(right), { document, schema }).slice(
      0,
      maxPoints,
    );
  },
  headers: (left, right) => {
    const [onLeft, onRight] = [headerNames(left), headerNames(right)];
    const toSide = (names: Set<string>, name: string) => (names.has(name) ? name : undefined);
    return [...onLeft.symmetricDifference(onRight)].map((name) => ({
      name,
      onLeft: toSide(onLeft, name),
      onRight: toSide(onRight, name),
    }));
  },
};

/** Returns the special situation of a case in words; empty for a valid call. */
function toSituation(purpose: Purpose): string {
  switch (purpose.kind) {
    case 'unknown-id':
      return ' for an unknown id';
    case 'invalid-create':
      return ' to an invalid body';
    case 'credential':
      return ' to calls without a valid credential';
    case 'protocol':
      return purpose.rule === 'head' ? ' to HEAD' : ' to a method that is not described';
    case 'silence':
      return ` (silence ${purpose.silence})`;
    default:
      return '';
  }
}

function toPoint(name: string, onLeft: string | undefined, onRight: string | undefined): Point[] {
  return onLeft === onRight ? [] : [{ name, onLeft, onRight }];
}

function headerNames({ response: { headers } }: Answer): Set<string> {
  const names = headers.map(([name]) => name.toLowerCase());
  return new Set(names.filter((name) => !volatileHeaders.includes(name)));
}

/** How many members are compared at a level and reported of an answer, and how long a name is. */
const maxPoints = 100;
const maxName = 60;
const maxLevels = 4;

const nothing = Symbol('no content');

function contentOf({ response, case: { method } }: Answer): unknown {
  return method === 'HEAD' || response.size === 0 ? nothing : response.json;
}

/**
 * Returns the differences between two values in types and members. Optional members that the schema
 * describes may be absent.
 */
function compareValues(
  left: unknown,
  right: unknown,
  { document, schema }: { document: Api; schema: Schema | undefined },
  path: readonly string[] = [],
): Point[] {
  const described = schema && document.schemas.describeSchema(schema);
  const { properties = {}, required = [] } = described ?? {};
  const { type, additionalProperties, anyOf, oneOf } = described?.schema ?? {};
  const [members, others] = [membersOf(left), membersOf(right)];
  const hasMembers = members && others && !Array.isArray(left) && !Array.isArray(right);
  if (!hasMembers || path.length === maxLevels)
    return Array.isArray(type) || anyOf || oneOf
      ? []
      : toPoint(path.join('.') || 'the body', toType(left), toType(right));
  // The names in a map are data, and those of alternatives depend on which was chosen.
  const isMap = type !== undefined && Object.keys(properties).length === 0;
  const isFree = isMap || [additionalProperties, anyOf, oneOf].some(Boolean);
  const names = new Set([...Object.keys(members), ...Object.keys(others)]);
  return [...names].slice(0, maxPoints).flatMap((name) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const inner = [...path, name.slice(0, maxName)];
    if (own === undefined && isFree) return [];
    if (Object.hasOwn(members, name) && Object.hasOwn(others, name))
      return compareValues(members[name], others[name], { document, schema: own }, inner);
    const toSide = (side: object) => (Object.hasOwn(side, name) ? inner.join('.') : undefined);
    return own && !required.includes(name)
      ? []
      : toPoint(inner.join('.'), toSide(members), toSide(others));
  });
}

/** The type of a value, without what is in it. */
function toType(value: unknown): string {
  if (value === nothing) return 'empty';
  return value === undefined ? 'no JSON' : typeOf(value);
}
