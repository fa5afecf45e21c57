import type { Purpose } from '../cases/case.ts';
import { type ApiDocument, describeSchema, type Operation } from '../description/document.ts';
import { membersOf, parseJson } from '../json.ts';
import type { FindProblems } from './schema/validator.ts';

/** The body of a request as it was sent. */
export type SentBody = { mediaType: string | undefined; text: string };

/** What a body asks for, and what of it the interface leaves open. */
export type RecognizedBody = {
  purpose: Purpose;
  leftOpen?: { silence: string; probe: string };
  /** The value that was sent, where it is JSON. */
  value?: unknown;
};

const observed: RecognizedBody = { purpose: { kind: 'observed' } };

/**
 * Reads the body of a create: a body that fits its schema asks for an item, one that breaks it for
 * a refusal; of others it is not stated what follows.
 */
export function recognizeBody(
  document: ApiDocument,
  operation: Operation,
  { find, sent: { mediaType, text } }: { find: FindProblems; sent: SentBody },
): RecognizedBody {
  const [type = '', ...parameters] = (mediaType ?? '').toLowerCase().split(';');
  const isUtf8 = parameters.every((one) => !/charset/.test(one) || /utf-?8/.test(one));
  if (type.trim() !== 'application/json' || !isUtf8)
    return {
      ...observed,
      leftOpen: { silence: 'media-type', probe: `as ${mediaType ?? 'no media type'}` },
    };
  if (/^\ufeff|\ufffd/.test(text)) return observed;
  if (text.trim() === '')
    return operation.body?.required === true ? toInvalid('body empty') : observed;
  const value = parseJson(text);
  if (value === undefined) return toInvalid('body not JSON');
  if (hasDoubles(text, value)) return observed;
  const problems = find(value);
  const [problem] = problems;
  if (problem) {
    const isRange = problems.some(({ kind }) => kind.endsWith(' int64'));
    if (isRange)
      return { ...observed, leftOpen: { silence: 'integer-range', probe: problem.problem } };
    const isSure = problems.every(({ kind }) => !/ format\b/.test(kind));
    return isSure ? toInvalid(problem.problem, value) : observed;
  }
  const leftOpen = findOpen(document, operation, value);
  const purpose: Purpose = {
    kind: 'create',
    ...(isDoubtful(text, leftOpen) && { mayRefuse: true }),
  };
  return { purpose, value, ...(leftOpen && { leftOpen }) };
}

function toInvalid(what: string, value?: unknown): RecognizedBody {
  return { purpose: { kind: 'invalid-create', what }, value };
}

/** What of a valid body the interface leaves open. */
function findOpen(
  document: ApiDocument,
  { body }: Operation,
  value: unknown,
): RecognizedBody['leftOpen'] {
  const { properties } = describeSchema(document, body?.schema ?? {});
  const members = Object.entries(membersOf(value) ?? {});
  const unknown = members.find(([name]) => !Object.hasOwn(properties, name));
  if (unknown) return { silence: 'unknown-body-field', probe: `with "${unknown[0].slice(0, 40)}"` };
  const empty = members.find(([, member]) => typeof member === 'string' && member.trim() === '');
  return empty && { silence: 'empty-name', probe: `empty "${empty[0].slice(0, 40)}"` };
}

/** A number such as 1.0 or 1e3 may be read as no integer. */
function isDoubtful(text: string, leftOpen: unknown): boolean {
  return (
    leftOpen !== undefined || /[\d][.eE][\d+-]|-0\b/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'))
  );
}

/** Whether a JSON text names a member twice, of which either may count. */
function hasDoubles(text: string, value: unknown): boolean {
  const named = text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g);
  let names = 0;
  for (const [, colon] of named) if (colon !== undefined) names += 1;
  return names !== countMembers(value);
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce<number>((sum, one) => sum + countMembers(one), 0);
  return inner + (Array.isArray(value) ? 0 : Object.keys(value).length);
}
