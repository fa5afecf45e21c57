import type { IncomingMessage } from 'node:http';
import querystring from 'node:querystring';
import { type Answer, toErrorAnswer } from '../answers/answer.ts';
import { isName, nameProblem } from '../sandboxes/name.ts';
import { countHeader } from './authenticate.ts';

/** The sandbox of a request; `url` is its target without the `prefix` that names the sandbox. */
export type SandboxAddress =
  | { name?: string; url: string; prefix: string; refusal?: never }
  | { refusal: Answer };

/** The metadata of an OAuth server is in front of the path of its issuer (RFC 8414 §3.1). */
const place =
  /^((?:https?:\/\/[^/?]*)?(?:\/\.well-known\/oauth-authorization-server)?)\/sandboxes\/([^/?]*)(?=[/?]|$)/i;

/**
 * Finds the sandbox that a request names, as `/sandboxes/NAME` before its path or in the header
 * X-Sandbox.
 */
export function resolveSandbox(request: IncomingMessage): SandboxAddress {
  const { url = '' } = request;
  const [found, before = '', inPath] = url.includes('/sandboxes/') ? (place.exec(url) ?? []) : [];
  if (found === undefined || inPath === undefined) return resolveSandboxHeader(request);
  const sent = request.headers['x-sandbox'];
  if (sent !== undefined && countHeader(request, 'x-sandbox') > 1) return sentTwice;
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
  if (countHeader(request, 'x-sandbox') > 1) return sentTwice;
  if (!isName(String(name))) return refuse(nameProblem('sandbox', String(name)));
  return { name: String(name), url, prefix: '' };
}

const sentTwice = refuse('The X-Sandbox header must be sent once.');

function refuse(message: string): SandboxAddress {
  return { refusal: toErrorAnswer('invalid_sandbox', message) };
}
