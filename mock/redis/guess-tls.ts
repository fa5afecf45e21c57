import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { RedisAddress } from './address.ts';

/** How long the server has for each step, in milliseconds. */
const patience = 1000;

/**
 * Says why no connection came about where the URL is the likely reason: the server speaks TLS and
 * `redis://` does not, or the other way round. No credentials are sent.
 */
export async function guessTlsProblem({ host, port, tls }: RedisAddress) {
  if (tls && (await answersPlainly(host, port)))
    return 'does not speak TLS; use redis:// instead of rediss://';
  if (!tls && (await answersTls(host, port)))
    return 'expects TLS; use rediss:// instead of redis://';
  return undefined;
}

function answersPlainly(host: string, port: number): Promise<boolean> {
  return ask(connectPlain({ host, port }), (socket, end) => {
    socket.once('connect', () => socket.write('PING\r\n'));
    // A reply, or an error such as one that asks for a password.
    socket.once('data', (data: Buffer) => end(/^[+-]/.test(data.toString('latin1'))));
  });
}

function answersTls(host: string, port: number): Promise<boolean> {
  // Whom the server is does not matter, as it is told nothing.
  const socket = connectTls({ host, port, rejectUnauthorized: false });
  return ask(socket, (_, end) => socket.once('secureConnect', () => end(true)));
}

function ask(
  socket: Socket,
  listen: (socket: Socket, end: (answer: boolean) => void) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      resolve(answer);
      socket.destroy();
    };
    socket.setTimeout(patience, () => end(false));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    listen(socket, end);
  });
}
