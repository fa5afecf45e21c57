import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import { toExcerpt } from '../../common/look/visible.ts';
import { fitsRange, toEssence } from '../../common/media-type.ts';
import type { Operation } from '../../openapi/index.ts';
import {
  type Answer,
  type ErrorProblem,
  toErrorAnswer,
  toStatedErrorAnswer,
} from '../answers/answer.ts';
import { NestingError, NumberRangeError, parseExact } from '../json/exact-json.ts';
import { type Problem, toSentences, type Validate } from '../json/validator.ts';

const json: readonly string[] = ['application/json'];

/** The default maximum of bytes of a body, after decompression. */
const defaultLimit = 1024 * 1024;

/**
 * A body that fits the operation's schema (undefined where none is needed and none came); or the error
 * that answers, with what is wrong where the schema tells. `bytes` are what was read, without the
 * content coding where that could be taken off, and `text` is what they say if they are UTF-8.
 */
export type ReadBody = { bytes?: Buffer; text?: string } & (
  | { body: unknown; refusal?: never }
  | { body?: never; refusal: Answer; problems?: readonly Problem[] }
);

/**
 * Reads the body of a request, and asks for it first where the client waits to be asked (Expect:
 * 100-continue).
 */
export type ReadRequestBody = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<ReadBody>;

/** Whether a request announces a body (RFC 9112 §6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Reads a body that is no JSON, by its Content-Type. */
export type ParseBytes = (bytes: Buffer, contentType: string) => ReadBody | Promise<ReadBody>;

/**
 * Makes the reader of the JSON bodies that an operation describes, of at most `limit` bytes and of one
 * of the media types, which are all JSON.
 */
export function createReadBody(
  {
    required = false,
    schemaName,
    limit = defaultLimit,
    mediaTypes = json,
    anyMediaType = false,
    unfitStatus,
    parseBytes,
  }: Partial<NonNullable<Operation['body']>> & {
    limit?: number;
    /** The status for a body that is no JSON or breaks its schema, where that is not the one of its error. */
    unfitStatus?: number;
    /** Whether the media type of the request does not matter. */
    anyMediaType?: boolean;
    /** Reads bodies other than JSON, by their Content-Type. */
    parseBytes?: ParseBytes;
  },
  validate: Validate,
): ReadRequestBody {
  const toMalformed = (message: string) =>
    toStatedErrorAnswer('malformed_json', message, unfitStatus);
  const missing = toMalformed(`The body is missing. Send ${schemaName ?? 'it'} as JSON.`);
  const none: ReadBody = { body: undefined };
  const tooLarge = toErrorAnswer(
    'payload_too_large',
    `The body may have at most ${limit} bytes, after decompression.`,
  );
  const parseJson = createParseJson({ schemaName, unfitStatus }, validate);

  return async (request, response) => {
    if (!hasBody(request)) return required ? { refusal: missing } : none;
    const refusal = headersProblem(request, anyMediaType ? undefined : mediaTypes);
    if (refusal) return { refusal };
    if (Number(request.headers['content-length'] ?? 0) > limit) return { refusal: tooLarge };
    if (request.headers.expect !== undefined) response.writeContinue();
    const { bytes, problem } = await collectBytes(request, limit);
    if (problem === 'too large') return { refusal: tooLarge };
    if (problem)
      return { refusal: toErrorAnswer('malformed_request', 'The body did not arrive completely.') };
    if (bytes.length === 0 && !required) return none;
    let decompressed = bytes;
    try {
      const coding = contentCoding(request);
      if (coding !== 'identity') decompressed = await decompress(bytes, coding, limit);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
        return { refusal: tooLarge, bytes };
      return { refusal: toMalformed('The body cannot be decompressed.'), bytes };
    }
    if (parseBytes) return parseBytes(decompressed, request.headers['content-type'] ?? '');
    return parseJson(decompressed);
  };
}

type ParseJsonOptions = { schemaName?: string | undefined; unfitStatus: number | undefined };

/** Makes the reader of bytes that are JSON. */
export function createParseJson(
  { schemaName, unfitStatus }: ParseJsonOptions,
  validate: Validate,
): (bytes: Buffer) => ReadBody {
  const toMalformed = (message: string) =>
    toStatedErrorAnswer('malformed_json', message, unfitStatus);
  const conclude = createConclude({ schemaName, unfitStatus }, validate);
  const notUtf8 = toMalformed('The body is not valid UTF-8.');
  return (bytes) => {
    if (!isUtf8(bytes)) return { refusal: notUtf8, bytes };
    const text = bytes.toString('utf8');
    let parsed: unknown;
    try {
      parsed = parseExact(withoutBom(text));
    } catch (error) {
      const code = error instanceof NumberRangeError ? 'invalid_body' : 'malformed_json';
      return { refusal: toStatedErrorAnswer(code, jsonProblem(error), unfitStatus), bytes, text };
    }
    return conclude(parsed, { bytes, text });
  };
}

/** Checks the value of a body of any media type, besides the problems that reading it found. */
export type Conclude = (
  value: unknown,
  sent: Pick<ReadBody, 'bytes' | 'text'>,
  found?: readonly Problem[],
) => ReadBody;

