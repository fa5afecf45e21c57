import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { readVersion } from '../../common/cli/read-version.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { cutComment, type HarField, toHarEntry as toEntry } from '../../common/har.ts';
import { toFieldRules } from '../../common/secrets/names.ts';
import type { KeyNames } from '../../openapi/index.ts';
import { decode } from '../run/http/decode.ts';
import type { RecordedBody, RecordedExchange } from '../traffic/read-outcome.ts';
import { type RawHeader, valuesOf } from '../transcript/exchange.ts';
import { unrecorded } from './from-har-entry.ts';
import { createRedaction, createTokens, type NamedKey, redactExchange } from './redact-exchange.ts';

/** A page of an archive, which its entries belong to. */
export type HarPage = { id: string; title: string };

export type HarWriterOptions = {
  /** Keys that are known, and the names that are written instead. */
  keys?: readonly NamedKey[];
  /** Headers, parameters and members of JSON that are hidden beside those for keys, by name. */
  redact?: readonly string[];
  /** The names that the document gives headers and parameters with keys. */
  keyNames?: KeyNames;
  pages?: readonly HarPage[];
};

/**
 * Counts of the exchanges that were written, and of those left out because the disk was too slow.
 */
export type HarTotals = { written: number; leftOut: number };

/** Writes exchanges to an archive, which is complete after each of them. */
export interface HarWriter {
  /** Takes an exchange; it is written later, in the order of the calls. */
  add(exchange: RecordedExchange, page?: string): void;
  /** Writes what is left. Throws a {@link UsageError} if something could not be written. */
  close(): Promise<HarTotals>;
}

/** The bodies that may wait to be written, in bytes; beyond it, exchanges are left out. */
const maxWaiting = 64 * 1024 * 1024;

/** Larger bodies are not written, once decoded. */
const maxBody = 8 * 1024 * 1024;

/** The end of an archive. Each entry overwrites the end and is followed by it again. */
const ending = '\n]}}\n';

/**
 * Opens an HTTP Archive 1.2 for exchanges, with tokens in the place of keys. It replaces a file of
 * this name. Throws a {@link UsageError} where it cannot be written.
 */
export async function createHarWriter(
  file: string,
  { keys = [], redact = [], keyNames, pages = [] }: HarWriterOptions = {},
): Promise<HarWriter> {
  const failed = ({ code, message }: NodeJS.ErrnoException) =>
    new UsageError(`--har ${file} could not be written (${code ?? message}).`);
  const handle = await open(file, 'w').catch((error) => {
    throw failed(error);
  });
  const rules = toFieldRules({ ...keyNames, named: redact });
  const redaction = createRedaction(createTokens(keys), rules);
  const totals = { written: 0, leftOut: 0 };
  const put = createPutter(handle);
  let failure: UsageError | undefined;
  let waiting = 0;
  let last = put.begin(toFrame(pages)).catch((error) => {
    failure = failed(error);
  });

  const write = async (exchange: RecordedExchange, page: string | undefined) => {
    const redacted = redactExchange(await withDecodedBodies(exchange), redaction);
    const entry = JSON.stringify(toHarEntry(redacted, page));
    await put.entry(entry);
    totals.written += 1;
  };
  return {
    add(exchange, page) {
      const size = sizeOf(exchange);
      if (waiting + size > maxWaiting) {
        totals.leftOut += 1;
        return;
      }
      waiting += size;
      last = last
        .then(() => (failure ? undefined : write(exchange, page)))
        .catch((error) => {
          failure ??= failed(error);
        })
        .finally(() => {
          waiting -= size;
        });
    },
    async close() {
      await last;
      await handle.close();
      if (failure) throw failure;
      return totals;
    },
  };
}

/** Writes entries where the ending of the archive was, so that it is never without one. */
function createPutter(handle: FileHandle) {
  let position = 0;
  let isFirst = true;
  const write = async (text: string) => {
    const bytes = Buffer.from(text + ending);
    for (let done = 0; done < bytes.length; )
      done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
    position += bytes.length - ending.length;
  };
  return {
    begin: write,
    async entry(text: string) {
      const before = isFirst ? '\n' : ',\n';
      isFirst = false;
      await write(before + text);
    },
  };
}

