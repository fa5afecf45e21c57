import { oncePer } from '../../common/once-per.ts';
import { decode, TooLarge } from '../run/http/decode.ts';
import type { HttpResult } from '../run/http/target.ts';
import { type Body, readBody, toTooLarge, toUnjudged } from '../transcript/body.ts';
import { type Failure, type RawHeader, valuesOf } from '../transcript/exchange.ts';

const maxDecoded = 8 * 1024 * 1024;

/**
 * Returns the response or failure of a recorded request, its body decoded. A truncated body is not
 * judged; a body that does not fit its encoding is a failure.
 */
export async function readOutcome({
  response,
  failure,
}: Pick<RecordedExchange, 'response' | 'failure'>): Promise<HttpResult> {
  if (failure) return { failure };
  if (!response) return { failure: { kind: 'aborted', message: 'no answer was recorded' } };
  return readResponse(response);
}

/** Reads a response once: a recording is replayed several times. */
const readResponse = oncePer(
  async ({
    status,
    headers,
    body: recorded,
  }: NonNullable<RecordedExchange['response']>): Promise<HttpResult> => {
    const body = await readRecordedBody(recorded, headers);
    return 'failure' in body ? body : { response: { status, headers, ...body } };
  },
);

async function readRecordedBody(
  { bytes, isCut, isDecoded }: RecordedBody,
  headers: readonly RawHeader[],
): Promise<Body | { failure: Failure }> {
  const part = bytes.length === 0 ? 'no body was recorded' : 'only the beginning was recorded';
  if (isCut) return toUnjudged(bytes, part);
  if (isDecoded) return readBody(bytes);
  const encoding = valuesOf(headers, 'Content-Encoding').join(', ');
  try {
    return readBody(await decode(bytes, encoding, maxDecoded));
  } catch (error) {
    if (error instanceof TooLarge) return toTooLarge(bytes, error.message);
    const message = 'the body does not match its Content-Encoding';
    return { failure: { kind: 'undecodable', message } };
  }
}

/**
 * A body as it passed: its bytes as they were sent (still encoded), and whether they were all kept.
 */
export type RecordedBody = {
  bytes: Uint8Array;
  /** Whether the body was longer than the bytes that were kept. */
  isCut?: boolean;
  /** Whether a content encoding was already taken off, as in a HAR. */
  isDecoded?: boolean;
};

/** One exchange between others, as it passed. Times are in Unix milliseconds. */
export type RecordedExchange = {
  request: { method: string; url: string; headers: readonly RawHeader[]; body?: RecordedBody };
  response?: { status: number; headers: readonly RawHeader[]; body: RecordedBody };
  /** Why there is no complete response. */
  failure?: Failure;
  sentAt: number;
  endedAt: number;
  /** Whether the target sent it, as a webhook or a callback. */
  isWebhook?: boolean;
  /** Parts that the recording omits, such as `Authorization` in a browser's sanitised export. */
  missing?: readonly 'credentials'[];
  /** Texts that no archive may show, besides the keys. */
  secrets?: readonly string[];
};
