import { getServers } from 'node:dns';
import { isIP } from 'node:net';

/** A name server: its IPv4 or IPv6 address, and its port. */
export type NameServer = { address: string; port: number };

/** The port of name servers (RFC 1035 §4.2). */
export const dnsPort = 53;

/**
 * Reads `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`; undefined for
 * anything else.
 */
export function parseNameServer(text: string): NameServer | undefined {
  const [, bracketed, plain, given = String(dnsPort)] =
    /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  const port = Number(given);
  const isServer = isIP(address) > 0 && port > 0 && port < 65_536;
  return isServer ? { address, port } : undefined;
}

/** The name servers that this machine uses. */
export function systemServers(): NameServer[] {
  return getServers().flatMap((text) => parseNameServer(text) ?? []);
}

/** How a person writes a name server. */
export function toServerText({ address, port }: NameServer): string {
  const host = address.includes(':') ? `[${address}]` : address;
  return port === dnsPort ? address : `${host}:${port}`;
}
