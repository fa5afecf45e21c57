import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of an address of this machine that nobody listens on. */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
