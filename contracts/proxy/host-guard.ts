import { isIP } from 'node:net';
import { type RawHeaders, valuesOf } from './forwarded-headers.ts';
import type { OwnAnswer } from './own-answer.ts';

type Asked = { headers: RawHeaders; httpVersion: string; authority: string | undefined };

/** The answer to a request that names a wrong host, or undefined. */
export type HostGuard = (asked: Asked) => OwnAnswer | undefined;

/**
 * Refuses a host that a page of another origin could have made a browser send (DNS rebinding), and
 * a missing or malformed one (RFC 9112 §3.2). Loopback names, IP addresses and the allowed
 * names pass, on any port.
 */
export function createHostGuard(allowedHosts: readonly string[]): HostGuard {
  const allowed = new Set(['localhost', ...allowedHosts.map((host) => host.toLowerCase())]);
  return ({ headers, httpVersion, authority }) => {
    const [host, ...others] = valuesOf(headers, 'host');
    if (others.length > 0) return invalid('The Host header must be sent once.');
    if (host === undefined && httpVersion !== '1.0') return invalid('The Host header is missing.');
    const asked = authority ?? host;
    if (asked === undefined) return undefined;
    const name = toHostName(asked);
    if (name === undefined)
      return invalid(
        'The Host header must be a host name or an IP address, with an optional port.',
      );
    const isKnown = allowed.has('*') || allowed.has(name) || name.endsWith('.localhost');
    return isKnown || isIP(name) !== 0 ? undefined : notAllowed(name);
  };
}

function invalid(message: string): OwnAnswer {
  return { status: 400, code: 'invalid_host', message, error: 'http_request_error' };
}

function notAllowed(name: string): OwnAnswer {
  return {
    status: 403,
    code: 'host_not_allowed',
    message: `Host "${name}" is not allowed. Start the proxy with --allowed-hosts ${name}.`,
    error: 'http_request_denied',
  };
}

/** The name of a host in lower case, without port, brackets and final dot. */
function toHostName(host: string): string | undefined {
  const [, v6, name, port] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?))(?::(\d{1,5}))?$/i.exec(host) ??
    [];
  if (Number(port ?? 0) > 65_535) return undefined;
  if (v6 !== undefined) return isIP(v6) === 6 ? v6.toLowerCase() : undefined;
  return name?.toLowerCase().replace(/\.$/, '');
}
