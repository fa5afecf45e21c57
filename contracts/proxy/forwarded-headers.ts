/** Names and values in turn, as Node gives and accepts raw headers. */
export type RawHeaders = readonly string[];

/** What `Via` calls this proxy (RFC 9110 §7.6.3), and `Proxy-Status` (RFC 9209 §2). */
export const proxyName = 'petstore-twin';

/** Fields that `Connection` cannot name: without them, a message would become another one. */
const neverNamed = new Set(['host', 'content-length', 'transfer-encoding']);

/** Fields that concern one connection alone, whether `Connection` names them or not. */
const hopByHop = new Set(['proxy-connection', 'te', 'upgrade']);

/**
 * Connection options that are passed on: each connection of a client has one of its own to the
 * target, and both end together.
 */
const passedOptions = new Set(['close', 'keep-alive']);

type RequestOptions = {
  method: string;
  /** What `Host` says to the target. */
  host: string;
  httpVersion: string;
  /** Whether `Via` is added. */
  via: boolean;
};

/**
 * The headers of a request as the target receives them: those of the client in their order, with the
 * target's `Host`, without what concerned only the client's connection (RFC 9110 §7.6.1), and
 * with `Via` at the end.
 */
export function toTargetHeaders(
  raw: RawHeaders,
  { method, host, httpVersion, via }: RequestOptions,
): string[] {
  const isTraced = countsForwards(method);
  const hop = readHop(raw);
  const headers: string[] = [];
  let hasHost = false;
  forEachHeader(raw, (name, value, lower) => {
    if (lower === 'host') {
      hasHost = true;
      headers.push(name, host);
    } else if (lower === 'te' && hop.wantsTrailers) headers.push(name, 'trailers');
    else if (lower === 'max-forwards' && isTraced && /^[1-9]\d{0,8}$/.test(value))
      headers.push(name, String(Number(value) - 1));
    else passOn(headers, hop, name, value, lower);
  });
  if (!hasHost) headers.unshift('Host', host);
  if (via) headers.push('Via', `${httpVersion} ${proxyName}`);
  return headers;
}

type ResponseOptions = {
  /** Whether the client understands chunks, which HTTP/1.0 does not have. */
  acceptsChunks?: boolean;
  /** What to say of the client's connection in place of what the target said of its own. */
  connection?: 'close' | 'keep-alive';
};

/**
 * The headers of a response as the client receives them: those of the target in their order, without
 * what concerned only the connection to it.
 */
export function toClientHeaders(
  raw: RawHeaders,
  { acceptsChunks = true, connection }: ResponseOptions = {},
): string[] {
  const hop = readHop(raw);
  const headers: string[] = [];
  forEachHeader(raw, (name, value, lower) => {
    if (!acceptsChunks && (lower === 'transfer-encoding' || lower === 'trailer')) return;
    if (lower === 'connection' && connection !== undefined) return;
    passOn(headers, hop, name, value, lower);
  });
  if (connection !== undefined) headers.push('Connection', connection);
  return headers;
}

/** Whether `Max-Forwards` limits how far a request goes (RFC 9110 §7.6.2). */
export function countsForwards(method: string): boolean {
  return method === 'OPTIONS' || method === 'TRACE';
}

/** Whether a request has a body, by its headers. */
export function hasBody(raw: RawHeaders): boolean {
  let has = false;
  forEachHeader(raw, (_, value, lower) => {
    has ||= lower === 'transfer-encoding' || (lower === 'content-length' && !/^0+$/.test(value));
  });
  return has;
}

/** The values of a header, by its name in lower case. */
export function valuesOf(raw: RawHeaders, name: string): string[] {
  const values: string[] = [];
  forEachHeader(raw, (_, value, lower) => {
    if (lower === name) values.push(value);
  });
  return values;
}

type Hop = {
  /** Fields that `Connection` names, in lower case. */
  named: ReadonlySet<string>;
  wantsTrailers: boolean;
  isChunked: boolean;
};

const nothingNamed: ReadonlySet<string> = new Set();

/** Reads what a message says of the connection that it came on. */
function readHop(raw: RawHeaders): Hop {
  let named = nothingNamed;
  let te = '';
  let isChunked = false;
  forEachHeader(raw, (_, value, lower) => {
    if (lower === 'te') te = value;
    else if (lower === 'transfer-encoding') isChunked = true;
    else if (lower === 'connection' && !passedOptions.has(value.toLowerCase()))
      named = new Set([...named, ...toOptions(value).map((option) => option.toLowerCase())]);
  });
  return { named, isChunked, wantsTrailers: named.has('te') && /\btrailers\b/i.test(te) };
}

function passOn(
  headers: string[],
  { named, wantsTrailers, isChunked }: Hop,
  name: string,
  value: string,
  lower: string,
): void {
  if (lower === 'connection') {
    const options = passedOptions.has(value.toLowerCase())
      ? value
      : toOptions(value)
          .filter((option) => isPassed(option.toLowerCase(), wantsTrailers))
          .join(', ');
    if (options !== '') headers.push(name, options);
    return;
  }
  if (hopByHop.has(lower)) return;
  if (named.has(lower) && !neverNamed.has(lower) && !passedOptions.has(lower)) return;
  // Trailers follow chunks alone, and Node refuses to announce others.
  if (lower === 'trailer' && !isChunked) return;
  headers.push(name, toWritten(lower, value, headers));
}

function isPassed(option: string, wantsTrailers: boolean): boolean {
  return passedOptions.has(option) || (option === 'te' && wantsTrailers);
}

function toOptions(value: string): string[] {
  return value
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '');
}

/**
 * A value in the form in which Node writes it byte for byte: where a length stands before it, Node
 * decodes that of `Content-Disposition` as UTF-8.
 */
function toWritten(lower: string, value: string, before: readonly string[]): string {
  const isDecoded = lower === 'content-disposition' && /[\x80-\xff]/.test(value) && hasBody(before);
  return isDecoded ? Buffer.from(value, 'utf8').toString('latin1') : value;
}

function forEachHeader(
  raw: RawHeaders,
  visit: (name: string, value: string, lower: string) => void,
): void {
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    visit(name, raw[at + 1] as string, name.toLowerCase());
  }
}
