import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { UsageError } from '../cli/usage-error.ts';

/** A domain as the command line names it: in ASCII and lower case, with a port if not the default. */
export type DomainName = { name: string; port?: number };

/** The ports of HTTP and HTTPS (RFC 9110 §4.2). */
export const [httpPort, httpsPort] = [80, 443];

/** Reads `NAME` or `NAME:PORT`; `flag` is where it was given. Throws {@link UsageError}. */
export function parseDomainName(text: string, flag?: string): DomainName {
  const at = flag === undefined ? '' : `--${flag}: `;
  const [, host = '', digits] = /^([^/:\s]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const name = domainToASCII(host).toLowerCase().replace(/\.$/, '');
  const port = digits === undefined ? undefined : Number(digits);
  const isPort = port === undefined || (port > 0 && port < 65_536);
  if (isName(name) && isPort) return { name, ...(port !== undefined && { port }) };
  const { hostname } = URL.parse(text) ?? {};
  const advice = hostname && isName(hostname) ? ` Did you mean ${hostname}?` : '';
  throw new UsageError(`${at}"${text}" is not a domain name, such as docs.example.com.${advice}`);
}

/** How a person writes it. */
export function toNameText({ name, port }: DomainName): string {
  return port === undefined ? name : `${name}:${port}`;
}

function isName(name: string): boolean {
  const labels = name.split('.');
  const isLabel = (label: string) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label);
  return name.length <= 253 && labels.length > 1 && labels.every(isLabel) && isIP(name) === 0;
}
