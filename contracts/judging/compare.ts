import {
  type ApiDocument,
  describeSchema,
  resolveSchema,
  type Schema,
} from '../description/document.ts';
import { findIn } from '../description/stated.ts';
import { membersOf } from '../json.ts';
import type { Finding } from '../report/events.ts';
import { type Answered, isAnswered, type Target } from '../transcript/exchange.ts';
import { readHistories } from '../transcript/histories.ts';
import { mayRepeat } from '../transcript/may-repeat.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { toReported } from './reported-exchange.ts';

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

const aspects = {
  status: ({ response }: Answered) => String(response.status),
  headers: ({ response }: Answered) =>
    [...new Set(response.headers.map(([name]) => name.toLowerCase()))]
      .filter((name) => !volatileHeaders.includes(name))
      .toSorted()
      .join(', '),
  body: ({ response, case: { method } }: Answered) =>
    method === 'HEAD' || response.size === 0 ? 'empty' : shapeOf(response.json),
};

type Aspect = keyof typeof aspects;

/**
 * Whether a check objected to this part of an answer, so that the difference is already reported.
 */
type IsJudged = (target: string, exchange: number, part: Aspect) => boolean;

/**
 * What two targets answer differently: what only the left one has, and what only the right one has.
 */
type Difference = { aspect: Aspect; onLeft: string; onRight: string; exchange: Answered };

/**
 * Compares the answers of two targets to the same case. What differs between two runs of it on one
 * target is noise, and what a check objected to is reported already; the rest are differences,
 * which never gate. The exchanges shown are those of the right target.
 */
export function compare(left: Transcript, right: Transcript, isJudged: IsJudged): Finding[] {
  const groups = Map.groupBy(
    findDifferences(left, right, isJudged),
    ({ aspect, onLeft, onRight, exchange }) =>
      `${aspect} ${onLeft} ${onRight} ${aspect === 'headers' ? '' : exchange.case.operation?.id}`,
  );
  return [...groups.values()].map((group) => toFinding(group, left.target, right.target));
}

function findDifferences(left: Transcript, right: Transcript, isJudged: IsJudged): Difference[] {
  const [leftCases, rightCases] = [byCase(left), byCase(right)];
  const differences: Difference[] = [];
  for (const [id, onRight] of rightCases) {
    const onLeft = leftCases.get(id);
    if (!onLeft || !isComparable(onLeft) || !isComparable(onRight)) continue;
    // Whether that was there before, or is seen already, says nothing of the targets.
    if (mayRepeat(left, onLeft) || mayRepeat(right, onRight)) continue;
    if (isFoundOnOne(onLeft, onRight) && (isLate(left) || isLate(right))) continue;
    for (const aspect of Object.keys(aspects) as Aspect[]) {
      if (aspect === 'body' && (isUnjudged(onLeft) || isUnjudged(onRight))) continue;
      const difference = differ(aspect, ...withoutOptional(aspect, left.document, onLeft, onRight));
      if (!difference || isNoise(leftCases, id, aspect) || isNoise(rightCases, id, aspect))
        continue;
      const isReported =
        isJudged(left.target.name, onLeft.number, aspect) ||
        isJudged(right.target.name, onRight.number, aspect);
      if (!isReported) differences.push(difference);
      // Headers and bodies depend on the status, so they are not compared where it differs.
      if (aspect === 'status') break;
    }
  }
  return differences;
}

/** Whether a created item was found on one target alone. */
function isFoundOnOne(left: Answered, right: Answered): boolean {
  const statuses = [left.response.status, right.response.status].toSorted();
  return left.case.purpose.kind === 'read' && statuses.join() === '200,404';
}

/** Whether a target shows what was created later, so that it depends on when a run looks. */
function isLate(transcript: Transcript): boolean {
  return transcript.document.resources.some(
    (resource) => readHistories(transcript, resource).isLate,
  );
}

/** Whether an answer is the first one to its case, and not a refusal by the limiter. */
function isComparable({ case: { repeatOf }, response }: Answered): boolean {
  return repeatOf === undefined && response.status !== 429;
}

function isUnjudged({ response }: Answered): boolean {
  return response.unjudged !== undefined;
}

