import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Mutate } from '../deployment.ts';
import { toJson } from '../exact.ts';
import { rewrites } from '../rewriting-proxy.ts';
import { type Entries, family } from '../row.ts';
import type { Answer, Item } from '../shop.ts';
import { body, dropHeader, eachObject, header, status, tamper, text } from '../tamper.ts';

const failed = { when: (_: unknown, { status }: Answer) => status >= 400 };
const animals = {
  when: (call: { operation?: string }, { status }: Answer) =>
    status < 300 && call.operation !== 'listOrders',
};
const read = { operation: 'getPet' } as const;

/** Sends every answer in a way of its own. */
function sending(
  headers: Record<string, string>,
  send: (content: string) => (string | Buffer)[],
): Mutate {
  return () => ({
    send: (_, answer, response) => {
      if (answer.body === undefined) return false;
      response.writeHead(answer.status, { ...answer.headers, ...headers });
      for (const chunk of send(toJson(answer.body))) response.write(chunk);
      response.end();
      return true;
    },
  });
}

function orders(answer: unknown): Mutate {
  return () => ({ orders: () => answer });
}

const bodies: Entries = {
  'fair-pet-extra-fields': {
    about: 'animals have more fields than are stated',
    mutate: tamper(
      animals,
      eachObject((item) => ({
        ...item,
        tags: ['good', null],
        owner: { name: null },
        createdAt: '2026-01-01T00:00:00Z',
      })),
    ),
  },
  'fair-error-extra-fields': {
    about: 'errors have more fields than are stated',
    mutate: tamper(
      failed,
      eachObject((error) => ({
        ...error,
        requestId: 'r-1',
        details: [{ field: 'name' }],
        help: null,
      })),
    ),
  },
  'fair-other-codes': {
    clause: '§7',
    about: 'errors have other codes',
    mutate: tamper(
      failed,
      eachObject((error) => ({ ...error, code: `E-${error.status}00` })),
    ),
  },
  'fair-other-language': {
    about: 'messages are in another language',
    mutate: tamper(
      failed,
      header('Content-Language', 'ru'),
      eachObject((error) => ({ ...error, message: 'Что-то пошло не так 😿' })),
    ),
  },
  'fair-message-changes': {
    about: 'messages hold a number that differs from call to call',
    mutate: tamper(
      failed,
      body((error, { number }) => ({ ...(error as Item), message: `Incident ${number}` })),
    ),
  },
  'fair-default-status': {
    about: 'animals created without a status are available',
    mutate: (truth) => ({
      create: (sent, call) => truth.create({ status: 'available', ...sent }, call),
    }),
  },
  'fair-members-in-another-order': {
    about: 'the members of an animal come in another order',
    mutate: tamper(
      animals,
      eachObject((item) => Object.fromEntries(Object.entries(item).reverse())),
    ),
  },
  'fair-indented': {
    clause: '§1',
    about: 'JSON is indented',
    mutate: tamper({}, (answer) => ({ ...answer, text: `${toJson(answer.body, 2)}\n` })),
  },
  'fair-escaped': {
    clause: '§1',
    about: 'JSON holds ASCII only',
    mutate: tamper(
      {},
      text((content) =>
        toJson(content).replace(
          /[\u007f-\uffff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      ),
    ),
  },
  'fair-pet-location': {
    clause: '§4.2',
    about: 'a creation has a Location',
    mutate: tamper({ operation: 'createPet', status: 201 }, (answer) => ({
      ...answer,
      headers: { ...answer.headers, Location: `/v1/pets/${(answer.body as Item).id}` },
    })),
  },
};

const sendings: Entries = {
  'fair-gzip': {
    about: 'answers are compressed for those who take gzip',
    mutate: () => ({
      send: (call, answer, response) => {
        if (answer.body === undefined || !/gzip/.test(String(call.headers['accept-encoding'])))
          return false;
        response.writeHead(answer.status, {
          ...answer.headers,
          'Content-Encoding': 'gzip',
          Vary: 'Accept-Encoding',
        });
        response.end(gzipSync(toJson(answer.body)));
        return true;
      },
    }),
  },
  'fair-chunked': {
    about: 'answers are sent in chunks of seven bytes',
    mutate: sending({}, (content) => {
      const bytes = Buffer.from(content);
      return Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
        bytes.subarray(index * 7, index * 7 + 7),
      );
    }),
  },
  'fair-charset': {
    about: 'the media type has charset=utf-8',
    mutate: tamper({}, header('Content-Type', 'application/json; charset=utf-8')),
  },
  'fair-charset-upper-case': {
    about: 'the media type is Application/JSON;charset="UTF-8"',
    mutate: tamper({}, header('Content-Type', 'Application/JSON;charset="UTF-8"')),
  },
  'fair-headers-lower-case': {
    clause: '§8',
    about: 'header names are in lower case',
    mutate: casing((name) => name.toLowerCase()),
  },
  'fair-headers-upper-case': {
    clause: '§8',
    about: 'header names are in upper case',
    mutate: casing((name) => name.toUpperCase()),
  },
  'fair-connection-close': {
    about: 'every answer closes its connection',
    mutate: tamper({}, header('Connection', 'close')),
  },
  'fair-connection-close-every-tenth': {
    about: 'every tenth answer closes its connection',
    mutate: tamper({ when: ({ number }) => number % 10 === 0 }, header('Connection', 'close')),
  },
  'fair-slow': {
    about: 'every answer takes 80 ms',
    looksTrue: 'time is not part of an answer',
    mutate: () => ({
      send: async () => {
        await new Promise((resolve) => setTimeout(resolve, 80));
        return false;
      },
    }),
  },
  'fair-slow-now-and-then': {
    about: 'every 50th answer takes 900 ms',
    looksTrue: 'time is not part of an answer',
    mutate: () => ({
      send: async ({ number }) => {
        if (number % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 900));
        return false;
      },
    }),
  },
  'fair-early-hints': {
    about: 'answers are preceded by 103 Early Hints',
    mutate: () => ({
      send: async (_, __, response) => {
        await new Promise<void>((resolve) =>
          response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' }, resolve),
        );
        return false;
      },
    }),
  },
  'fair-no-date': {
    about: 'answers have no Date',
    looksTrue: 'the request script leaves Date out',
    mutate: () => ({
      answer: (_, answer) => ({
        ...answer,
        headers: Object.fromEntries(
          Object.entries(answer.headers).filter(([name]) => name !== 'Date'),
        ),
      }),
      send: (_, __, response) => {
        response.sendDate = false;
        return false;
      },
    }),
  },
  'fair-more-headers': {
    about: 'answers have Server, Via, Set-Cookie, Cache-Control and CORS headers',
    mutate: tamper(
      {},
      ...Object.entries({
        Server: 'nginx',
        Via: '1.1 edge',
        'Set-Cookie': 'a=b',
        'Cache-Control': 'no-store',
        'Access-Control-Allow-Origin': '*',
      }).map(([name, value]) => header(name, value)),
    ),
  },
  'fair-etag': {
    about: 'answers have an ETag, and If-None-Match gets 304',
    mutate: tamper(
      { when: ({ method }, { status }) => method === 'GET' && status === 200 },
      (answer, { headers }) => {
        const etag = `"${createHash('sha1').update(toJson(answer.body)).digest('hex')}"`;
        const unchanged = headers['if-none-match'] === etag;
        return {
          ...answer,
          status: unchanged ? 304 : 200,
          headers: { ...answer.headers, ETag: etag },
        };
      },
    ),
  },
  'fair-proxy-headers': {
    about: 'the twin behind a proxy that adds a header and 20 ms',
    rewrite: [rewrites.header({}, 'x-cache', 'MISS'), rewrites.delay({}, 20)],
  },
  'fair-proxy-alone': {
    about: 'the twin behind a proxy that changes nothing',
    rewrite: [],
    looksTrue: 'it is the twin',
  },
  'fair-proxy-extra-members': {
    clause: '§2',
    about: 'the twin behind a proxy that adds a member to animals and errors',
    rewrite: [rewrites.addMember({ path: /\/pets/ }, 'trace', 'abc')],
  },
};

