import { membersOf, parseJson } from '../../common/json.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import type { Purpose } from '../cases/case.ts';
import { isOfHiddenValue } from './schema/problems.ts';
import type { FindProblems } from './schema/validator.ts';

/** The body of a request as it was sent. */
export type SentBody = { mediaType: string | undefined; text: string };

/** The purpose of a body, and a silence that the body touches. */
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
  document: Api,
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
  const all = find(value);
  const problems = all.filter((one) => !isOfHiddenValue(one));
  const [problem] = problems;
  if (!problem && all.length > 0) return { ...observed, value };
  if (problem) {
    if (hasOnlyNullFaults(document, find, value)) return { ...observed, value };
    const isRange = problems.some(({ kind }) => kind.endsWith(' int64'));
    if (isRange)
      return { ...observed, leftOpen: { silence: 'integer-range', probe: problem.problem } };
    const isSure = problems.every(({ kind }) => !/ format\b/.test(kind));
    return isSure ? toInvalid(problem.problem, value) : observed;
  }
  const leftOpen = findOpen(document, operation, value);
  const purpose: Purpose = {
    kind: 'create',
    ...(leftOpen && { mayRefuse: true }),
  };
  return { purpose, value, ...(leftOpen && { leftOpen }) };
}

/**
 * Whether a value would fit without its nulls, which many servers take for absent; not where the
 * document asks for strict requests.
 */
export function hasOnlyNullFaults(
  { hint }: Pick<Api, 'hint'>,
  find: FindProblems,
  value: unknown,
): boolean {
  if (hint.requests === 'strict' || value === undefined || find(value).length === 0) return false;
  return find(withoutNulls(value)).length === 0;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

function toInvalid(what: string, value?: unknown): RecognizedBody {
  return { purpose: { kind: 'invalid-create', what }, value };
}

/** Returns the silence that a valid body touches, if any. */
function findOpen(document: Api, { body }: Operation, value: unknown): RecognizedBody['leftOpen'] {
  const { properties } = document.schemas.describeSchema(body?.schema ?? {});
  const members = Object.entries(membersOf(value) ?? {});
  const unknown = members.find(([name]) => !Object.hasOwn(properties, name));
  if (unknown) return { silence: 'unknown-body-field', probe: `with "${unknown[0].slice(0, 40)}"` };
  const empty = members.find(([, member]) => typeof member === 'string' && member.trim() === '');
  return empty && { silence: 'empty-name', probe: `empty "${empty[0].slice(0, 40)}"` };
}