/** Two answers, their bodies without the optional members that only one of them has. */
function withoutOptional(
  aspect: Aspect,
  document: ApiDocument,
  left: Answered,
  right: Answered,
): [Answered, Answered] {
  const { operation } = right.case;
  const schema = operation && findIn(operation.responses, right.response.status)?.schema;
  if (aspect !== 'body' || !schema) return [left, right];
  const strip = (one: Answered, other: Answered): Answered => ({
    ...one,
    response: {
      ...one.response,
      json: stripOptional(one.response.json, other.response.json, { document, schema }),
    },
  });
  return [strip(left, right), strip(right, left)];
}

/** A value without the optional members that the other one lacks. */
function stripOptional(
  value: unknown,
  other: unknown,
  { document, schema }: { document: ApiDocument; schema: Schema },
  level = 0,
): unknown {
  const [members, others] = [membersOf(value), membersOf(other)];
  if (!members || !others || Array.isArray(value) || level === maxLevels) return value;
  const { properties, required } = describeSchema(document, resolveSchema(document, schema));
  const isOptional = (name: string) => Object.hasOwn(properties, name) && !required.includes(name);
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => Object.hasOwn(others, name) || !isOptional(name))
      .map(([name, member]) => {
        const described = properties[name];
        if (described === undefined) return [name, member];
        const inner = { document, schema: described };
        return [name, stripOptional(member, others[name], inner, level + 1)];
      }),
  );
}

function differ(aspect: Aspect, left: Answered, right: Answered): Difference | undefined {
  const [onLeft, onRight] = [aspects[aspect](left), aspects[aspect](right)];
  if (onLeft === onRight) return undefined;
  return aspect === 'headers'
    ? {
        aspect,
        onLeft: besides(onLeft, onRight),
        onRight: besides(onRight, onLeft),
        exchange: right,
      }
    : { aspect, onLeft, onRight, exchange: right };
}

function toFinding(group: readonly Difference[], left: Target, right: Target): Finding {
  const { aspect, onLeft, onRight, exchange } = group[0] as Difference;
  const operation = exchange.case.operation?.id ?? '';
  return {
    target: right.name,
    verdict: 'difference',
    check: 'comparison',
    operation,
    clause: {
      id: 'comparison',
      basis: 'none',
      source: 'nothing is stated',
      text: 'Nothing is stated here, so a difference is not an error.',
    },
    message: `${operation || exchange.case.id}: ${right.name} differs from ${left.name} in its ${aspect} (${exchange.case.id})`,
    expected: `${left.name}: ${onLeft}`,
    actual: `${right.name}: ${onRight}`,
    count: group.length,
    operations: [{ id: operation, count: group.length }],
    related: [],
    exchange: toReported(exchange, right.url),
  };
}

/** The names in one list that the other list lacks. */
function besides(list: string, another: string): string {
  const others = another.split(', ');
  const names = list.split(', ').filter((name) => name !== '' && !others.includes(name));
  return names.length === 0 ? 'none of these' : names.join(', ');
}

/** The maximum number of members and levels of a shape that are named. */
const maxMembers = 30;
const maxLevels = 4;

/** The form of a JSON value: its types and the names of its members. */
export function shapeOf(value: unknown, level = 0): string {
  if (value === undefined) return 'no JSON';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'object') return typeOf(value);
  if (level === maxLevels) return '{...}';
  const names = Object.keys(value);
  const members = names
    .slice(0, maxMembers)
    .map(
      (name) =>
        `${name.slice(0, 60)}: ${shapeOf((value as Record<string, unknown>)[name], level + 1)}`,
    )
    .toSorted();
  return `{${[...members, ...(names.length > maxMembers ? [`${names.length - maxMembers} more`] : [])].join(', ')}}`;
}

function typeOf(value: unknown): string {
  return typeof value === 'bigint' ? 'number' : typeof value;
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

/** Whether a target answers a repeated case differently. */
function isNoise(cases: ReadonlyMap<string, Answered>, id: string, aspect: Aspect): boolean {
  const first = cases.get(id);
  const again = cases.values().find(({ case: { repeatOf } }) => repeatOf === id);
  return (
    first !== undefined && again !== undefined && aspects[aspect](first) !== aspects[aspect](again)
  );
}
