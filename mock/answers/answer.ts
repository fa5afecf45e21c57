import { stringifyExact } from '../../common/json.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import { type ByteText, noBytes, parseExact, toByteText, toText } from '../json/exact-json.ts';
import type { Log } from '../log.ts';
import type { BoundedMap } from '../state/budget.ts';
import { OutOfRoomError, StoreUnavailableError } from '../state/store.ts';
import { type ErrorBody, type ErrorCode, toErrorBody } from './errors.ts';

/**
 * An answer: status, JSON (empty if there is no content), further headers, and headers that
 * override others of the same names.
 */
export type Answer = {
  status: number;
  json: ByteText;
  headers?: Readonly<Record<string, string>>;
  overrides?: Readonly<Record<string, string | readonly string[]>>;
  /** The Error that it holds, which another form may take the place of. */
  error?: AnsweredError;
  /** The Error whose place another form has taken. */
  shapedFrom?: AnsweredError;
  /** Overrides parts of the answer if its unspecified behaviour is pinned. */
  form?: AnswerForm;
  /** The item that was created, whatever the answer shows. */
  created?: ByteText;
  /** The rule of `x-twin` that gave it. */
  xTwin?: string;
  /** Set where code of the user's own gave it, or it is an example though the operation has a kind. */
  kind?: 'own' | 'example';
  /** The collection that the operation left as it was, as the body could not be read. */
  besides?: string;
};

/** An Error with its single problems, if known. */
export type AnsweredError = ErrorBody & { problems?: readonly ErrorProblem[] };

/**
 * Describes one problem of a request: its part, a JSON pointer into that part, and a sentence.
 * `name` is the name of a parameter as sent.
 */
export type ErrorProblem = {
  in: 'body' | 'query' | 'path' | 'header' | 'cookie' | 'querystring';
  name?: string;
  pointer: string;
  problem: string;
};

/**
 * Overrides parts of an answer; absent members change nothing. `json` or `text` replaces the Error,
 * and an empty `text` sends no content.
 */
export type AnswerForm = {
  status?: number;
  /** Of the Error. */
  code?: string;
  message?: string;
  /** Further members of the Error. */
  members?: Readonly<Record<string, unknown>>;
  json?: unknown;
  text?: string;
  mediaType?: string;
};

/** An answer with content other than JSON. */
export type TextAnswer = {
  status: number;
  text: string;
  mediaType: string;
  headers?: Readonly<Record<string, string>>;
  created?: ByteText;
  kind?: 'own' | 'example';
  besides?: string;
};

/** Answers that were given, and hashes of the bodies that they were given to, the oldest first. */
export type Replays = BoundedMap<{ body: string; answer: Promise<Answer | TextAnswer> }>;

/** The status that an answer is sent with, in its own form or a pinned one. */
export function sentStatus(answer: Answer | TextAnswer): number {
  return ('text' in answer ? undefined : answer.form?.status) ?? answer.status;
}

/** The memory of an answer, in bytes. */
export function bytesOfAnswer(answer: Answer | TextAnswer): number {
  const { headers = {} } = answer;
  const fields = 'json' in answer ? { ...headers, ...answer.overrides } : headers;
  return ('json' in answer ? answer.json.length : 2 * answer.text.length) + bytesOfFields(fields);
}

/** The memory of headers, in bytes. */
export function bytesOfFields(
  fields: Readonly<Record<string, string | readonly string[]>>,
): number {
  return Object.entries(fields).reduce(
    (sum, [name, value]) => sum + 2 * (name.length + [value].flat().join('').length) + 64,
    0,
  );
}

/** The answer without content. */
export const noContent: Answer = { status: 204, json: noBytes };

/** The answer for an error of the table. */
export function toErrorAnswer(
  code: ErrorCode,
  message: string,
  headers?: Record<string, string>,
): Answer {
  const body = toErrorBody(code, message);
  return {
    status: body.status,
    json: toByteText(JSON.stringify(body)),
    error: body,
    ...(headers && { headers }),
  };
}

/**
 * Returns an error of the table with its problems; a `status` that the document states replaces the
 * table's.
 */
export function toStatedErrorAnswer(
  code: ErrorCode,
  message: string,
  status?: number,
  problems?: readonly ErrorProblem[],
): Answer {
  const body = toErrorBody(code, message, status);
  const error = problems ? { ...body, problems } : body;
  return { status: body.status, json: toByteText(JSON.stringify(body)), error };
}

/** The answer that holds a value as JSON, bigints as integers. */
export function toJsonAnswer(value: unknown, status = 200): Answer {
  return { status, json: toByteText(stringifyExact(value)) };
}

/**
 * The answer to an error that a step throws. What a store does not do is no failure of the twin; whoever keeps the store logs that.
 */
export function toFailureAnswer(error: unknown, log: Log): Answer {
  if (error instanceof StoreUnavailableError)
    return toErrorAnswer('store_unavailable', error.message);
  log.error(`The mock failed: ${error instanceof Error ? error.stack : String(error)}`);
  return toErrorAnswer('internal_error', 'The mock failed. Its log says why.');
}

/**
 * Keeps browsers from running content of a document or a fault as a page of the mock. A sandboxed
 * page has its own origin and no scripts, so it cannot call the admin.
 */
const isolation: Readonly<Record<string, string>> = {
  'Content-Security-Policy': 'sandbox',
  'X-Content-Type-Options': 'nosniff',
};

/** The answer with headers that isolate its content, unless that is JSON. */
export function isolated(answer: TextAnswer): TextAnswer {
  if (isJsonType(answer.mediaType)) return answer;
  return { ...answer, headers: { ...answer.headers, ...isolation } };
}

/** The headers that isolate content of a media type; none for JSON, which browsers never run. */
export function isolationOf(mediaType: string): Readonly<Record<string, string>> {
  return isJsonType(mediaType) ? {} : isolation;
}

/**
 * Whether content of a media type is JSON, also by its suffix (RFC 6839 §3.1). A value with a comma
 * may name two, of which browsers take the last.
 */
export function isJsonType(mediaType: string): boolean {
  return /^[^\s;,/]+\/([^\s;,/]+\+)?json\s*(;[^,]*)?$/i.test(mediaType);
}

/** The answer to a lack of room. Rethrows any other error. */
export function toOutOfRoomAnswer(error: unknown): Answer {
  if (error instanceof OutOfRoomError) return toErrorAnswer('out_of_room', error.message);
  throw error;
}

/** The path of a request, for sentences: its query may hold a key, or be long. */
export function toShownPath(target: string): string {
  return toExcerpt(target.replace(/[?#].*/s, ''), 200);
}

/** The body of an answer as code has it: parsed, or text; undefined without content. */
export function bodyOf(answer: Answer | TextAnswer): unknown {
  if ('text' in answer) return answer.text;
  return answer.json === noBytes ? undefined : parseExact(toText(answer.json));
}

/** Returns an answer whose problems of the body are at a JSON pointer in it. */
export function withProblemsAt(answer: Answer | TextAnswer, at: string): Answer | TextAnswer {
  const error = 'error' in answer ? answer.error : undefined;
  if (!error?.problems) return answer;
  const problems = error.problems.map((one) =>
    one.in === 'body' ? { ...one, pointer: at + one.pointer } : one,
  );
  return { ...answer, error: { ...error, problems } } as Answer;
}
