import type { Finding } from '../report/events.ts';
import { type Answered, isAnswered } from '../transcript/exchange.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { toCurl, toReported } from './reported-exchange.ts';

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

export type CompareOptions = {
  secrets: readonly string[];
  /**
   * Whether a check found fault with this part of an answer, so that its difference is told
   * already.
   */
  isJudged: (target: string, exchange: number, part: Aspect) => boolean;
};

/**
 * The same case on two targets. What already differs between two runs of it on one target is noise,
 * and what a check found fault with is no mere difference; what is left is one, which gates
 * nothing.
 */
export function compare(
  one: Transcript,
  other: Transcript,
  { secrets, isJudged }: CompareOptions,
): Finding[] {
  const differences: { aspect: Aspect; ours: string; theirs: string; exchange: Answered }[] = [];
  const ofOne = byCase(one);
  for (const [id, theirs] of byCase(other)) {
    const ours = ofOne.get(id);
    if (
      !ours ||
      theirs.case.repeatOf !== undefined ||
      theirs.response.status === 429 ||
      ours.response.status === 429
    )
      continue;
    for (const aspect of Object.keys(aspects) as Aspect[]) {
      const [left, right] = [aspects[aspect](ours), aspects[aspect](theirs)];
      if (aspect === 'body' && (ours.response.unjudged ?? theirs.response.unjudged) !== undefined)
        continue;
      if (left === right || isNoise(one, id, aspect) || isNoise(other, id, aspect)) continue;
      if (
        isJudged(one.target.name, ours.number, aspect) ||
        isJudged(other.target.name, theirs.number, aspect)
      ) {
        if (aspect === 'status') break;
        continue;
      }
      const [onlyOurs, onlyTheirs] =
        aspect === 'headers' ? [besides(left, right), besides(right, left)] : [left, right];
      differences.push({ aspect, ours: onlyOurs, theirs: onlyTheirs, exchange: theirs });
      if (aspect === 'status') break;
    }
  }
  const groups = Map.groupBy(
    differences,
    ({ aspect, ours, theirs, exchange }) =>
      `${aspect} ${ours} ${theirs} ${aspect === 'headers' ? '' : exchange.case.operation?.id}`,
  );
  return [...groups.values()].map((group) => {
    const { aspect, ours, theirs, exchange } = group[0] as (typeof differences)[number];
    const reported = toReported(exchange, other.target.url, secrets);
    const operation = exchange.case.operation?.id ?? '';
    return {
      target: other.target.name,
      verdict: 'difference',
      check: 'comparison',
      operation,
      clause: {
        id: 'comparison',
        basis: 'none',
        source: 'nothing is stated',
        text: 'Nothing is stated here, so a difference is no fault.',
      },
      message: `${operation || exchange.case.id}: ${other.target.name} differs from ${one.target.name} in its ${aspect} (${exchange.case.id})`,
      expected: `${one.target.name}: ${ours}`,
      actual: `${other.target.name}: ${theirs}`,
      count: group.length,
      operations: [{ id: operation, count: group.length }],
      related: [],
      exchange: reported,
      curl: toCurl(reported),
    };
  });
}

/** The names of one list that the other lacks. */
function besides(list: string, other: string): string {
  const others = other.split(', ');
  const names = list.split(', ').filter((name) => name !== '' && !others.includes(name));
  return names.length === 0 ? 'none of these' : names.join(', ');
}

/** The most members and levels of a shape that are named. */
const mostMembers = 30;
const mostLevels = 4;

/** The form of a JSON value: its types and the names of its members. */
export function shapeOf(value: unknown, level = 0): string {
  if (value === undefined) return 'no JSON';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'object') return typeOf(value);
  if (level === mostLevels) return '{...}';
  const names = Object.keys(value);
  const members = names
    .slice(0, mostMembers)
    .map(
      (name) =>
        `${name.slice(0, 60)}: ${shapeOf((value as Record<string, unknown>)[name], level + 1)}`,
    )
    .toSorted();
  return `{${[...members, ...(names.length > mostMembers ? [`${names.length - mostMembers} more`] : [])].join(', ')}}`;
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

function isNoise(transcript: Transcript, id: string, aspect: Aspect): boolean {
  const cases = byCase(transcript);
  const first = cases.get(id);
  const again = [...cases.values()].find(({ case: { repeatOf } }) => repeatOf === id);
  return (
    first !== undefined && again !== undefined && aspects[aspect](first) !== aspects[aspect](again)
  );
}
