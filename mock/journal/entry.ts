import type { Body, Exchange } from './exchange.ts';
import type { Reason } from './reason.ts';
import type { Redact } from './redact.ts';

/** A request and its answer as the journal shows them, keys filtered. */
export type Entry = {
  /** Counts up over the whole twin. */
  id: number;
  /** When the request came, in ISO 8601: by the system's clock, and by the sandbox's. */
  at: string;
  clock: string;
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
  /** Null where the connection ended before an answer. */
  status: number | null;
  /** From the request to its answer; null where there was no request. */
  milliseconds: number | null;
  reason: Reason;
  request: Message & { httpVersion: string | null };
  response: Message | null;
};

/** Headers by their names as sent, a list where one was repeated; the body as text, or null where there is none. */
export type Message = {
  headers: Record<string, string | string[]>;
  body: string | null;
  /** How long the body was. */
  bytes: number;
  /** Whether the body was longer than what is kept of it. */
  truncated: boolean;
};

/** What the journal shows of an exchange. */
export function toEntry(exchange: Exchange, redact: Redact): Entry {
  const { request, response, operation, code, reason } = exchange;
  const { step, ...details } = reason;
  return {
    id: exchange.id,
    at: new Date(exchange.at).toISOString(),
    clock: new Date(exchange.clock).toISOString(),
    sandbox: exchange.sandbox,
    method: request ? request.method : null,
    url: request ? redact.url(request.target.replace(/^https?:\/\/[^/?]*/i, '').slice(request.prefix.length)) : null,
    absoluteUrl: request ? redact.url(toAbsoluteUrl(request)) : null,
    operation: operation ?? null,
    unmatched: isUnmatched(exchange),
    key: exchange.key ?? null,
    status: response?.status ?? null,
    milliseconds: exchange.milliseconds === undefined ? null : Math.round(exchange.milliseconds * 1000) / 1000,
    reason: { step, ...(code !== undefined && { code }), ...redact.value(details) },
    request: { httpVersion: request?.httpVersion ?? null, ...toMessage(request?.rawHeaders ?? [], request?.body, redact) },
    response: response ? toMessage(response.fields, response.body, redact) : null,
  };
}

/** Whether a request was for no operation of the document; what asks for the methods of a path is for none, and no mistake. */
export function isUnmatched({ operation, reason }: Exchange): boolean {
  return operation === undefined && reason.step !== 'options';
}

function toMessage(rawHeaders: readonly string[], body: Body | undefined, redact: Redact): Message {
  const fields = new Map<string, { name: string; values: string[] }>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] as string;
    const value = redact.header(sent, rawHeaders[at + 1] as string);
    const name = redact.text(sent);
    const field = fields.get(name.toLowerCase());
    if (field) field.values.push(value);
    else fields.set(name.toLowerCase(), { name, values: [value] });
  }
  return {
    headers: Object.fromEntries(
      [...fields.values()].map(({ name, values: [first = '', ...more] }) => [name, more.length > 0 ? [first, ...more] : first]),
    ),
    body: body ? redact.text(body.content.toString()) : null,
    bytes: body ? (body.whole ?? Buffer.byteLength(body.content)) : 0,
    truncated: body?.whole !== undefined,
  };
}

function toAbsoluteUrl({ secure, target, rawHeaders }: NonNullable<Exchange['request']>): string {
  if (/^https?:/i.test(target)) return target;
  const name = rawHeaders.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === 'host');
  const host = name === -1 ? 'localhost' : rawHeaders[name + 1];
  return `${secure ? 'https' : 'http'}://${host}${target.startsWith('/') ? target : `/${target}`}`;
}
