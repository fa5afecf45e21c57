import type { Reason } from './reason.ts';

/** A request and its answer as they were, keys included. It refers to what is there anyway; whoever reads it does the work. */
export type Exchange = {
  /** Counts up over the whole twin. */
  id: number;
  sandbox: string;
  /** When the request came, in Unix milliseconds: by the system's clock, and by the sandbox's. */
  at: number;
  clock: number;
  /** From the request to its answer; undefined for what never became a request. */
  milliseconds?: number;
  request?: ReceivedRequest;
  /** The id of the operation that answered; undefined where none did. */
  operation?: string;
  /** The name of the key that was let in. */
  key?: string;
  reason: Reason;
  /** The code of the error that was answered. */
  code?: string;
  /** Undefined where the connection ended before it could be sent. */
  response?: SentResponse;
  /** What the journal counts for it, in bytes. */
  size?: number;
};

export type ReceivedRequest = {
  method: string;
  /** The request target as it was sent. */
  target: string;
  /** What the target had before a path of the document: `/sandboxes/NAME`, or nothing. */
  prefix: string;
  secure: boolean;
  httpVersion: string;
  /** A flat list of names and values. */
  rawHeaders: readonly string[];
  /** Undefined where none came or nobody read it. */
  body?: Body;
};

export type SentResponse = {
  status: number;
  /** A flat list of names and values. */
  fields: readonly string[];
  body?: Body;
};

/** A body, or the beginning of a longer one with the number of bytes that the whole had. */
export type Body = { content: Buffer | string; whole?: number };

/** The most that is kept of a body: bytes, or characters of a text. */
export const longestBody = 65_536;

/** What an object and its parts take besides their texts; about what V8 was seen to take. */
const overhead = 1024;

/** The part of a body that is kept. The whole of a longer one is let go. */
export function toBody(content: Buffer | string): Body | undefined {
  if (content.length === 0) return undefined;
  if (content.length <= longestBody) return { content };
  // A copy, as a part would hold on to the whole.
  const cut =
    typeof content === 'string'
      ? Buffer.from(content.slice(0, longestBody)).toString()
      : Buffer.from(content.subarray(0, longestBody));
  return { content: cut, whole: Buffer.byteLength(content) };
}

/** The memory that an exchange takes at most, in bytes: two for each character of a text. */
export function sizeOf({ request, response, reason }: Exchange): number {
  let characters = 0;
  let bytes = overhead;
  if (request) {
    characters += request.target.length;
    for (const text of request.rawHeaders) characters += text.length;
    if (request.body) bytes += sizeOfBody(request.body);
  }
  if (response) {
    for (const text of response.fields) characters += text.length;
    if (response.body) bytes += sizeOfBody(response.body);
  }
  // Its sentences quote the names of properties, however long they are.
  if (reason.step === 'body') characters += JSON.stringify(reason).length;
  return bytes + 2 * characters;
}

function sizeOfBody({ content }: Body): number {
  return typeof content === 'string' ? 2 * content.length : content.length;
}
