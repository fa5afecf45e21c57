import type { RequestListener } from 'node:http';
import { isIP } from 'node:net';
import { UsageError } from '../common/cli/usage-error.ts';
import { type CurlTrust, toTrustOptions } from './curl/curl-trust.ts';
import type { IssuedIdentity } from './domains/authority.ts';
import type { MessageClasses } from './http/express-apps.ts';
import type { Fetch, InProcess } from './http/in-process.ts';
import type { BareAnswers } from './http/refuse-connection.ts';
import {
  createTwinServer,
  defaultTimeouts,
  type FindIdentity,
  type Identity,
  type Timeouts,
  type TwinServer,
} from './http/server.ts';
import type { Log } from './log.ts';
import type { Config } from './settings/settings.ts';

/** The handler of requests, and what a server asks besides. */
export type ServerParts = {
  handle: RequestListener;
  bare: BareAnswers;
  classes: MessageClasses;
  findIdentity: FindIdentity;
};

export type ListenerOptions = {
  log: Log;
  timeouts?: Partial<Timeouts>;
  /** Set to false to open no port; `fetch` answers in any case. */
  listen?: boolean | undefined;
};

/** The ports of a process, its TLS identity, and a way in without a socket. */
export interface Listener {
  /** Opens a port. Returns its origin, or a name that only `fetch` knows. Throws {@link UsageError}. */
  open(served: ServerParts, port: number): Promise<string>;
  /** Answers a request in this process, by the handler that was opened first. */
  fetch: Fetch;
  readonly loopback: boolean;
  /** The certificate for TLS as PEM text. */
  readonly certificate: string | undefined;
  /** The file with the certificate of the authority that is kept, where that issued it. */
  readonly authorityFile: string | undefined;
  /** The authority for the certificates of custom domains, if one is given. */
  readonly domainCa: IssuedIdentity | undefined;
  curlTrust: CurlTrust;
  /** Shows another identity to new connections. */
  identify: (identity: Identity) => void;
  close(): Promise<void>;
}

/** Reads the TLS identity that the settings name; no port is open yet. Throws {@link UsageError}. */
export async function createListener(
  config: Config,
  { log, timeouts, listen = true }: ListenerOptions,
): Promise<Listener> {
  const own = await readOwnIdentity(config, log.warn);
  const domainCa = await own?.domainCa;
  let identity = own?.identity;
  let isClosing = false;
  let first: ServerParts | undefined;
  const servers: TwinServer[] = [];
  let inProcess: Promise<InProcess> | undefined;
  const openInProcess = async (served: ServerParts) => {
    const { createInProcess } = await import('./http/in-process.ts');
    const opened = createInProcess(served.handle, served.classes);
    if (isClosing) await opened.close(0);
    return opened;
  };
  return {
    async open(served, port) {
      first ??= served;
      if (!listen) return unheardOrigin;
      const { handle, bare, classes, findIdentity } = served;
      const server = createTwinServer(handle, bare, {
        classes,
        ...(timeouts && { timeouts }),
        ...(identity && { identity, findIdentity }),
      });
      servers.push(server);
      const opened = await server.listen(port, config.host).catch((error) => {
        throw new UsageError(listenProblem(error, { ...config, port }));
      });
      return `${identity ? 'https' : 'http'}://${toAuthority(config.host, opened)}`;
    },
    async fetch(...request) {
      inProcess ??= openInProcess(first as ServerParts);
      return (await inProcess).fetch(...request);
    },
    loopback: isLoopback(config.host),
    get certificate() {
      return identity?.cert;
    },
    authorityFile: own?.authorityFile,
    domainCa,
    curlTrust: (url) => own?.toTrust(url, identity) ?? [],
    identify(next) {
      for (const server of servers) server.identify(next);
      identity = next;
    },
    async close() {
      isClosing = true;
      await Promise.all([
        ...servers.map((server) => server.close()),
        inProcess?.then((one) => one.close(timeouts?.stop ?? defaultTimeouts.stop)),
      ]);
    },
  };
}

/** Names the origin of a mock that does not listen. */
const unheardOrigin = 'http://twin.localhost';

/** Reads the mock's TLS identity, and the options by which curl trusts the identity. */
async function readOwnIdentity(config: Config, warn: Log['warn']) {
  const { tls, tlsCert, tlsKey, domainCa } = config;
  const hasOwn = tlsCert !== undefined || tlsKey !== undefined;
  if (tls && !hasOwn) {
    const { issueIdentity } = await import('./files/own-identity.ts');
    const { identity, file } = await issueIdentity(config, warn);
    const toTrust = (url: string) => toTrustOptions(url, { certificate: identity.cert, file });
    const { readDomainCa } = await import('./files/read-identity.ts');
    return { identity, domainCa: readDomainCa(config), authorityFile: file, toTrust };
  }
  if (!hasOwn && domainCa === undefined) return undefined;
  const { readDomainCa, readIdentity } = await import('./files/read-identity.ts');
  return {
    authorityFile: undefined,
    identity: readIdentity(config),
    domainCa: readDomainCa(config, { warn }),
    toTrust: (url: string, identity: Identity | undefined) =>
      identity && tlsCert !== undefined
        ? toTrustOptions(url, { certificate: identity.cert, file: tlsCert })
        : [],
  };
}

function toAuthority(host: string, port: number): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function listenProblem({ code, message }: NodeJS.ErrnoException, { port, host }: Config): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is taken. Choose another with --port, or --port 0 for any free one.`;
  if (code === 'EACCES')
    return `Port ${port} needs rights that this user lacks. Choose one above 1023 with --port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `--host ${host} is not an address of this machine.`;
  return `Cannot listen on ${host}:${port}: ${message}.`;
}

/** Says why a banner shows no admin. */
export const noAdmin = 'off; set --admin-token to use it beyond loopback';

/** Returns the origin by which this machine reaches a mock that listens at all addresses. */
export function reachable(origin: string): string {
  return origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
