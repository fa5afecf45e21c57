import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * A proxy in front of a port that can hold back what the server answers, and lead new connections to
 * another port.
 */
export async function startProxy(port: number) {
  const held: Buffer[] = [];
  let target = port;
  const sockets = new Set<Socket>();
  const proxy = {
    port: 0,
    isHolding: false,
    connections: 0,
    /** How often the client sent something. */
    sends: 0,
    release: () => {},
    /** Lets through what is held now, and holds back what comes then. */
    step: () => {},
    /** Whether anything is held. */
    get holds() {
      return held.length > 0;
    },
    /** Ends all connections, and leads the next ones to another port. */
    leadTo(other: number) {
      target = other;
      for (const socket of sockets) socket.destroy();
    },
  };
  const server = createServer((client) => {
    proxy.connections += 1;
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', () => {
      proxy.sends += 1;
    });
    client.pipe(upstream);
    upstream.on('data', (data) => {
      if (proxy.isHolding) held.push(data);
      else client.write(data);
    });
    proxy.step = () => {
      for (const data of held.splice(0)) client.write(data);
    };
    proxy.release = () => {
      proxy.isHolding = false;
      proxy.step();
    };
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.port = (server.address() as { port: number }).port;
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return proxy;
}
