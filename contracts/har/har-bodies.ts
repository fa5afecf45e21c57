import { isUtf8 } from 'node:buffer';
import { membersOf } from '../json.ts';
import { decode, TooLarge } from '../run/http/decode.ts';
import type { RawHeader, RecordedBody } from '../traffic/recorded-exchange.ts';
import { cutComment, headerOf, toBytes, unrecorded } from './recorded-values.ts';

type Members = Record<string, unknown>;

/** What is around the entries of a HAR. */
export type HarContext = {
  /** The program that made it, such as `WebInspector`. */
  creator: string;
  /** The bytes of a body that lies beside the archive, as Playwright attaches them. */
  readAttachment: (name: string) => Promise<Uint8Array | undefined>;
};

/** The body of a request of an entry; undefined where there was none. */
export async function toRequestBody(
  request: Members,
  headers: readonly RawHeader[],
  { readAttachment }: HarContext,
): Promise<RecordedBody | undefined> {
  const posted = membersOf(request.postData) ?? {};
  const { text, encoding, comment, _file } = posted;
  if (typeof _file === 'string') {
    const bytes = await readAttachment(_file);
    return bytes ? { bytes } : unrecorded;
  }
  if (typeof text === 'string' && text !== '')
    return { bytes: toBytes(text, encoding), ...(isCutComment(comment) && { isCut: true }) };
  if (isCutComment(comment)) return unrecorded;
  const size = Math.max(
    Number(request.bodySize) || 0,
    Number(headerOf(headers, 'content-length')) || 0,
  );
  return size > 0 ? unrecorded : undefined;
}

function isCutComment(comment: unknown): boolean {
  return comment === cutComment;
}

/** The body of a response of an entry. */
export async function toResponseBody(
  response: Members,
  headers: readonly RawHeader[],
  { method, context }: { method: string; context: HarContext },
): Promise<RecordedBody> {
  const content = membersOf(response.content) ?? {};
  const { text, encoding, comment, _file } = content;
  if (typeof _file === 'string') {
    const bytes = await context.readAttachment(_file);
    return bytes ? { bytes, ...decodedUnless(await isStillEncoded(bytes, headers)) } : unrecorded;
  }
  if (typeof text !== 'string' || text === '')
    return isEmpty(response, content, { method, headers })
      ? { bytes: new Uint8Array(), isDecoded: true }
      : unrecorded;
  const bytes = toBytes(text, encoding);
  const isCut = isCutComment(comment) || bytes.length + maxMark < Number(content.size);
  const isPassedOn = encoding === 'base64' && (await isStillEncoded(bytes, headers));
  return { bytes, ...(isCut && { isCut }), ...decodedUnless(isPassedOn) };
}

/** The bytes of a byte order mark, which browsers take off a text but count in its size. */
const maxMark = 3;

function decodedUnless(isEncoded: boolean): { isDecoded?: true } {
  return isEncoded ? {} : { isDecoded: true };
}

/** Whether no text means that there was none, and not that it was not recorded. */
function isEmpty(
  response: Members,
  content: Members,
  { method, headers }: { method: string; headers: readonly RawHeader[] },
): boolean {
  const { status, bodySize } = response;
  if (method.toUpperCase() === 'HEAD' || status === 204 || status === 304) return true;
  const { size } = content;
  if (Number(size) > 0 || Number(headerOf(headers, 'content-length')) > 0) return false;
  return size === 0 || bodySize === 0 || content.text === '';
}

/** Larger bodies are not decoded to see whether that is possible. */
const maxDecoded = 8 * 1024 * 1024;

/**
 * Whether a body still has its content encoding, as a proxy may leave it: most recorders undo it and
 * keep its header. What is text was decoded; the rest was not if it can be.
 */
async function isStillEncoded(bytes: Uint8Array, headers: readonly RawHeader[]): Promise<boolean> {
  const encoding = headerOf(headers, 'content-encoding') ?? '';
  if (!/gzip|br|zstd|deflate/i.test(encoding) || bytes.length === 0 || isUtf8(bytes)) return false;
  try {
    await decode(bytes, encoding, maxDecoded);
    return true;
  } catch (error) {
    return error instanceof TooLarge;
  }
}
