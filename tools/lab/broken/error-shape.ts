import { isJson } from '../exact.ts';
import { byId, type Entry, family } from '../row.ts';
import type { Item, OperationId } from '../shop.ts';
import {
  body,
  type Change,
  dropMember,
  header,
  member,
  renameMember,
  type Scope,
  tamper,
  text,
} from '../tamper.ts';

const stated: Record<number, { source: string; name: string }> = {
  400: { source: '§7, §2, §4.2', name: 'a refused creation' },
  401: { source: '§7, §2, §5', name: 'a missing or wrong key' },
  404: { source: '§7, §2, §4.3', name: 'an unknown animal' },
};

const mistyped: Record<string, unknown> = {
  code: 1001n,
  message: ['Something', 'is', 'wrong'],
  status: 'error',
};

const media: [name: string, about: string, ...changes: Change[]][] = [
  [
    'problem-json',
    'has media type application/problem+json',
    header('Content-Type', 'application/problem+json'),
  ],
  [
    'text-plain',
    'has media type text/plain around the Error object',
    header('Content-Type', 'text/plain'),
  ],
  ['as-text', 'is a plain text', text('Something is wrong.', 'text/plain; charset=utf-8')],
  [
    'as-html',
    'is an HTML page',
    text('<!doctype html><title>Error</title><h1>Error</h1>', 'text/html'),
  ],
  [
    'html-as-json',
    'is an HTML page called application/json',
    text('<!doctype html><title>Error</title>'),
  ],
  ['empty', 'has no body', body(() => undefined)],
  ['nested', 'has the Error object inside {"error": …}', body((error) => ({ error }))],
  ['in-a-list', 'is a list of Error objects', body((error) => [error])],
  [
    'as-json-text',
    'is the Error object written into a JSON string',
    body((error) => JSON.stringify(describe(error))),
  ],
  ['null', 'is null', body(() => null)],
];

const odd: [name: string, about: string, status: number, ...changes: Change[]][] = [
  [
    '400-detail',
    'says {"detail": […]} instead of the Error object',
    400,
    body(() => ({ detail: [{ loc: ['body'], msg: 'bad' }] })),
  ],
  [
    '401-oauth',
    'says {"error": "invalid_token"} instead of the Error object',
    401,
    body(() => ({ error: 'invalid_token' })),
  ],
  ['404-empty-object', 'is {}', 404, body(() => ({}))],
  ['401-status-digits', 'has status as the text "401"', 401, member('status', '401')],
  ['404-status-fraction', 'has the status 404.5', 404, member('status', 404.5)],
  ['400-message-object', 'has an object as message', 400, member('message', { text: 'bad' })],
  ['401-code-boolean', 'has true as code', 401, member('code', true)],
  [
    '404-capitals',
    'has Code, Message and Status',
    404,
    ...['code', 'message', 'status'].map((name) => renameMember(name, title(name))),
  ],
];

const someOperation: [OperationId, number][] = [
  ['listPets', 401],
  ['createPet', 401],
  ['getPet', 401],
  ['listOrders', 401],
];

const entries: Entry[] = [
  ...Object.keys(stated).flatMap((key) => {
    const status = Number(key);
    return ['code', 'message', 'status'].flatMap((name) => [
      entry(`${status}-${name}-missing`, `lacks ${name}`, { status }, dropMember(name)),
      entry(
        `${status}-${name}-mistyped`,
        `has a ${name} of a wrong type`,
        { status },
        member(name, mistyped[name]),
      ),
      entry(`${status}-${name}-null`, `has null as ${name}`, { status }, member(name, null)),
    ]);
  }),
  ...Object.keys(stated).flatMap((key) => {
    const status = Number(key);
    return [
      entry(
        `${status}-code-renamed`,
        'has errorCode instead of code',
        { status },
        renameMember('code', 'errorCode'),
      ),
      entry(
        `${status}-message-renamed`,
        'has detail instead of message',
        { status },
        renameMember('message', 'detail'),
      ),
      entry(
        `${status}-status-renamed`,
        'has statusCode instead of status',
        { status },
        renameMember('status', 'statusCode'),
      ),
      entry(
        `${status}-status-unequal`,
        'has status 500 in the body',
        { status },
        member('status', 500n),
      ),
      ...media.map(([name, about, ...changes]) =>
        entry(`${status}-${name}`, about, { status }, ...changes),
      ),
    ];
  }),
  ...odd.map(([name, about, status, ...changes]) => entry(name, about, { status }, ...changes)),
  ...someOperation.flatMap(([operation, status]) => [
    entry(
      `${operation}-${status}-text`,
      'is a plain text',
      { operation, status },
      text('Unauthorized', 'text/plain'),
    ),
    entry(
      `${operation}-${status}-no-code`,
      'lacks code',
      { operation, status },
      dropMember('code'),
    ),
    entry(
      `${operation}-${status}-status-zero`,
      'has status 0 in the body',
      { operation, status },
      member('status', 0n),
    ),
  ]),
  entry(
    '401-missing-key-empty',
    'has no body when the key is missing',
    { status: 401, when: ({ headers }) => headers.authorization === undefined },
    body(() => undefined),
  ),
  entry(
    '401-wrong-key-no-message',
    'lacks message when the key is wrong',
    { status: 401, when: ({ headers }) => headers.authorization !== undefined },
    dropMember('message'),
  ),
  entry(
    '400-malformed-json-html',
    'is an HTML page when the body is not JSON',
    { operation: 'createPet', status: 400, when: ({ text }) => !isJson(text) },
    text('<h1>Bad Request</h1>', 'text/html'),
  ),
  entry(
    '400-unknown-status-no-code',
    'lacks code when the status is unknown',
    { operation: 'createPet', status: 400, when: ({ text }) => text.includes('"status"') },
    dropMember('code'),
  ),
];

export const errorShapeRows = family(
  'error-shape',
  '§7',
  byId(entries, (one) => one),
);

function entry(name: string, about: string, scope: Scope, ...changes: Change[]): Entry {
  const { source, name: what } = stated[scope.status ?? 0] ?? { source: '§7', name: 'an error' };
  const where = scope.operation ? ` of ${scope.operation}` : '';
  return {
    id: `error-${name}`,
    clause: source,
    about: `the answer to ${what}${where} ${about}`,
    mutate: tamper(scope, ...changes),
  };
}

function describe(error: unknown): Item {
  return { ...(error as Item), status: Number((error as Item).status) };
}

function title(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
