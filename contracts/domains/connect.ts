import type { X509Certificate } from 'node:crypto';
import { type ConnectionOptions, connect, getCACertificates, type TLSSocket } from 'node:tls';
import { explainConnection } from '../cli/explain-connection.ts';

/** What a server at an address showed for a name over TLS. */
export type Connection = { address: string } & (
  | {
      outcome: 'connected';
      certificate: X509Certificate;
      /** Why its chain is not trusted, as the code of OpenSSL. */
      chainFault?: string;
    }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'unreachable'; reason: string; isLocal: boolean }
);

export type ConnectOptions = {
  name: string;
  port: number;
  /** The wait for a handshake, in milliseconds. */
  timeout: number;
  /** Certificates of authorities to trust besides those of Node, as PEM. */
  ca: readonly string[];
};

/** Whether the code of a failure says that this machine has no way to the address. */
export function isLocalFailure(code: string | undefined): boolean {
  return code !== undefined && localFailures.includes(code);
}

const localFailures = ['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** Shakes hands at an address as a browser that asks for the name would, and sends nothing else. */
export function connectTo(
  address: string,
  { name, port, timeout, ca }: ConnectOptions,
): Promise<Connection> {
  const { promise, resolve } = Promise.withResolvers<Connection>();
  const socket: TLSSocket = connect({ ...tlsOptions(name, ca), host: address, port });
  const unreachable = (reason: string, isLocal = false) =>
    resolve({ address, outcome: 'unreachable', reason, isLocal });
  const timer = setTimeout(() => unreachable(`no handshake within ${timeout} ms`), timeout);
  socket.on('secureConnect', () => {
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined)
      return resolve({ address, outcome: 'refused', reason: 'the server shows no certificate' });
    const fault = socket.authorizationError as unknown as string | null;
    resolve({ address, outcome: 'connected', certificate, ...(fault && { chainFault: fault }) });
  });
  socket.on('error', (error: NodeJS.ErrnoException & { reason?: string }) => {
    const { code, message, reason } = error;
    const isTls = code?.startsWith('ERR_SSL') || code === 'EPROTO';
    if (isTls) resolve({ address, outcome: 'refused', reason: reason ?? message });
    else unreachable(explainConnection(code ?? message), isLocalFailure(code));
  });
  socket.on('close', () => unreachable('the connection was closed'));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

/** Connects whatever the certificate is: what is wrong with it is a finding, not a failure. */
export function tlsOptions(name: string, ca: readonly string[]): ConnectionOptions {
  return {
    servername: name,
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
    ...(ca.length > 0 && { ca: [...getCACertificates('default'), ...ca] }),
  };
}
