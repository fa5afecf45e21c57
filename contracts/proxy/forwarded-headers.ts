/** Names and values in turn, as Node gives and accepts raw headers. */
export type RawHeaders = readonly string[];

/** The name of this proxy in `Via` (RFC 9110 §7.6.3) and `Proxy-Status` (RFC 9209 §2). */
export const proxyName = 'petstore-twin';

/** Fields that concern one connection alone, whether `Connection` names them or not. */
const hopByHop = new Set(['proxy-connection', 'te', 'trailer', 'upgrade']);

/** Fields that `Connection` cannot name: without them, a message would become another one. */
const neverNamed = new Set(['host', 'content-length', 'transfer-encoding', 'keep-alive']);

/**
 * The headers of a request as the target receives them: those of the client in their order, with the
 * target's `Host`, without what concerned only the client's connection (RFC 9110 §7.6.1), and
 * with `Via` at the end.
 */
export function toTargetHeaders(
  raw: RawHeaders,
  { host, httpVersion, via }: { host: string; httpVersion: string; via: boolean },
): string[] {
  const headers = withoutHops(raw).flatMap(([name, value]) => [
    name,
    name.toLowerCase() === 'host' ? host : value,
  ]);
  if (valuesOf(raw, 'host').length === 0) headers.unshift('Host', host);
  if (via) headers.push('Via', `${httpVersion} ${proxyName}`);
  return headers;
}

/**
 * The headers of a response as the client receives them: those of the target in their order, without
 * what concerned only the connection to it. A client of HTTP/1.0 understands no chunks.
 */
export function toClientHeaders(raw: RawHeaders, httpVersion: string): string[] {
  const isOld = httpVersion === '1.0';
  return withoutHops(raw)
    .filter(([name]) => !isOld || name.toLowerCase() !== 'transfer-encoding')
    .flat();
}

/**
 * Headers without those of one connection. `Connection: close` and `keep-alive` stay: each connection
 * of a client has one of its own to the target, and both end together.
 */
function withoutHops(raw: RawHeaders): [name: string, value: string][] {
  const isPassed = (option: string) => /^(?:close|keep-alive)$/i.test(option);
  const named = new Set(
    valuesOf(raw, 'connection').flatMap((value) => toOptions(value.toLowerCase())),
  );
  return toPairs(raw).flatMap(([name, value]): [string, string][] => {
    const lower = name.toLowerCase();
    if (lower === 'connection') {
      const options = toOptions(value).filter(isPassed);
      return options.length === 0 ? [] : [[name, options.join(', ')]];
    }
    const isOfHop = hopByHop.has(lower) || (named.has(lower) && !neverNamed.has(lower));
    return isOfHop ? [] : [[name, value]];
  });
}

/** The values of a header, by its name in lower case. */
export function valuesOf(raw: RawHeaders, name: string): string[] {
  return toPairs(raw).flatMap(([sent, value]) => (sent.toLowerCase() === name ? [value] : []));
}

/** Headers as pairs of name and value. */
export function toPairs(raw: RawHeaders): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at] as string, raw[at + 1] as string]);
  return pairs;
}

function toOptions(value: string): string[] {
  return value
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '');
}
