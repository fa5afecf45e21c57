import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Mutate } from '../deployment.ts';
import { toJson } from '../exact.ts';
import { rewrites } from '../rewriting-proxy.ts';
import { type Entry, family } from '../row.ts';
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

const bodies: Entry[] = [
  {
    id: 'fair-pet-extra-fields',
    clause: '§2',
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
  {
    id: 'fair-error-extra-fields',
    clause: '§2',
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
  {
    id: 'fair-other-codes',
    clause: '§7',
    about: 'errors have other codes',
    mutate: tamper(
      failed,
      eachObject((error) => ({ ...error, code: `E-${error.status}00` })),
    ),
  },
  {
    id: 'fair-other-language',
    clause: '§2',
    about: 'messages are in another language',
    mutate: tamper(
      failed,
      header('Content-Language', 'ru'),
      eachObject((error) => ({ ...error, message: 'Что-то пошло не так 😿' })),
    ),
  },
  {
    id: 'fair-message-changes',
    clause: '§2',
    about: 'messages hold a number that differs from call to call',
    mutate: tamper(
      failed,
      body((error, { number }) => ({ ...(error as Item), message: `Incident ${number}` })),
    ),
  },
  {
    id: 'fair-default-status',
    clause: '§2',
    about: 'animals created without a status are available',
    mutate: (truth) => ({
      create: (sent, call) => truth.create({ status: 'available', ...sent }, call),
    }),
  },
  {
    id: 'fair-members-in-another-order',
    clause: '§2',
    about: 'the members of an animal come in another order',
    mutate: tamper(
      animals,
      eachObject((item) => Object.fromEntries(Object.entries(item).reverse())),
    ),
  },
  {
    id: 'fair-indented',
    clause: '§1',
    about: 'JSON is indented',
    mutate: tamper({}, (answer) => ({ ...answer, text: `${toJson(answer.body, 2)}\n` })),
  },
  {
    id: 'fair-escaped',
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
  {
    id: 'fair-pet-location',
    clause: '§4.2',
    about: 'a creation has a Location',
    mutate: tamper({ operation: 'createPet', status: 201 }, (answer) => ({
      ...answer,
      headers: { ...answer.headers, Location: `/v1/pets/${(answer.body as Item).id}` },
    })),
  },
];

const sendings: Entry[] = [
  {
    id: 'fair-gzip',
    clause: '§1',
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
  {
    id: 'fair-chunked',
    clause: '§1',
    about: 'answers are sent in chunks of seven bytes',
    mutate: sending({}, (content) => {
      const bytes = Buffer.from(content);
      return Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
        bytes.subarray(index * 7, index * 7 + 7),
      );
    }),
  },
  {
    id: 'fair-charset',
    clause: '§1',
    about: 'the media type has charset=utf-8',
    mutate: tamper({}, header('Content-Type', 'application/json; charset=utf-8')),
  },
  {
    id: 'fair-charset-upper-case',
    clause: '§1',
    about: 'the media type is Application/JSON;charset="UTF-8"',
    mutate: tamper({}, header('Content-Type', 'Application/JSON;charset="UTF-8"')),
  },
  {
    id: 'fair-headers-lower-case',
    clause: '§8',
    about: 'header names are in lower case',
    mutate: casing((name) => name.toLowerCase()),
  },
  {
    id: 'fair-headers-upper-case',
    clause: '§8',
    about: 'header names are in upper case',
    mutate: casing((name) => name.toUpperCase()),
  },
  {
    id: 'fair-connection-close',
    clause: '§1',
    about: 'every answer closes its connection',
    mutate: tamper({}, header('Connection', 'close')),
  },
  {
    id: 'fair-connection-close-every-tenth',
    clause: '§1',
    about: 'every tenth answer closes its connection',
    mutate: tamper({ when: ({ number }) => number % 10 === 0 }, header('Connection', 'close')),
  },
  {
    id: 'fair-slow',
    clause: '§1',
    about: 'every answer takes 80 ms',
    looksTrue: 'time is not part of an answer',
    mutate: () => ({
      send: async () => {
        await new Promise((resolve) => setTimeout(resolve, 80));
        return false;
      },
    }),
  },
  {
    id: 'fair-slow-now-and-then',
    clause: '§1',
    about: 'every 50th answer takes 900 ms',
    looksTrue: 'time is not part of an answer',
    mutate: () => ({
      send: async ({ number }) => {
        if (number % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 900));
        return false;
      },
    }),
  },
  {
    id: 'fair-early-hints',
    clause: '§1',
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
  {
    id: 'fair-no-date',
    clause: '§1',
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
  {
    id: 'fair-more-headers',
    clause: '§1',
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
  {
    id: 'fair-etag',
    clause: '§1',
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
  {
    id: 'fair-proxy-headers',
    clause: '§1',
    about: 'the twin behind a proxy that adds a header and 20 ms',
    rewrite: [rewrites.header({}, 'x-cache', 'MISS'), rewrites.delay({}, 20)],
  },
  {
    id: 'fair-proxy-alone',
    clause: '§1',
    about: 'the twin behind a proxy that changes nothing',
    rewrite: [],
    looksTrue: 'it is the twin',
  },
  {
    id: 'fair-proxy-extra-members',
    clause: '§2',
    about: 'the twin behind a proxy that adds a member to animals and errors',
    rewrite: [rewrites.addMember({ path: /\/pets/ }, 'trace', 'abc')],
  },
];

const others: Entry[] = [
  {
    id: 'fair-orders-empty',
    clause: '§4.4',
    about: 'orders are an empty list',
    mutate: orders([]),
  },
  {
    id: 'fair-orders-object',
    clause: '§4.4',
    about: 'orders are an object',
    mutate: orders({ orders: [], total: 0n, next: null }),
  },
  {
    id: 'fair-orders-text',
    clause: '§4.4',
    about: 'orders are a JSON string',
    mutate: orders('none'),
  },
  { id: 'fair-orders-null', clause: '§4.4', about: 'orders are null', mutate: orders(null) },
  {
    id: 'fair-orders-204',
    clause: '§4.4',
    about: 'orders have no content',
    mutate: tamper(
      { operation: 'listOrders', status: 200 },
      status(204),
      dropHeader('Content-Type'),
    ),
  },
  {
    id: 'fair-orders-change',
    clause: '§4.4',
    about: 'orders differ from call to call',
    mutate: () => ({
      orders: ({ number }) =>
        Array.from({ length: number % 3 }, (_, index) => ({ order: BigInt(number + index) })),
    }),
  },
  {
    id: 'fair-orders-ask-for-a-parameter',
    clause: '§4.4',
    about: 'orders ask for a parameter with 400, as theirs are not shown',
    mutate: tamper({ operation: 'listOrders', status: 200 }, (answer) => ({
      ...answer,
      status: 400,
      body: { code: 'bad_request', message: 'from is required.', status: 400n },
    })),
  },
  {
    id: 'fair-no-challenge',
    clause: '§5',
    about: 'a 401 has no WWW-Authenticate',
    mutate: tamper({ status: 401 }, dropHeader('WWW-Authenticate')),
  },
  {
    id: 'fair-sunset',
    clause: '§4.3',
    about: 'getPet has Deprecation and Sunset, the date as stated',
    mutate: tamper(
      read,
      header('Deprecation', '@1767225600'),
      header('Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'),
    ),
  },
  {
    id: 'fair-sunset-end-of-day',
    clause: '§4.3',
    about: 'Sunset is the last second of the stated day, with a Link',
    mutate: tamper(
      read,
      header('Sunset', 'Thu, 05 Dec 2030 23:59:59 GMT'),
      header('Link', '</v1/pets>; rel="successor-version"'),
    ),
  },
  {
    id: 'fair-deprecation-true',
    clause: '§4.3',
    about: 'Deprecation is the old "true"',
    mutate: tamper(read, header('Deprecation', 'true')),
  },
];

export const answerRows = [
  ...family('fair-bodies', bodies),
  ...family('fair-sending', sendings),
  ...family('fair-others', others),
];

function casing(change: (name: string) => string): Mutate {
  return tamper({}, (answer) => ({
    ...answer,
    headers: Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [change(name), value]),
    ),
  }));
}
