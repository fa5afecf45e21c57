import { createServer, type Socket } from 'node:net';
import { openDeployment } from '../../../tools/lab/deployment.ts';
import type { HostileRow } from './row.ts';

export type Hostile = { url: string; close: () => Promise<void> };

/** Starts a row's deployment on a free port of loopback. */
export function openHostile({ mutate, onConnection }: HostileRow): Promise<Hostile> {
  if (onConnection) return openRaw(onConnection);
  return openDeployment({ ...(mutate && { mutate }) });
}

/** A server below HTTP: what it sends is what the row makes up. */
async function openRaw(onConnection: (socket: Socket, number: number) => void): Promise<Hostile> {
  const sockets = new Set<Socket>();
  let number = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // The other side may leave at any time.
    socket.on('error', () => socket.destroy());
    onConnection(socket, ++number);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
