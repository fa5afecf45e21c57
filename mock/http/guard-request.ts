import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import querystring from 'node:querystring';
import { type Answer, toErrorAnswer } from '../answers/answer.ts';
import { toHostName } from '../domains/host-name.ts';
import { isName, nameProblem } from '../sandboxes/name.ts';

/**
 * Refuses what is wrong for any path: another HTTP version, another host, a malformed target, an
 * unknown expectation or transfer coding.
 */
export function guardRequest(request: IncomingMessage, guardHost: GuardHost): Answer | undefined {
  if (request.httpVersionMajor !== 1)
    return toErrorAnswer('version_not_supported', 'Send the request as HTTP/1.1.');
  const refusal = guardHost(request, request.headers.host) ?? guardTarget(request, guardHost);
  if (refusal) return refusal;
  const { expect, 'transfer-encoding': coding } = request.headers;
  if (coding !== undefined && coding !== 'chunked') {
    // RFC 9112 §6.3 demands 400 for a body without an end, and §6.1 only recommends 501 for an
    // unknown coding.
    if (!/(?:^|[ \t,])chunked$/i.test(coding))
      return toErrorAnswer(
        'malformed_request',
        'The end of the body is unknown, as the last transfer coding is not chunked.',
      );
    if (coding.toLowerCase() !== 'chunked')
      return toErrorAnswer(
        'transfer_coding_not_implemented',
        'The only supported transfer coding is chunked.',
      );
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return toErrorAnswer('expectation_failed', 'The only supported expectation is 100-continue.');
  return undefined;
}

/**
 * The request target (RFC 9112 §3.2): a path, `*` for OPTIONS, or a whole URL whose host counts as
 * the Host header does.
 */
function guardTarget(request: IncomingMessage, guardHost: GuardHost): Answer | undefined {
  const { url = '', method } = request;
  if (url.includes('#'))
    return toErrorAnswer(
      'malformed_request',
      'The request target must not contain a fragment (#).',
    );
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return undefined;
  const authority = /^https?:\/\/([^/?]*)/i.exec(url)?.[1];
  if (authority === undefined || hostName(authority) === undefined)
    return toErrorAnswer(
      'malformed_request',
      'The request target must be a path, such as /v1/pets.',
    );
  return guardHost(request, authority);
}

/** The answer to a request whose Host header is wrong, or undefined. */
export type GuardHost = (request: IncomingMessage, host: string | undefined) => Answer | undefined;

/** Whether a refusal is of a host that the twin does not know, which may be a domain of a project. */
export function isUnknownHost({ error }: Answer): boolean {
  return error?.code === 'host_not_allowed';
}

/**
 * Refuses a Host that a page of another origin could have made a browser send (DNS rebinding), and
 * one that is malformed (RFC 9112 §3.2). Loopback names, IP addresses and the allowed names pass,
 * on any port.
 */
export function createGuardHost(allowedHosts: readonly string[]): GuardHost {
  const allowed = new Set(['localhost', ...allowedHosts.map((host) => host.toLowerCase())]);
  const anyHost = allowed.has('*');
  const passed = new Set<string>();
  return (request, host) => {
    const sent = countHosts(request);
    if (sent === 1 && host !== undefined && passed.has(host)) return undefined;
    if (sent > 1) return toErrorAnswer('invalid_host', 'The Host header must be sent once.');
    if (host === undefined && request.httpVersion === '1.0') return undefined;
    if (host === undefined) return toErrorAnswer('invalid_host', 'The Host header is missing.');
    const name = hostName(host);
    if (name === undefined)
      return toErrorAnswer(
        'invalid_host',
        'The Host header must be a host name or an IP address, with an optional port.',
      );
    if (!anyHost && !allowed.has(name) && !name.endsWith('.localhost') && isIP(name) === 0)
      return toErrorAnswer('host_not_allowed', `Host "${name}" is not allowed. ${adviceOf(name)}.`);
    if (passed.size < 100) passed.add(host);
    return undefined;
  };
}

function adviceOf(name: string): string {
  const asHost = `Start the mock with --allowed-hosts ${name}`;
  return toHostName(name) === undefined
    ? asHost
    : `${asHost}, or make it a domain of the project: POST /__admin/domains {"domain":"${name}"}`;
}

/**
 * The host of a Host header in lower case, without port, brackets and final dot; undefined when
 * malformed.
 */
export function hostName(host: string): string | undefined {
  const match =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?))(?::(\d{1,5}))?$/i.exec(host);
  if (!match || Number(match[3] ?? 0) > 65_535) return undefined;
  if (match[1] !== undefined) return isIP(match[1]) === 6 ? match[1].toLowerCase() : undefined;
  return match[2]?.toLowerCase().replace(/\.$/, '');
}

