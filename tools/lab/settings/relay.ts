import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { forLocalhost } from '../../../tests/support/tls.ts';
import type { Deployment } from '../deployment.ts';

/** Milliseconds that bytes need to the server and back. */
export type Travel = { there: number; back: number };

export type RelayOptions = {
  /** How far away the server is, by the number of the connection. */
  travel?: (connection: number) => Travel;
  /** Whether the relay speaks TLS, with the certificate for localhost. */
  tls?: boolean;
};

const here: Travel = { there: 0, back: 0 };

/** Stands before servers, in turn for each connection, and passes on every byte as it is. */
export async function openRelay(
  behind: readonly Deployment[],
  { travel, tls = false }: RelayOptions = {},
): Promise<Deployment> {
  const urls = behind.map(({ url }) => new URL(url));
  const sockets = new Set<Socket>();
  let connections = 0;
  const accept = (client: Socket) => {
    const url = urls[connections % urls.length] as URL;
    const { there, back } = travel?.(connections) ?? here;
    connections += 1;
    const server = connect({ port: Number(url.port), host: url.hostname, allowHalfOpen: true });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    pass(client, server, there);
    pass(server, client, back);
  };
  const relay: Server = tls
    ? createTlsServer(
        {
          allowHalfOpen: true,
          cert: readFileSync(forLocalhost.tlsCert),
          key: readFileSync(forLocalhost.tlsKey),
        },
        accept,
      )
    : createServer({ allowHalfOpen: true }, accept);
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const { port } = relay.address() as AddressInfo;
  return {
    url: `http${tls ? 's' : ''}://127.0.0.1:${port}${urls[0]?.pathname}`,
    calls: () => behind.reduce((sum, { calls }) => sum + calls(), 0),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => relay.close(resolve));
      await Promise.all(behind.map((deployment) => deployment.close()));
    },
  };
}

/** Passes bytes on in order, each so many milliseconds after it came. */
function pass(from: Socket, to: Socket, delay: number): void {
  const later = (act: () => void) => (delay === 0 ? act() : void setTimeout(act, delay));
  from.on('data', (bytes) => later(() => to.write(bytes)));
  from.on('end', () => later(() => to.end()));
  from.on('error', () => later(() => to.destroy()));
}
