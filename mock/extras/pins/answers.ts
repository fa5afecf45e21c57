import type { AnswerForm } from '../../answers/answer.ts';
import {
  asObject,
  listOf,
  oneOf,
  oneOfOr,
  type Parse,
  PinError,
  parseCount,
  parseForm,
  parseHeaders,
  parseRefusal,
  parts,
  within,
} from './parse-answer.ts';
import {
  eachOrAll,
  parseBan,
  parseErrors,
  parseLength,
  parseOrder,
  parseStatuses,
  parseText,
  unless,
} from './parse-parts.ts';
import {
  earlyChecks,
  idFaults,
  limitAnswers,
  limitFaults,
  type Pins,
  type Repeated,
} from './pins.ts';

/** What an answer makes of the twin. */
type Change = Omit<Partial<Pins>, 'errors'> & { errors?: Pins['errors'] };

/** What a silence can be pinned to, in words, and how its answer is read. */
export type PinRow = { answers: string; parse: Parse<Change> };

const refusal = 'an error';

/**
 * Every silence with the answers that it can be pinned to, or why there are none. `an error` is a
 * status, or an object of status, code, message, members, json, text, mediaType, headers and
 * without.
 */
export const pinRows: Readonly<Record<string, PinRow | string>> = {
  'limit-out-of-range': {
    answers: `ignored, clamped, as-number, leading-digits, empty-list or ${refusal}; or an object of these by zero, below, above, fraction, text, empty and exponent`,
    parse: (value) => {
      const parse = oneOfOr(limitAnswers);
      return { limits: eachOrAll(limitFaults, parse)(value) };
    },
  },
  'unknown-status-filter': {
    answers: `ignored, empty-list or ${refusal}`,
    parse: (value) => ({ filter: oneOfOr(['ignored', 'empty-list'])(value) }),
  },
  'unknown-query-parameter': {
    answers: `ignored or ${refusal}`,
    parse: unless('ignored', (value) => ({ otherParameter: parseRefusal(value) })),
  },
  'list-order': {
    answers: 'oldest-first, newest-first, or an object of by (a property) and descending',
    parse: unless('oldest-first', (value) => ({ order: parseOrder(value) })),
  },
  'further-page': 'nothing shows how a page would be asked for',
  'default-status': {
    answers: 'absent, or an object of the values that are stored by their property',
    parse: unless('absent', (value) => ({ defaults: asObject(value) })),
  },
  'unknown-body-field': {
    answers: `dropped, stored or ${refusal}; or an object of other (one of these) and id (${refusal})`,
    parse: unless('dropped', (value) => {
      const parse = oneOfOr(['dropped', 'stored']);
      const isBoth = typeof value === 'object' && value !== null && !Object.hasOwn(value, 'status');
      const { other, id } = isBoth
        ? parts<{ other: 'dropped' | 'stored' | AnswerForm; id: AnswerForm }>({
            other: parse,
            id: parseRefusal,
          })(value)
        : { other: parse(value), id: undefined };
      return {
        ...(other !== undefined && other !== 'dropped' && { otherField: other }),
        ...(id && { idField: id }),
      };
    }),
  },
  'unknown-category': {
    answers: `accepted, or an object of belowOne, belowZero and unknown (a category that no item has), each ${refusal}`,
    parse: unless('accepted', (value) => ({
      category: parts<NonNullable<Pins['category']>>({
        belowOne: parseRefusal,
        belowZero: parseRefusal,
        unknown: parseRefusal,
      })(value),
    })),
  },
  'integer-range': {
    answers: refusal,
    parse: (value) => ({ integerRange: parseRefusal(value) }),
  },
  'empty-name': {
    answers: `accepted or ${refusal}`,
    parse: unless('accepted', (value) => ({ emptyName: parseRefusal(value) })),
  },
  'unusual-name': {
    answers: `accepted, or an object of max (characters), tooLong and controls, the latter each ${refusal}`,
    parse: unless('accepted', (value) => ({
      names: parts({ max: parseCount, tooLong: parseRefusal, controls: parseRefusal })(value),
    })),
  },
  'repeated-create': {
    answers: `two-items, or an object of by (a property, or body) and answer: same-item or ${refusal}`,
    parse: unless('two-items', (value) => {
      const { by = 'body', answer } = parts<Repeated>({
        by: parseText,
        answer: oneOfOr(['same-item'], parseForm),
      })(value);
      if (answer === undefined) throw new PinError('has no answer');
      return { repeated: { by, answer } };
    }),
  },
  'new-id': {
    answers: 'sequential, random (53 bits) or random-64',
    parse: unless('sequential', (value) => ({ ids: oneOf('random', 'random-64')(value) })),
  },
  'read-after-create': {
    answers: 'immediately, or an object of the milliseconds until it can be read and be listed',
    parse: unless('immediately', (value) => ({
      delays: { read: 0, list: 0, ...parts({ read: parseCount, list: parseCount })(value) },
    })),
  },
  'media-type': {
    answers: `accepted or ${refusal}`,
    parse: (value) =>
      value === 'accepted'
        ? { anyMediaType: true }
        : { errors: { unsupported_media_type: parseRefusal(value) } },
  },
  'body-size': {
    answers: `an object of max (bytes) and answer, ${refusal}`,
    parse: (value) => {
      const { max, answer } = parts({ max: parseCount, answer: parseRefusal })(value);
      return {
        ...(max !== undefined && { maxBody: max }),
        ...(answer && { errors: { payload_too_large: answer } }),
      };
    },
  },
  'pet-id-form': {
    answers: `${refusal}; or an object of errors by text, zero, negative, fraction, padded and beyond`,
    parse: (value) => ({ idForms: eachOrAll(idFaults, parseRefusal)(value) }),
  },
  'deprecation-headers': {
    answers:
      'none, or an object of the headers Deprecation, Sunset and Link, and of on, the statuses that have them (default: all)',
    parse: (value) => {
      if (value === 'none') return { deprecation: { headers: {} } };
      const { on, ...headers } = parts({
        Deprecation: parseText,
        Sunset: parseText,
        Link: parseText,
        on: parseStatuses,
      })(value);
      parseHeaders(headers);
      return {
        deprecation: { headers: headers as Record<string, string>, ...(on && { on }) },
      };
    },
  },
  'deprecation-date': 'it is in the header Deprecation; pin deprecation-headers',
  'after-removal': {
    answers: `still-served or ${refusal}`,
    parse: (value) =>
      value === 'still-served'
        ? { afterRemoval: 'still-served' }
        : { errors: { operation_removed: parseRefusal(value) } },
  },
  'orders-payload': {
    answers: 'an answer: an object of status, and json or text',
    parse: (value) => ({ payload: parseForm(value) }),
  },
  'stability-markers': 'no response shows it',
  'credentials-first': {
    answers: 'a list of what is checked before the key: body, id, query, payload',
    parse: (value) => ({ earlyChecks: listOf(...earlyChecks)(value) }),
  },
  events: 'the twin sends none, and no request shows them',
  'error-codes': {
    answers: 'an object of errors by the code that the twin has for them',
    parse: parseErrors,
  },
  'rate-limit-body': {
    answers:
      'an answer: Error, or an object of code, message, members, json, text, headers and retryAfter (seconds or date)',
    parse: unless('Error', (value) => {
      const { retryAfter = 'seconds', ...answer } = asObject(value);
      const { status: _, ...form } = parseForm(answer);
      const given = within('retryAfter', () => oneOf('seconds', 'date')(retryAfter));
      return {
        errors: { rate_limit_exceeded: form, key_banned: form },
        ...(given === 'date' && { retryAfter: given }),
      };
    }),
  },
  'rate-limit-scope': {
    answers:
      'every-call; or operations (HEAD, other methods and unknown paths use no quota), successes (calls that end in 4xx use none), or a list of both',
    parse: unless('every-call', (value) => {
      const names = ['operations', 'successes'] as const;
      const counted = Array.isArray(value) ? listOf(...names)(value) : [oneOf(...names)(value)];
      return {
        freeElsewhere: counted.includes('operations'),
        freeRefusals: counted.includes('successes'),
      };
    }),
  },
  'rate-limit-windows': {
    answers:
      'least-remaining (the headers show that of the minute and the day which has fewer calls left), minute or day; or an object of shows (one of these), seconds (how long the minute lasts) and from (utc or first-call: when it begins)',
    parse: (value) => {
      const parseShown = oneOf('least-remaining', 'minute', 'day');
      const isWhole = typeof value !== 'object';
      const { shows, seconds, from } = isWhole
        ? { shows: parseShown(value) }
        : parts({ shows: parseShown, seconds: parseLength, from: oneOf('utc', 'first-call') })(
            value,
          );
      const isUtcMinute = (seconds ?? 60) === 60 && (from ?? 'utc') === 'utc';
      return {
        ...(shows !== undefined && shows !== 'least-remaining' && { window: shows }),
        ...(!isUtcMinute && { minute: { seconds: seconds ?? 60, from: from ?? 'utc' } }),
      };
    },
  },
  'unauthenticated-quota': {
    answers: 'none, or an object of limit and remaining',
    parse: (value) => {
      if (value === 'none') return { anonymous: 'none' };
      const { limit = 0, remaining = limit } = parts({ limit: parseCount, remaining: parseCount })(
        value,
      );
      return { anonymous: { limit, remaining } };
    },
  },
  'enterprise-figures': 'they are in the file of --plans',
  ban: {
    answers:
      'none, or an object of strikes (refused calls), withinSeconds, seconds and maxSeconds; calibrate never provokes a ban, so write it yourself',
    parse: (value) => ({ ban: parseBan(value) }),
  },
  'unknown-path': {
    answers: 'an object of path and method (one that a path lacks), each an answer',
    parse: (value) => {
      const { path, method } = parts({ path: parseForm, method: parseForm })(value);
      return {
        errors: {
          ...(path && { unknown_path: path }),
          ...(method && { method_not_allowed: method }),
        },
      };
    },
  },
  'head-and-options': {
    answers: `an object of head (as-get or ${refusal}) and cors (always, with-origin or none)`,
    parse: (value) => {
      const { head, cors } = parts({
        head: oneOfOr(['as-get'], parseForm),
        cors: oneOf('always', 'with-origin', 'none'),
      })(value);
      return {
        ...(typeof head === 'object' && { head }),
        ...(cors !== undefined && cors !== 'always' && { cors }),
      };
    },
  },
  'further-members': {
    answers: 'none, or an object of the members that items have besides',
    parse: unless('none', (value) => ({ members: asObject(value) })),
  },
  'further-headers': {
    answers:
      'an object of headers by "operationId status", "unknown-path status", "other-method status" and "HEAD status" (each with "without a key" behind it for a call without a valid one), operations or *; null is a header that is lacking',
    parse: (value) => ({
      headers: Object.fromEntries(
        Object.entries(asObject(value)).map(([place, headers]) => [
          place,
          within(place, () => parseHeaders(headers)),
        ]),
      ),
    }),
  },
};
