import { mapLeaves, parseJson } from '../../common/json.ts';
import { noBytes, toText } from '../json/exact-json.ts';
import type { Redact } from '../redact.ts';
import type { Exchange } from './exchange.ts';
import type { Reason, Step } from './reason.ts';
import { traceOf } from './trace.ts';

/** A request and its answer as the journal shows them, keys filtered. */
export type Entry = {
  /** Counts up over the whole twin. */
  id: number;
  /** When the request came by the system's clock, in ISO 8601. */
  at: string;
  /** The time on the sandbox's clock when the request was answered, in ISO 8601. */
  clock: string;
  /** The name of the API; present if the process serves several. */
  api?: string;
  sandbox: string;
  /** Null where what came was no HTTP. */
  method: string | null;
  /** Path and query, without what names the sandbox. */
  url: string | null;
  /** The whole URL, as it was sent. */
  absoluteUrl: string | null;
  /** The id of the operation that answered, or null. */
  operation: string | null;
  /** Whether the request was for no operation of the document. */
  unmatched: boolean;
  /** The name of the key that was let in, or null. */
  key: string | null;
  /** The `traceparent` of the request (W3C Trace Context), or null without a valid one. */
  traceparent: string | null;
  /** Null where the connection ended before an answer. */
  status: number | null;
  /** From the request to its answer; null where there was no request. */
  milliseconds: number | null;
  reason: Reason;
  request: Message & { httpVersion: string | null };
  response: Message | null;
};

/**
 * The summary of an entry in a list: no headers and no bodies, texts cut. A summary takes a
 * fraction of the time that an entry takes to create and send.
 */
export type EntrySummary = Omit<Entry, 'absoluteUrl' | 'request' | 'response'> & {
  /** The message of the Error that was answered. */
  message: string | null;
};

/**
 * The headers by their sent names, with a list for a repeated one; the body as text, or null
 * without one.
 */
export type Message = {
  headers: Record<string, string | string[]>;
  body: string | null;
  /** How long the body was. */
  bytes: number;
  /** Whether the body was longer than what is retained of it. */
  truncated: boolean;
};

/** Returns the journal's entry for an exchange. */
export function toEntry(exchange: Exchange, redact: Redact): Entry {
  const { target, httpVersion, status, body, content } = exchange;
  const { id, at, clock, api, sandbox, method, url, ...others } = toFields(exchange, redact);
  return {
    id,
    at,
    clock,
    ...(api !== undefined && { api }),
    sandbox,
    method,
    url,
    absoluteUrl: target === undefined ? null : redact.url(toAbsoluteUrl(target, exchange)),
    ...others,
    reason: toReason(exchange, errorOf(exchange), redact),
    request: {
      httpVersion: httpVersion ?? null,
      headers: toHeaders(exchange.rawHeaders, redact),
      ...toBody(
        body,
        exchange.wholeBody,
        exchange.reason.step === 'oauth' ? redact.url : redact.text,
      ),
    },
    response:
      status === undefined
        ? null
        : {
            headers: toHeaders(exchange.fields, redact),
            ...toBody(content, exchange.wholeContent, redact.text),
          },
  };
}

/** Returns the summary of an exchange for lists. */
export function toSummary(exchange: Exchange, redact: Redact): EntrySummary {
  const error = errorOf(exchange);
  const { message } = error;
  return toShort({
    ...toFields(exchange, redact),
    reason: toReason(exchange, error, redact),
    message: typeof message === 'string' ? redact.text(message) : null,
  }) as EntrySummary;
}

