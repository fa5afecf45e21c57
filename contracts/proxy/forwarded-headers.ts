import { type RawHeaders, valuesOf, withoutHops } from '../../common/http/forward.ts';

/** The name of this proxy in `Via` (RFC 9110 §7.6.3) and `Proxy-Status` (RFC 9209 §2). */
export const proxyName = 'petstore-twin';

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