/** Makes the last step of a reader of bodies. */
export function createConclude(
  { schemaName, unfitStatus }: ParseJsonOptions,
  validate: Validate,
): Conclude {
  const expected = schemaName ? `a valid ${schemaName}` : 'valid';
  return (value, sent, found = []) => {
    const problems = [...found, ...(validate(value, sent.bytes?.length) ?? [])];
    if (problems.length === 0) return { body: value, ...sent };
    const message = `The body is not ${expected}. ${toSentences(problems)}`;
    const refusal = toStatedErrorAnswer('invalid_body', message, unfitStatus, inBody(problems));
    return { refusal, problems, ...sent };
  };
}

/** Problems of a body, as an error lists them. */
function inBody(problems: readonly Problem[]): ErrorProblem[] {
  return problems.map((problem) => ({ in: 'body', ...problem }));
}

/** The error for a body that can be refused by its headers alone. */
function headersProblem(
  request: IncomingMessage,
  mediaTypes: readonly string[] | undefined,
): Answer | undefined {
  const problem = mediaTypes && mediaTypeProblem(request, mediaTypes);
  const field = request.method === 'PATCH' ? 'Accept-Patch' : 'Accept';
  if (problem)
    return toErrorAnswer('unsupported_media_type', problem, {
      [field]: mediaTypes?.join(', ') ?? '',
    });
  const coding = contentCoding(request);
  if (coding === 'identity' || contentCodings.includes(coding)) return undefined;
  const message = `The content coding of the body is unknown. Send ${contentCodings.join(', ')} or none.`;
  return toErrorAnswer('unsupported_media_type', message, {
    'Accept-Encoding': contentCodings.join(', '),
  });
}

function mediaTypeProblem(
  request: IncomingMessage,
  mediaTypes: readonly string[],
): string | undefined {
  const sent = request.headers['content-type'];
  if (sent !== undefined && mediaTypes.includes(sent)) return undefined;
  const expected = `"Content-Type: ${mediaTypes.join('" or "')}"`;
  if (sent === undefined) return `The body must be sent as ${expected}, but has no Content-Type.`;
  const type = toEssence(sent);
  if (!mediaTypes.some((one) => fitsRange(type, one)))
    return `The body must be sent as ${expected}, but is ${toExcerpt(type, 100)}.`;
  const [, charset = 'utf-8'] = /;[ \t]*charset="?([^";\s]*)/i.exec(sent) ?? [];
  return /^utf-?8$/i.test(charset)
    ? undefined
    : `JSON is sent in UTF-8, but the charset is ${toExcerpt(charset, 100)}.`;
}

function withoutBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function jsonProblem(error: unknown): string {
  if (error instanceof NestingError) return `The body is nested too deeply: ${error.message}.`;
  const message = error instanceof Error ? error.message : '';
  if (error instanceof NumberRangeError) return `The body is not valid: ${message}.`;
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position) return `The body is not valid JSON: unexpected text at position ${position}.`;
  return /unexpected end/i.test(message)
    ? 'The body is not valid JSON: it ends too early.'
    : 'The body is not valid JSON.';
}

/** The bytes of a body, or why there are none. */
type Collected =
  | { bytes: Buffer; problem?: never }
  | { bytes?: never; problem: 'too large' | 'not whole' };

/**
 * How long the rest of a refused body is read, in milliseconds: in all, and without receiving
 * anything.
 */
export const drainTimeout = { total: 2000, idle: 500 };

type Inflate = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const inflaters: ReadonlyMap<string, Inflate> = new Map<string, Inflate>([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);

/** The content codings that {@link decompress} knows, besides `identity`. */
const contentCodings: readonly string[] = [...inflaters.keys()];

/** The content coding of a body, in lower case. */
function contentCoding({ headers }: IncomingMessage): string {
  return headers['content-encoding']?.toLowerCase() ?? 'identity';
}

/** Collects the bytes of a body as they were sent, at most `limit`. */
export function collectBytes(request: IncomingMessage, limit: number): Promise<Collected> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // The listeners stay, as taking them off costs more: what comes first settles it.
    request
      .on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= limit) chunks.push(chunk);
        else resolve({ problem: 'too large' });
      })
      .on('end', () =>
        resolve({ bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) }),
      )
      .on('close', () => resolve({ problem: 'not whole' }));
  });
}

/** The maximum of bytes of a body that no step has read. */
const maxUnreadBody = 1024 * 1024;

/** Whether a body is on its way that no step has read, and that {@link readUnread} may read. */
export function isUnread(request: IncomingMessage): boolean {
  if (request.readableFlowing !== null || !hasBody(request)) return false;
  const { expect, 'content-length': length = 0 } = request.headers;
  return expect === undefined && Number(length) <= maxUnreadBody;
}

/**
 * Reads a body that the answer does not depend on, without its content coding where that can be
 * taken off; undefined if it is empty, too large, broken or not there in time.
 */
export async function readUnread(request: IncomingMessage): Promise<Buffer | undefined> {
  const late = wait(drainTimeout.idle, undefined, { ref: false });
  const { bytes } = (await Promise.race([collectBytes(request, maxUnreadBody), late])) ?? {};
  if (!bytes?.length) return undefined;
  return decompress(bytes, contentCoding(request), maxUnreadBody).catch(() => bytes);
}

/**
 * Decodes a content coding. Throws the error of zlib, with the code ERR_BUFFER_TOO_LARGE beyond
 * `limit` bytes.
 */
async function decompress(bytes: Buffer, coding: string, limit: number): Promise<Buffer> {
  return inflaters.get(coding)?.(bytes, { maxOutputLength: limit }) ?? bytes;
}
