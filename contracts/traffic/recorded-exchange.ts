import type { Failure, RawHeader } from '../transcript/exchange.ts';

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
