import { textOf } from '../common/text-of.ts';
import type { Operation } from './model/operation.ts';
import type { RawDocument } from './schema.ts';

/** The role of a header of limits; each of the two headers of the standard has all roles. */
export type LimitRole =
  | 'limit'
  | 'remaining'
  | 'used'
  | 'reset'
  | 'reset in seconds'
  | 'state'
  | 'policy';

/** The limits that a document describes: headers of responses, and how many calls a minute may have. */
export type DocumentedLimits = {
  headers: readonly { name: string; role: LimitRole }[];
  perMinute?: number;
};

/** Undefined where it describes neither headers of limits nor `x-rate-limit`. */
export function findDocumentedLimits(
  raw: RawDocument,
  operations: readonly Operation[],
): DocumentedLimits | undefined {
  const headers = new Map<string, DocumentedLimits['headers'][number]>();
  let figure = figureOf(raw['x-rate-limit'] ?? raw['x-ratelimit']);
  for (const { responses } of operations)
    for (const response of responses)
      for (const [name, { schema, examples }] of Object.entries(response.headers)) {
        const values = valuesOf(schema, examples);
        const role = roleOf(name, values);
        if (role === undefined) continue;
        if (!headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), { name, role });
        if (role === 'limit') figure ??= countOf(values);
      }
  if (headers.size === 0 && figure === undefined) return undefined;
  return { headers: [...headers.values()], ...(figure !== undefined && { perMinute: figure }) };
}

function roleOf(name: string, values: readonly unknown[]): LimitRole | undefined {
  const plain = name.toLowerCase().replace('rate-limit', 'ratelimit');
  if (plain === 'ratelimit') return 'state';
  if (plain === 'ratelimit-policy') return 'policy';
  const [, prefix, part] = /^(x-)?ratelimit-(limit|remaining|used|reset)$/.exec(plain) ?? [];
  if (part !== 'reset') return part as LimitRole | undefined;
  // An instant is far beyond any number of seconds that one waits.
  const count = countOf(values);
  const isWait = count === undefined ? prefix === undefined : count < 100_000_000;
  return isWait ? 'reset in seconds' : 'reset';
}

function valuesOf(schema: RawDocument, examples: Readonly<Record<string, unknown>>): unknown[] {
  if (typeof schema !== 'object' || schema === null) return Object.values(examples);
  const { const: constant, default: byDefault, example, examples: ofSchema = [] } = schema;
  return [constant, byDefault, ...Object.values(examples), example, ...[ofSchema].flat()];
}

/** The first of some values that counts something. */
function countOf(values: readonly unknown[]): number | undefined {
  const counts = values.map((value) =>
    typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))
      ? Number(value)
      : 0,
  );
  return counts.find((count) => Number.isSafeInteger(count) && count > 0);
}

const seconds: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
};

/** The calls of a minute that `x-rate-limit` allows: a number, or a `limit` and what it is `per`. */
function figureOf(stated: unknown): number | undefined {
  if (typeof stated !== 'object' || stated === null) return countOf([stated]);
  const { limit, per = 60 } = stated as RawDocument;
  const count = countOf([limit]);
  const length = typeof per === 'number' ? per : seconds[textOf(per)];
  if (count === undefined || length === undefined) return count;
  return Math.max(1, Math.floor((count * 60) / length));
}
