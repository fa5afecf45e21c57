import { isUtf8 } from 'node:buffer';
import { membersOf } from '../../common/json.ts';
import type { RawHeader, RecordedBody } from '../traffic/recorded-exchange.ts';
import { cutComment, headerOf, toBytes, unrecorded } from './recorded-values.ts';

type Members = Record<string, unknown>;

/** Facts about an archive that its entries do not hold. */
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
  const form = toForm(posted, headers);
  if (form !== undefined) return { bytes: Buffer.from(form) };
  const size = Math.max(
    Number(request.bodySize) || 0,
    Number(headerOf(headers, 'content-length')) || 0,
  );
  return size > 0 ? unrecorded : undefined;
}

/** The text of a form whose fields alone were recorded; undefined without fields, or with a file. */
function toForm({ params }: Members, headers: readonly RawHeader[]): string | undefined {
  const fields = (Array.isArray(params) ? params : []).map((one) => membersOf(one) ?? {});
  const isWhole = fields.every(({ value, fileName }) => value !== undefined && !fileName);
  if (fields.length === 0 || !isWhole) return undefined;
  const pairs = fields.map(({ name, value }) => [String(name), String(value)] as [string, string]);
  const type = headerOf(headers, 'content-type') ?? '';
  if (!/^multipart\/form-data/i.test(type)) return String(new URLSearchParams(pairs));
  const [, boundary] = /boundary="?([^";]+)/i.exec(type) ?? [];
  if (boundary === undefined) return undefined;
  const parts = pairs.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${boundary}--\r\n`;
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
    return bytes ? toUnpacked(bytes, headers) : unrecorded;
  }
  if (typeof text !== 'string' || text === '')
    return isEmpty(response, content, { method, headers })
      ? { bytes: new Uint8Array(), isDecoded: true }
      : unrecorded;
  const bytes = toBytes(text, encoding);
  const isCut = isCutComment(comment) || bytes.length + maxMark < Number(content.size);
  return { ...toUnpacked(bytes, headers), ...(isCut && { isCut }) };
}

/** The bytes of a byte order mark, which browsers take off a text but count in its size. */
const maxMark = 3;

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

/** How bytes begin that are packed with gzip or zstd, in hex. */
const packed = /^(?:1f8b|28b52ffd)/;

/**
 * A body whose content encoding was undone, as most recorders do while they keep its header; or one
 * that still has it, as a proxy may pass it on.
 */
function toUnpacked(bytes: Uint8Array, headers: readonly RawHeader[]): RecordedBody {
  const encoding = headerOf(headers, 'content-encoding') ?? '';
  if (/^identity$|^$/i.test(encoding) || isUtf8(bytes)) return { bytes, isDecoded: true };
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  // Of other codings nobody can say whether they were undone, so nothing is judged by the bytes.
  return packed.test(start) ? { bytes } : { bytes, isDecoded: true, isCut: true };
}