/** The sandbox of a request; `url` is its target without the `prefix` that names the sandbox. */
type SandboxAddress =
  | { name?: string; url: string; prefix: string; refusal?: never }
  | { refusal: Answer };

/** Metadata of an issuer at a path is in front of the path (RFC 8414 §3.1). */
const place =
  /^((?:https?:\/\/[^/?]*)?(?:\/\.well-known\/[^/?]+)?)\/sandboxes\/([^/?]*)(?=[/?]|$)/i;

/**
 * Finds the sandbox that a request names, as `/sandboxes/NAME` before its path or in the header
 * X-Sandbox.
 */
export function resolveSandbox(request: IncomingMessage): SandboxAddress {
  const { url = '' } = request;
  const [found, before = '', inPath] = url.includes('/sandboxes/') ? (place.exec(url) ?? []) : [];
  if (found === undefined || inPath === undefined) return resolveSandboxHeader(request);
  const sent = request.headers['x-sandbox'];
  const name = querystring.unescape(inPath);
  if (!isName(name)) return refuse(nameProblem('sandbox', inPath));
  if (sent !== undefined && sent !== name)
    return refuse(`The path names the sandbox "${name}", and X-Sandbox another one.`);
  const rest = url.slice(found.length);
  return {
    name,
    url: before + (rest.startsWith('/') ? rest : `/${rest}`),
    prefix: `/sandboxes/${inPath}`,
  };
}

/** Finds the sandbox that the header X-Sandbox names, whatever the path is. */
export function resolveSandboxHeader(request: IncomingMessage): SandboxAddress {
  const { url = '', headers } = request;
  const name = headers['x-sandbox'];
  if (name === undefined) return { url, prefix: '' };
  if (!isName(String(name))) return refuse(nameProblem('sandbox', String(name)));
  return { name: String(name), url, prefix: '' };
}

function refuse(message: string): SandboxAddress {
  return { refusal: toErrorAnswer('invalid_sandbox', message) };
}

/** The header of each call that a mock sends: how many mocks sent it on, which is one, as no mock goes on. */
export const hopsHeader = 'X-Twin-Hops';

/** The headers of a request, by their names in lower case. */
type Headers = { readonly headers: Readonly<Record<string, string | string[] | undefined>> };

/** Whether a mock sent a request, this one or another; whoever else says so only loses by it. */
export function isSentByMock({ headers }: Headers): boolean {
  return headers[hopsHeader.toLowerCase()] !== undefined;
}

/** Whether a browser sent a request for a page of another origin, as it says (Fetch Metadata). */
function isCrossSite({ headers }: Headers): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/**
 * Whether a browser sent a request for a page of an origin that is neither the mock's own nor among
 * these (Fetch Metadata, Origin).
 */
export function isForeign(request: Headers, allowed: ReadonlySet<string>): boolean {
  const origin = foreignOriginOf(request);
  return origin !== undefined && !allowed.has(origin);
}

/** The other origin of the page that a browser sent a request for; a text of no origin where it does not say. */
export function foreignOriginOf(request: Headers): string | undefined {
  const { origin, host } = request.headers;
  const isOwn = origin === undefined || String(origin).replace(/^https?:\/\//, '') === host;
  return isOwn && !isCrossSite(request) ? undefined : String(origin ?? 'null');
}

/** How many Host headers were sent. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length;
}
