import { type ByteText, noBytes } from '../json/exact-json.ts';
import type { Reason } from './reason.ts';

const none: readonly string[] = [];
const fromConnection: Reason = { step: 'connection' };

/**
 * A request and its answer as they were, keys included. It only holds references, so that recording
 * is cheap and reading does the work. It is flat, because each nested object costs garbage
 * collection while it is retained. It is a class, because V8 soon allocates objects of a literal in
 * its old generation, where an exchange that left the journal retains all that it refers to.
 */
export class Exchange {
  /** Counts up over the whole twin. */
  id: number;
  sandbox: string;
  /** The name of the API, if the process serves several. */
  api: string | undefined = undefined;
  /** When the request came, in Unix milliseconds. */
  at: number;
  /** The time on the sandbox's clock at the response, as milliseconds after `at`. */
  clockOffset: number;
  /**
   * From the request to its answer, in whole microseconds; undefined for what never became a
   * request, as the next ones.
   */
  microseconds: number | undefined = undefined;
  method: string | undefined = undefined;
  /** The request target as it was sent. */
  target: string | undefined = undefined;
  httpVersion: string | undefined = undefined;
  /** The part of the target before a path of the document: `/API/sandboxes/NAME`, or empty. */
  prefix = '';
  secure = false;
  /** Headers of the request, a flat list of names and values. */
  rawHeaders: readonly string[] = none;
  /** The body of the request, or its beginning; undefined if none came or it was not read. */
  body: ByteText | undefined = undefined;
  /** How many bytes a body had that is cut. */
  wholeBody: number | undefined = undefined;
  /** The id of the operation that the request was for; undefined where it was for none. */
  operation: string | undefined = undefined;
  /** The name of the key that was let in. */
  key: string | undefined = undefined;
  reason: Reason = fromConnection;
  /** Undefined where the connection ended before an answer. */
  status: number | undefined = undefined;
  /** Headers of the answer, a flat list of names and values. */
  fields: readonly string[] = none;
  /** The content of the answer, or its beginning. */
  content = noBytes;
  /** How many bytes a content had that is cut. */
  wholeContent: number | undefined = undefined;
  /** The memory that the journal counts for it, in bytes. */
  size = 0;

  constructor(id: number, sandbox: string, at: number, clockOffset: number) {
    this.id = id;
    this.sandbox = sandbox;
    this.at = at;
    this.clockOffset = clockOffset;
  }
}

/** How many bytes of a body are retained. */
export const maxBody = 65_536;

/** The memory of an exchange without its texts in bytes, about as measured in V8. */
const overhead = 1024;

/** The memory of a header string without its characters: the object and its place in the list. */
const headerOverhead = 32;

/**
 * Returns the retained part of a body. `text` is the decoded body, if its bytes are UTF-8. If all
 * bytes are ASCII, the text has as many characters and is reused.
 */
export function toRetainedBody(bytes: Buffer, text?: string): ByteText {
  const isAscii = text?.length === bytes.length && bytes.length <= maxBody;
  return (isAscii ? text : bytes.toString('latin1', 0, maxBody)) as ByteText;
}

/** Cuts a content to the length that is retained, and counts the rest. */
export function trim(exchange: Exchange): void {
  const { content } = exchange;
  if (content.length > maxBody) {
    exchange.wholeContent = content.length;
    // A copy, as a part would hold on to the whole.
    exchange.content = Buffer.from(content.slice(0, maxBody), 'latin1').toString(
      'latin1',
    ) as ByteText;
  }
  exchange.size = sizeOf(exchange);
}

/**
 * The maximum memory of an exchange in bytes: two for each character of a text, one for each byte
 * of a body.
 */
export function sizeOf({
  target = '',
  rawHeaders,
  body,
  reason,
  fields,
  content,
}: Exchange): number {
  let characters = target.length;
  for (const text of rawHeaders) characters += text.length;
  for (const text of fields) characters += text.length;
  // Its sentences quote the names of properties, however long they are.
  if (reason.step === 'body' || reason.tolerated) characters += JSON.stringify(reason).length;
  return (
    overhead +
    headerOverhead * (rawHeaders.length + fields.length) +
    2 * characters +
    content.length +
    (body?.length ?? 0)
  );
}