/** Metadata below `/.well-known` has the path of the sandbox inside of its own. */
function withoutPrefix(path: string, prefix: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

function toFields(exchange: Exchange, redact: Redact) {
  const { id, at, method, target, status, microseconds } = exchange;
  return {
    id,
    at: new Date(at).toISOString(),
    clock: new Date(at + exchange.clockOffset).toISOString(),
    ...(exchange.api !== undefined && { api: exchange.api }),
    sandbox: redact.text(exchange.sandbox),
    method: method ?? null,
    url:
      target === undefined
        ? null
        : redact.url(withoutPrefix(target.replace(/^https?:\/\/[^/?]*/i, ''), exchange.prefix)),
    operation: exchange.operation ?? null,
    unmatched: isUnmatched(exchange),
    key: exchange.key ?? null,
    traceparent: traceparentOf(exchange),
    status: status ?? null,
    milliseconds: microseconds === undefined ? null : microseconds / 1000,
  };
}

function toReason({ reason }: Exchange, { code }: AnsweredError, redact: Redact): Reason {
  const { step, ...details } = reason;
  return {
    step,
    ...(typeof code === 'string' && { error: code }),
    ...redact.value(details),
  } as Reason;
}

/** The longest text of a summary, in characters. */
const maxText = 500;

/** A value of JSON whose texts are cut. */
function toShort(value: unknown): unknown {
  return mapLeaves(value, (leaf) =>
    typeof leaf === 'string' && leaf.length > maxText ? `${leaf.slice(0, maxText)} ...` : leaf,
  );
}

/** An entry as a line of JSON that holds no control character. */
export function toLogLine(entry: Entry): string {
  const toUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(entry).replace(/[\p{C}\p{Zl}\p{Zp}]|#(?=\[)/gu, (text) =>
    text.split('').map(toUnit).join(''),
  );
}

function traceparentOf({ rawHeaders }: Exchange): string | null {
  const at = rawHeaders.findIndex((text, at) => at % 2 === 0 && /^traceparent$/i.test(text));
  return (at >= 0 && traceOf({ traceparent: rawHeaders[at + 1] }).traceparent) || null;
}

type AnsweredError = { code?: unknown; message?: unknown };

/** Returns the Error in the response, or an empty object if there was none. */
function errorOf({ status, content }: Exchange): AnsweredError {
  if (status === undefined || status < 400) return {};
  return parseJson(toText(content)) ?? {};
}

/**
 * The steps of requests that are for no operation, and no mistake: they ask for the methods of a
 * path, or call the admin, the OAuth server or a domain of the project.
 */
const stepsBeside: ReadonlySet<Step> = new Set(['options', 'admin', 'oauth', 'domain']);

/**
 * Whether a request was for no operation of the document, by mistake.
 */
export function isUnmatched({ operation, reason: { step } }: Exchange): boolean {
  return operation === undefined && !stepsBeside.has(step);
}

function toHeaders(rawHeaders: readonly string[], redact: Redact): Message['headers'] {
  const fields = new Map<string, { name: string; values: string[] }>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] as string;
    const value = redact.header(sent, rawHeaders[at + 1] as string);
    const name = redact.text(sent);
    const field = fields.get(name.toLowerCase());
    if (field) field.values.push(value);
    else fields.set(name.toLowerCase(), { name, values: [value] });
  }
  const shown = ({ name, values: [first = '', ...more] }: { name: string; values: string[] }) =>
    [name, more.length > 0 ? [first, ...more] : first] as const;
  return Object.fromEntries([...fields.values()].map(shown));
}

function toBody(
  bytes = noBytes,
  whole: number | undefined,
  redact: (text: string) => string,
): Omit<Message, 'headers'> {
  return {
    body: bytes === '' ? null : redact(toText(bytes)),
    bytes: whole ?? bytes.length,
    truncated: whole !== undefined,
  };
}

function toAbsoluteUrl(target: string, { secure, rawHeaders }: Exchange): string {
  if (/^https?:/i.test(target)) return target;
  const name = rawHeaders.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === 'host');
  const host = name === -1 ? 'localhost' : rawHeaders[name + 1];
  return `${secure ? 'https' : 'http'}://${host}${target.startsWith('/') ? target : `/${target}`}`;
}
