import type { Socket } from 'node:net';
import { toJson } from '../../../tools/lab/exact.ts';
import { tamper } from '../../../tools/lab/tamper.ts';
import type { HostileRow, HostileRows } from './row.ts';

/** Writes the chunk again and again, for as long as the other side takes it. */
function flood(socket: Socket, chunk: string, first = ''): void {
  socket.write(first);
  const more = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

/** Answers once the request is there, so that the client has sent it. */
function onRequest(
  answer: (socket: Socket, number: number) => void,
): NonNullable<HostileRow['onConnection']> {
  return (socket, number) => socket.once('data', () => answer(socket, number));
}

/** Writes a text a character at a time. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at >= text.length || !socket.writable) return clearInterval(timer);
    socket.write(text[at++] as string);
  }, 300);
  socket.once('close', () => clearInterval(timer));
}

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Connections, headers and statuses. */
export const connections: HostileRows = {
  'many-cookies': {
    about: '700 Set-Cookie headers in each answer',
    mutate: () => ({
      send: (_, answer, response) => {
        for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
        response.setHeader(
          'Set-Cookie',
          Array.from({ length: 700 }, (_, index) => `c${index}=1`),
        );
        response.writeHead(answer.status);
        response.end(answer.status === 204 ? '' : toJson(answer.body));
        return true;
      },
    }),
    ends: 0,
  },
  'endless-headers': {
    about: 'headers without end',
    onConnection: onRequest((socket) => flood(socket, 'x: y\r\n'.repeat(1000), head)),
    ends: 2,
    says: /headers of more than 16 KiB/,
  },
  'endless-body': {
    about: 'a body without end',
    onConnection: onRequest((socket) =>
      flood(socket, '{"id":1},'.repeat(5000), `${head}Connection: close\r\n\r\n[`),
    ),
    ends: 2,
    says: /an answer of more than 8 MiB/,
  },
  'slow-body': {
    about: 'bodies a character at a time',
    mutate: () => ({
      send: (_, answer, response) => {
        response.writeHead(answer.status, { ...answer.headers, 'Content-Length': '1000' });
        drip(response.socket as Socket, '['.repeat(1000));
        response.flushHeaders();
        return true;
      },
    }),
    options: ['--timeout', '1500'],
    ends: 2,
    says: /does not answer: no complete answer within 1\.5 s; try --timeout 30000/,
  },
  garbage: {
    about: 'bytes that are no HTTP',
    onConnection: onRequest((socket) => socket.end('\0\x16\x03garbage\r\n\r\n')),
    ends: 2,
  },
  resets: {
    about: 'each connection is reset',
    onConnection: onRequest((socket) => socket.resetAndDestroy()),
    ends: 2,
  },
  'redirect-loop': {
    about: 'each call is redirected to itself',
    onConnection: onRequest((socket) =>
      socket.end(
        `HTTP/1.1 302 Found\r\nLocation: /v1/pets\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      ),
    ),
    ends: 2,
    says: /redirects every call/,
  },
  'switched-protocols': {
    about: 'every tenth call is switched to another protocol',
    mutate: () => ({
      send: ({ number }, _, response) => {
        if (number % 10 > 0) return false;
        response.socket?.write(
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
        );
        return true;
      },
    }),
    options: ['--timeout', '1500'],
    says: /a switch to another protocol that was not requested/,
  },
  'reset-half-way': {
    about: 'every third answer is reset half-way',
    mutate: () => ({
      send: ({ number }, answer, response) => {
        if (number % 3 > 0) return false;
        response.writeHead(answer.status, { ...answer.headers, 'Content-Length': '1000' });
        response.write('[', () => response.socket?.resetAndDestroy());
        return true;
      },
    }),
    options: [],
  },
  'wild-statuses': {
    about: 'each status is another number of three digits',
    mutate: tamper({ when: ({ number }) => number > 9 }, (answer, { number }) => ({
      ...answer,
      status: 200 + ((number * 37) % 800),
    })),
    options: [],
  },
};
