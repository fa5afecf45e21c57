import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import express, { type Request, type RequestHandler } from 'express';
import type { Operation } from '../../contracts/document.ts';
import { type Answer, toErrorAnswer } from './answer.ts';
import { countHeader } from './authenticate.ts';
import { type ExactJson, parseExact } from './exact-json.ts';
import type { Validate } from './validator.ts';

/** The most bytes that a body may hold, after decompression. */
const bodyLimit = 1024 * 1024;

/** A body that fits the operation's schema, or the error that answers the request. */
export type ReadBody = { body: unknown; refusal?: never } | { body?: never; refusal: Answer };

/** Collects the bytes of a body, inflated; its errors go to `next`. */
const collectBytes: RequestHandler = express.raw({ type: () => true, limit: bodyLimit });

/** Reads, parses and validates the JSON bodies that an operation describes. */
export function createReadBody({ required = false, schemaName }: Partial<NonNullable<Operation['body']>>, validate: Validate) {
  const expected = schemaName ? `a valid ${schemaName}` : 'valid';

  /** Refuses a body by its headers, before a byte of it is read. */
  const refuseEarly = (request: IncomingMessage): Answer | undefined => {
    if (!hasBody(request)) {
      return required ? toErrorAnswer('malformed_json', `The body is missing. Send ${schemaName ?? 'it'} as JSON.`) : undefined;
    }
    const problem = mediaTypeProblem(request);
    return problem ? toErrorAnswer('unsupported_media_type', problem, { Accept: 'application/json' }) : undefined;
  };

  const parse = (bytes: Buffer): ReadBody => {
    if (!isUtf8(bytes)) return { refusal: toErrorAnswer('malformed_json', 'The body is not valid UTF-8.') };
    let json: ExactJson;
    try {
      json = parseExact(withoutBom(bytes.toString('utf8')));
    } catch (error) {
      return { refusal: toErrorAnswer('malformed_json', `The body is not valid JSON${jsonProblem(error)}.`) };
    }
    const problems = validate(json.doubles);
    if (problems) return { refusal: toErrorAnswer('invalid_body', `The body is not ${expected}. ${problems.join(' ')}`) };
    return { body: json.value };
  };

  return {
    refuseEarly,
    collectBytes,
    parse: (request: Request) => parse(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)),
  };
}

/** Whether a request announces a body (RFC 9112 §6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The error for what body-parser passes on, or undefined where it is none of its errors. */
export function bodyErrorAnswer(error: unknown): Answer | undefined {
  const { type, message } = error as { type?: string; message?: string };
  switch (type) {
    case 'entity.too.large':
      return toErrorAnswer('payload_too_large', `The body may hold at most ${bodyLimit} bytes, after decompression.`);
    case 'encoding.unsupported':
      return toErrorAnswer(
        'unsupported_media_type',
        'The content coding of the body is unknown. Send gzip, deflate, br or none.',
        {
          'Accept-Encoding': 'gzip, deflate, br',
        },
      );
    case 'request.size.invalid':
    case 'request.aborted':
      return toErrorAnswer('malformed_request', `The body did not arrive whole: ${message}.`);
    default:
      return (error as NodeJS.ErrnoException)?.code?.startsWith('Z_') ||
        /^ERR_.*BROTLI|^ERR_ZSTD|^ZSTD/.test(String((error as NodeJS.ErrnoException)?.code))
        ? toErrorAnswer('malformed_json', 'The body cannot be decompressed.')
        : undefined;
  }
}

function mediaTypeProblem(request: IncomingMessage): string | undefined {
  const sent = request.headers['content-type'];
  if (sent === 'application/json' && countHeader(request, 'content-type') === 1) return undefined;
  if (sent === undefined) return 'The body must be sent as "Content-Type: application/json", but has no Content-Type.';
  if (countHeader(request, 'content-type') > 1) return 'The Content-Type header must be sent once.';
  let type: MIMEType;
  try {
    type = new MIMEType(sent);
  } catch {
    return 'The Content-Type header is malformed. Send "Content-Type: application/json".';
  }
  if (!/^application\/(.+\+)?json$/.test(type.essence))
    return `The body must be sent as "Content-Type: application/json", but is ${type.essence}.`;
  const charset = type.params.get('charset');
  return charset === null || /^utf-?8$/i.test(charset) ? undefined : `JSON is sent in UTF-8, but the charset is ${charset}.`;
}

function withoutBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function jsonProblem(error: unknown): string {
  if (error instanceof RangeError) return ': it is nested too deeply';
  const message = error instanceof Error ? error.message : '';
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position) return `: unexpected text at position ${position}`;
  return /unexpected end/i.test(message) ? ': it ends too early' : '';
}
