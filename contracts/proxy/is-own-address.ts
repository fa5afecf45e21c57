import { isIPv4 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

/** Where a proxy listens. */
export type Listening = { host: string; port: number };

const loopback = ['127.0.0.1', '::1'];

/** What listens at all addresses of the machine. */
const anyAddress = ['0.0.0.0', '::'];

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Whether a URL leads to where the proxy listens itself, so that each call would go in a circle. */
export function isOwnAddress(target: URL, { host, port }: Listening): boolean {
  const targetPort = Number(target.port) || defaultPorts[target.protocol];
  if (targetPort !== port) return false;
  const own = new Set(addressesOf(host));
  return addressesOf(target.hostname.replace(/^\[(.*)\]$/, '$1')).some((one) => own.has(one));
}

/** The addresses that a host stands for, as far as this machine knows without asking others. */
function addressesOf(host: string): string[] {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return loopback;
  if (!anyAddress.includes(name))
    return name === hostname().toLowerCase() ? ownAddresses() : [name];
  return [...loopback, ...ownAddresses(), ...(isIPv4(name) ? ['0.0.0.0'] : anyAddress)];
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).map(({ address }) => address),
  );
}
