import type { ServerResponse } from 'node:http';
import type { Mutate } from '../deployment.ts';
import { type Entries, family } from '../row.ts';
import type { Answer, Call } from '../shop.ts';
import { status, tamper, text } from '../tamper.ts';

function every(n: number) {
  return { when: ({ number }: Call) => number % n === 0 };
}

function failing(code: number) {
  return (answer: Answer): Answer => ({
    ...answer,
    status: code,
    body: { code: 'internal', message: 'Failed.', status: BigInt(code) },
  });
}

/** Takes over the sending of every n-th answer. */
function instead(n: number, send: (response: ServerResponse, answer: Answer) => void): Mutate {
  return () => ({
    send: ({ number }, answer, response) => {
      if (number % n === 0) send(response, answer);
      return number % n === 0;
    },
  });
}

const entries: Entries = {
  'intermittent-500-15': {
    clause: '§7',
    about: 'every 15th call fails with 500',
    mutate: tamper(every(15), failing(500)),
  },
  'intermittent-500-40': {
    clause: '§7',
    about: 'every 40th call fails with 500',
    mutate: tamper(every(40), failing(500)),
  },
  'intermittent-502-html': {
    clause: '§7',
    about: 'every 20th call gets a 502 page of a gateway',
    mutate: tamper(every(20), status(502), text('<h1>502 Bad Gateway</h1>', 'text/html')),
  },
  'intermittent-503': {
    clause: '§7',
    about: 'every 18th call gets 503',
    mutate: tamper(every(18), failing(503)),
  },
  'intermittent-401': {
    clause: '§5, §4',
    about: 'every 12th call with a valid key gets 401',
    mutate: tamper(every(12), failing(401)),
  },
  'intermittent-404': {
    clause: '§4.3',
    about: 'every 4th reading of a known animal gets 404',
    mutate: (truth) => {
      let reads = 0;
      return {
        read: (id, call) => {
          reads += 1;
          return reads % 4 === 0 ? undefined : truth.read(id, call);
        },
      };
    },
  },
  'intermittent-drop-20': {
    about: 'every 20th call has its connection cut',
    mutate: instead(20, (response) => response.destroy()),
  },
  'intermittent-hang': {
    about: 'every 40th call is never answered',
    mutate: instead(40, () => {}),
  },
  'intermittent-garbage': {
    about: 'every 25th answer is no JSON',
    mutate: tamper(every(25), text('{"oops')),
  },
  'intermittent-empty': {
    about: 'every 20th answer has no content',
    mutate: tamper(every(20), text('')),
  },
  'intermittent-cut-content': {
    about: 'every 25th answer is cut before its end',
    mutate: instead(25, (response, { status, headers }) => {
      response.writeHead(status, { ...headers, 'Content-Length': '1000' });
      response.write('[{"id": 1,', () => response.destroy());
    }),
  },
  'intermittent-half-headers': {
    about: 'every 30th answer stops after its headers',
    mutate: instead(30, (response, { status, headers }) => {
      response.writeHead(status, { ...headers, 'Content-Length': '1000' });
      response.flushHeaders();
    }),
  },
  'intermittent-headers-missing': {
    clause: '§8',
    about: 'every 20th answer has no rate-limit header',
    mutate: tamper(every(20), (answer) => ({
      ...answer,
      headers: { 'Content-Type': 'application/json' },
    })),
  },
  'intermittent-wrong-list': {
    clause: '§4.1',
    about: 'every 6th list is longer than its limit',
    mutate: (truth) => {
      let lists = 0;
      return {
        list: (query, call) => {
          lists += 1;
          return truth.list(lists % 6 === 0 ? { ...query, limit: query.limit + 3 } : query, call);
        },
      };
    },
  },
};

export const intermittentRows = family('intermittent', '§1, §4', entries);