function toFrame(pages: readonly HarPage[]): string {
  const startedDateTime = new Date().toISOString();
  const log = {
    version: '1.2',
    creator: { name: 'petstore-twin', version: readVersion() },
    pages: pages.map((page) => ({ startedDateTime, ...page, pageTimings: {} })),
  };
  return `{"log":${JSON.stringify(log).slice(0, -1)},"entries":[`;
}

function sizeOf({ request, response }: RecordedExchange): number {
  return 2048 + (request.body?.bytes.length ?? 0) + (response?.body.bytes.length ?? 0);
}

async function withDecodedBodies(exchange: RecordedExchange): Promise<RecordedExchange> {
  const { request, response } = exchange;
  const sent = request.body && (await decodeBody(request.body, request.headers));
  const received = response && (await decodeBody(response.body, response.headers));
  return {
    ...exchange,
    request: { ...request, ...(sent && { body: sent }) },
    ...(received && { response: { ...response, body: received } }),
  };
}

const codings = /^(?:(?:x-)?gzip|br|zstd|deflate)$/i;

/** Decodes a body. A body that cannot be decoded is left out: it may hold unknown secrets. */
async function decodeBody(
  body: RecordedBody,
  headers: readonly RawHeader[],
): Promise<RecordedBody> {
  const { bytes, isCut, isDecoded } = body;
  const encoding = valuesOf(headers, 'Content-Encoding')[0]?.trim() ?? '';
  if (bytes.length > maxBody) return unrecorded;
  if (isDecoded || bytes.length === 0 || /^(?:identity)?$/i.test(encoding)) return body;
  if (isCut || !codings.test(encoding)) return unrecorded;
  const decoded = await decode(bytes, encoding, maxBody).catch(() => undefined);
  return decoded ? { bytes: decoded, isDecoded: true } : unrecorded;
}

/**
 * An exchange as an entry of an HTTP Archive 1.2; `page` is the id of its page. Bodies must be
 * decoded. Fields of our own begin with an underscore, as HAR asks.
 */
export function toHarEntry(exchange: RecordedExchange, page: string | undefined): object {
  const { request, failure, sentAt, endedAt, missing } = exchange;
  const { status, headers, body } = exchange.response ?? {
    status: 0,
    headers: [],
    body: undefined,
  };
  const entry = toEntry({
    startedDateTime: toIso(sentAt),
    time: Math.max(0, endedAt - sentAt),
    httpVersion: 'HTTP/1.1',
    request: {
      method: request.method,
      url: request.url,
      headers: toNamed(request.headers),
      ...toPostData(request),
      bodySize: request.body?.isCut ? -1 : (request.body?.bytes.length ?? 0),
    },
    response: {
      status,
      headers: toNamed(headers),
      content: toContent(body, headers),
      redirectURL: valuesOf(headers, 'Location')[0] ?? '',
      bodySize: -1,
      ...(failure && { _error: `${failure.kind}: ${failure.message}` }),
    },
  });
  return {
    ...(page !== undefined && { pageref: page }),
    ...entry,
    ...(failure && { _failure: failure }),
    ...(missing && { _missing: missing }),
  };
}

function toContent(body: RecordedBody | undefined, headers: readonly RawHeader[]) {
  const mimeType = valuesOf(headers, 'Content-Type')[0] ?? '';
  if (!body) return { size: 0, mimeType };
  const { length } = body.bytes;
  if (body.isCut && length === 0) return { size: -1, mimeType, comment: cutComment };
  return { size: length, mimeType, ...toText(body) };
}

function toPostData({ headers, body }: RecordedExchange['request']) {
  if (!body || (body.bytes.length === 0 && !body.isCut)) return {};
  return { postData: { mimeType: valuesOf(headers, 'Content-Type')[0] ?? '', ...toText(body) } };
}

function toText({ bytes, isCut }: RecordedBody) {
  const { buffer, byteOffset, length } = bytes;
  const view = Buffer.from(buffer, byteOffset, length);
  return {
    text: view.toString(isUtf8(bytes) ? 'utf8' : 'base64'),
    ...(!isUtf8(bytes) && { encoding: 'base64' }),
    ...(isCut && { comment: cutComment }),
  };
}

function toNamed(headers: readonly RawHeader[]): HarField[] {
  return headers.map(([name, value]) => ({ name, value }));
}

/** A time in ISO 8601, with microseconds: calls that follow each other are told from parallel ones. */
function toIso(time: number): string {
  const micros = Math.floor((time % 1) * 1000);
  return new Date(time).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}
