import {
  asObject,
  eachOrAll,
  oneOf,
  oneOfOr,
  type Parse,
  parseBan,
  parseCount,
  parseErrors,
  parseForm,
  parseHeader,
  parseHeaders,
  parseRefusal,
  parseText,
  parts,
  whole,
} from './parse-answer.ts';
import { idFaults, limitAnswers, limitFaults, type Pins } from './pins.ts';

/** The changes that an answer makes to the twin's settings. */
type Change = Omit<Partial<Pins>, 'errors'> & { errors?: Pins['errors'] };

/** The answers that a silence can be pinned to, in words, and their parser. */
export type PinRow = { answers: string; parse: Parse<Change> };

/** Reads an answer as one setting; `own` is the answer of the twin, which sets nothing. */
function toSetting<Name extends keyof Pins>(
  name: Name,
  parse: Parse<Pins[Name]>,
  own?: string,
): Parse<Change> {
  return (value) => (value === own ? {} : { [name]: parse(value) });
}

/** Reads an answer that is the form of an error of the twin. */
function toError(code: keyof Pins['errors']) {
  return (value: unknown): Change => ({ errors: { [code]: parseRefusal(value) } });
}

/**
 * Every silence with the answers that it can be pinned to, or why there are none. `an error` is a
 * status, or an object of status, code, message, members, json, text and mediaType.
 */
export const pinRows: Readonly<Record<string, PinRow | string>> = {
  'limit-out-of-range': {
    answers:
      'ignored, clamped, empty-list or an error; or an object of these by zero, below, above and text',
    parse: toSetting('limits', eachOrAll(limitFaults, oneOfOr(limitAnswers, parseRefusal))),
  },
  'unknown-status-filter': {
    answers: 'ignored, empty-list or an error',
    parse: toSetting('filter', oneOfOr(['ignored', 'empty-list'], parseRefusal)),
  },
  'unknown-query-parameter': {
    answers: 'ignored or an error',
    parse: toSetting('otherParameter', parseRefusal, 'ignored'),
  },
  'list-order': {
    answers: 'oldest-first or newest-first',
    parse: toSetting('order', oneOf('newest-first'), 'oldest-first'),
  },
  'further-page': 'nothing shows how a page would be asked for',
  'default-status': {
    answers: 'absent, or an object of the values that are stored by their property',
    parse: toSetting('defaults', asObject, 'absent'),
  },
  'unknown-body-field': {
    answers: 'dropped, stored or an error',
    parse: toSetting('otherField', oneOfOr(['stored'], parseRefusal), 'dropped'),
  },
  'unknown-category': {
    answers: 'accepted or an error, for a category that no item has',
    parse: toSetting('unknownCategory', parseRefusal, 'accepted'),
  },
  'integer-range': 'it is answered as other invalid bodies are; pin error-codes',
  'empty-name': {
    answers: 'accepted or an error',
    parse: toSetting('emptyName', parseRefusal, 'accepted'),
  },
  'unusual-name': {
    answers: 'accepted, or an object of max (characters) and tooLong, an error',
    parse: toSetting('longName', whole({ max: parseCount, tooLong: parseRefusal }), 'accepted'),
  },
  'repeated-create': {
    answers: 'two-items, or an object of by (a property, or body) and answer, an error',
    parse: toSetting('repeated', whole({ by: parseText, answer: parseRefusal }), 'two-items'),
  },
  'new-id': {
    answers: 'sequential, random (53 bits) or random-64',
    parse: toSetting('ids', oneOf('random', 'random-64'), 'sequential'),
  },
  'read-after-create': {
    answers: 'immediately',
    parse(value) {
      oneOf('immediately')(value);
      return {};
    },
  },
  'media-type': {
    answers: 'accepted or an error',
    parse: (value) =>
      value === 'accepted' ? { anyMediaType: true } : toError('unsupported_media_type')(value),
  },
  'body-size': {
    answers: 'an object of max (bytes) and answer, an error',
    parse(value) {
      const { max, answer } = whole({ max: parseCount, answer: parseRefusal })(value);
      return { maxBody: max, errors: { payload_too_large: answer } };
    },
  },
  'pet-id-form': {
    answers: 'an error; or an object of errors by text and beyond (no 64-bit integer)',
    parse: toSetting('idForms', eachOrAll(idFaults, parseRefusal)),
  },
  'deprecation-headers': {
    answers: 'none, or an object of the headers Deprecation, Sunset and Link',
    parse(value) {
      const headers = { Deprecation: parseHeader, Sunset: parseHeader, Link: parseHeader };
      return { deprecation: value === 'none' ? {} : (parts(headers)(value) as HeaderValues) };
    },
  },
  'deprecation-date': 'it is in the header Deprecation; pin deprecation-headers',
  'after-removal': {
    answers: 'still-served or an error',
    parse: (value) =>
      value === 'still-served'
        ? { afterRemoval: 'still-served' }
        : toError('operation_removed')(value),
  },
  'orders-payload': {
    answers: 'an answer: an object of status, and json or text',
    parse: toSetting('payload', parseForm),
  },
  'stability-markers': 'no response shows it',
  'credentials-first': 'the mock checks the key first',
  events: 'the mock sends none, and no request shows them',
  'error-codes': {
    answers: 'an object of errors by the code that the mock has for them',
    parse: (value) => ({ errors: parseErrors(value) }),
  },
  'rate-limit-body': {
    answers: 'an answer: Error, or an object of code, message, members, json and text',
    parse(value) {
      if (value === 'Error') return {};
      const { status: _, ...form } = parseForm(value);
      return { errors: { rate_limit_exceeded: form, key_banned: form } };
    },
  },
  'rate-limit-scope': 'the mock counts every call',
  'rate-limit-windows': {
    answers:
      'least-remaining (the headers show that of the minute and the day which has fewer calls left), minute or day',
    parse: toSetting('window', oneOf('minute', 'day'), 'least-remaining'),
  },
  'unauthenticated-quota': {
    answers: 'none, or an object of limit and remaining',
    parse: toSetting(
      'anonymous',
      oneOfOr(['none'], whole({ limit: parseCount, remaining: parseCount })),
    ),
  },
  'enterprise-figures': 'they are in the file of --plans',
  ban: {
    answers:
      'none, or an object of strikes (refused calls), withinSeconds, seconds and maxSeconds; calibrate never provokes a ban, so write it yourself',
    parse: toSetting('ban', parseBan),
  },
  'unknown-path': {
    answers: 'an object of path and method (one that a path lacks), each an answer',
    parse(value) {
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
    answers: 'an object of head (as-get or an error) and cors (always, with-origin or none)',
    parse(value) {
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
    answers: 'none, or an object of the additional members of items',
    parse: toSetting('members', asObject, 'none'),
  },
  'further-headers': {
    answers:
      'an object of headers by "operationId status", "unknown-path status", "other-method status", "HEAD status" or *; null is a header that is lacking',
    parse: (value) => ({
      headers: Object.fromEntries(
        Object.entries(asObject(value)).map(([place, headers]) => [place, parseHeaders(headers)]),
      ),
    }),
  },
};

type HeaderValues = Readonly<Record<string, string>>;