const others: Entries = {
  'fair-orders-empty': {
    about: 'orders are an empty list',
    mutate: orders([]),
  },
  'fair-orders-object': {
    about: 'orders are an object',
    mutate: orders({ orders: [], total: 0n, next: null }),
  },
  'fair-orders-text': {
    about: 'orders are a JSON string',
    mutate: orders('none'),
  },
  'fair-orders-null': { about: 'orders are null', mutate: orders(null) },
  'fair-orders-204': {
    about: 'orders have no content',
    mutate: tamper(
      { operation: 'listOrders', status: 200 },
      status(204),
      dropHeader('Content-Type'),
    ),
  },
  'fair-orders-change': {
    about: 'orders differ from call to call',
    mutate: () => ({
      orders: ({ number }) =>
        Array.from({ length: number % 3 }, (_, index) => ({ order: BigInt(number + index) })),
    }),
  },
  'fair-orders-ask-for-a-parameter': {
    about: 'orders ask for a parameter with 400, as theirs are not shown',
    mutate: tamper({ operation: 'listOrders', status: 200 }, (answer) => ({
      ...answer,
      status: 400,
      body: { code: 'bad_request', message: 'from is required.', status: 400n },
    })),
  },
  'fair-no-challenge': {
    clause: '§5',
    about: 'a 401 has no WWW-Authenticate',
    mutate: tamper({ status: 401 }, dropHeader('WWW-Authenticate')),
  },
  'fair-sunset': {
    clause: '§4.3',
    about: 'getPet has Deprecation and Sunset, the date as stated',
    mutate: tamper(
      read,
      header('Deprecation', '@1767225600'),
      header('Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'),
    ),
  },
  'fair-sunset-end-of-day': {
    clause: '§4.3',
    about: 'Sunset is the last second of the stated day, with a Link',
    mutate: tamper(
      read,
      header('Sunset', 'Thu, 05 Dec 2030 23:59:59 GMT'),
      header('Link', '</v1/pets>; rel="successor-version"'),
    ),
  },
  'fair-deprecation-true': {
    clause: '§4.3',
    about: 'Deprecation is the old "true"',
    mutate: tamper(read, header('Deprecation', 'true')),
  },
};

export const answerRows = [
  ...family('fair-bodies', '§2', bodies),
  ...family('fair-sending', '§1', sendings),
  ...family('fair-others', '§4.4', others),
];

function casing(change: (name: string) => string): Mutate {
  return tamper({}, (answer) => ({
    ...answer,
    headers: Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [change(name), value]),
    ),
  }));
}
