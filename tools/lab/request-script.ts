import { Agent, request } from 'node:http';

/** A response as a client sees it, or the absence of one. */
export type SeenResponse =
  | {
      status: number;
      early: number[];
      headers: Record<string, string>;
      rawHeaders: string[];
      content: Buffer;
    }
  | { failure: string };

export type ScriptedRequest = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  deadline?: number;
};

/**
 * Sends one request. An answer that does not end within the deadline, or ends before its time, is a
 * failure.
 */
export function send(
  url: string,
  { method = 'GET', path, headers = {}, body, deadline = 2000 }: ScriptedRequest,
  agent?: Agent,
): Promise<SeenResponse> {
  return new Promise((resolve) => {
    const content = body === undefined ? undefined : Buffer.from(body);
    const length = content && { 'Content-Length': String(content.length) };
    const early: number[] = [];
    const outgoing = request(
      url + path,
      { method, headers: { ...headers, ...length }, ...(agent && { agent }) },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('error', () => resolve({ failure: 'cut' }));
        answer.on('end', () => {
          clearTimeout(timer);
          const { statusCode: status = 0, rawHeaders } = answer;
          const headers = Object.fromEntries(
            Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
          );
          resolve({ status, early, headers, rawHeaders, content: Buffer.concat(chunks) });
        });
      },
    );
    outgoing.on('information', ({ statusCode }) => early.push(statusCode));
    const timer = setTimeout(() => {
      resolve({ failure: 'hangs' });
      outgoing.destroy();
    }, deadline);
    outgoing.on('error', () => {
      clearTimeout(timer);
      resolve({ failure: 'cut' });
    });
    outgoing.end(content);
  });
}

const bulk = { Authorization: 'Bearer k-enterprise' };
const json = { 'Content-Type': 'application/json' };
const whole = { name: 'Rex', categoryId: 1 };

const credentials: { headers?: Record<string, string>; query?: string }[] = [
  {},
  ...[
    '',
    'Bearer',
    'Bearer ',
    'Bearer nobody',
    'Bearer k-fre',
    'Bearer k-free-',
    'Bearer k-free-9',
    'Bearer k-free-1x',
    'Bearer K-FREE-1',
    'bearer k-free-1',
    `Basic ${Buffer.from('k-free-1:').toString('base64')}`,
    'Basic bm9ib2R5Og==',
    'k-free-1',
    'Token k-free-1',
  ].map((Authorization) => ({ headers: { Authorization } })),
  { query: 'api_key=k-free-1' },
  { query: 'access_token=k-free-1' },
  { query: 'status=sold' },
  { headers: { 'X-API-Key': 'k-free-1' } },
];

const queries = [
  '',
  ...[0, 1, 2, 5, 19, 20, 21, 44, 45, 50, 99, 100, 101, 1000, -1, 'x'].map(
    (limit) => `?limit=${limit}`,
  ),
  ...['available', 'pending', 'sold', 'SOLD', ''].flatMap((status) => [
    `?status=${status}`,
    `?status=${status}&limit=2`,
    `?status=${status}&limit=100`,
  ]),
  '?unknown=1',
];

const long = `${'a-long name '.repeat(10)}END`;
const names = [
  '',
  ' padded ',
  'MixED case',
  'lower',
  long,
  '<b>&amp;</b>',
  'e\u0301 é',
  'Жучка 三毛 ñ',
  '🐕🐈',
  `O'Mal"ley`,
  'two  spaces',
  'tab\there',
  'true',
  'Rex',
];
const wrongValues = [12, 1.5, true, null, [], {}, 'text', '12', ''];

const bodies: string[] = [
  ...names.map((name) => JSON.stringify({ ...whole, name })),
  ...['available', 'pending', 'sold'].map((status) =>
    JSON.stringify({ ...whole, name: 'S', status }),
  ),
  ...[-7, 0, 10, '9007199254740993', '9223372036854775807', '9223372036854775808'].map(
    (id) => `{"name":"C","categoryId":${id}}`,
  ),
  ...['name', 'categoryId', 'status'].flatMap((field) =>
    wrongValues.map((value) => JSON.stringify({ ...whole, [field]: value })),
  ),
  ...['AVAILABLE', 'Sold', 'unknown'].map((status) => JSON.stringify({ ...whole, status })),
  ...[
    '{"name":"x"}',
    '{"categoryId":1}',
    '{}',
    '[]',
    `[${JSON.stringify(whole)}]`,
    'null',
    '"text"',
    '3',
    'true',
    '',
    '{"name":',
    'name=x',
  ],
  JSON.stringify({ ...whole, id: 12345 }),
  JSON.stringify({ ...whole, extra: true }),
  JSON.stringify({ ...whole, padding: 'x'.repeat(5000) }),
];

/**
 * Asks a deployment everything that the lab's rows may answer otherwise, in a fixed order, and
 * gives a line an answer. `pass` moves the deployment's clock on by so many seconds. Stops early
 * where `until` is met.
 */
export async function runScript(
  ask: (sending: ScriptedRequest) => SeenResponse | Promise<SeenResponse>,
  pass: (seconds: number) => void,
  until: (line: string, index: number) => boolean,
): Promise<string[]> {
  const lines: string[] = [];
  for (const { wait = 0, ...sending } of script()) {
    pass(wait);
    lines.push(toLine(sending, await ask(sending)));
    if (until(lines.at(-1) ?? '', lines.length - 1)) break;
  }
  return lines;
}

/** Returns a function that sends requests to a deployment over one connection, and one to close it. */
export function connect(url: string) {
  const agent = new Agent({ keepAlive: true });
  return {
    ask: (sending: ScriptedRequest) => send(url, sending, agent),
    close: () => agent.destroy(),
  };
}

function* script(): Generator<ScriptedRequest & { wait?: number }> {
  for (const path of [
    '/pets',
    '/pets/1',
    '/pets/46',
    '/pets/999999',
    '/pets/99999999999',
    '/pets/0',
    '/pets/x',
    '/store/orders',
    '/nowhere',
  ])
    for (const key of ['k-free-1', 'k-pro-1'])
      yield { path, headers: { Authorization: `Bearer ${key}` } };
  for (const { headers = {}, query } of credentials) {
    for (const path of ['/pets', '/pets/1', '/pets/999999', '/store/orders'])
      yield { path: query ? `${path}?${query}` : path, headers };
    yield {
      method: 'POST',
      path: query ? `/pets?${query}` : '/pets',
      headers: { ...headers, ...json },
      body: JSON.stringify(whole),
    };
    yield { method: 'POST', path: '/pets', headers: { ...headers, ...json }, body: '{}' };
  }
  for (const query of [...queries, ...queries.slice(0, 3)])
    yield { path: `/pets${query}`, headers: { ...bulk, 'Accept-Encoding': 'gzip' } };
  for (const body of bodies)
    yield { method: 'POST', path: '/pets', headers: { ...bulk, ...json }, body };
  for (const path of [
    '/pets?limit=100',
    '/pets?limit=100&status=sold',
    '/pets?limit=100',
    '/pets/1',
    '/pets/1',
    '/pets/46',
    '/pets/47',
    '/pets/60',
  ])
    yield { path, headers: bulk };
  yield {
    method: 'POST',
    path: '/pets',
    headers: { ...bulk, 'Content-Type': 'text/plain' },
    body: JSON.stringify(whole),
  };
  yield { method: 'DELETE', path: '/pets/1', headers: bulk };
  yield { method: 'HEAD', path: '/pets', headers: bulk };
  for (let call = 0; call < 75; call += 1)
    yield { path: '/pets?limit=1', headers: { Authorization: 'Bearer k-free-2' } };
  yield { path: '/pets?limit=1', headers: bulk };
  for (const wait of [2, 2, 60])
    yield { wait, path: '/pets?limit=1', headers: { Authorization: 'Bearer k-free-2' } };
  for (let call = 0; call < 310; call += 1)
    yield { path: '/pets?limit=1', headers: { Authorization: 'Bearer k-pro-1' } };
  for (const key of ['k-custom', 'k-enterprise'])
    yield { path: '/pets', headers: { Authorization: `Bearer ${key}` } };
}

function toLine(
  { method = 'GET', path, headers, body = '' }: ScriptedRequest,
  seen: SeenResponse,
): string {
  const asked = `${method} ${path} ${headers?.Authorization ?? ''} ${body.slice(0, 80)}`;
  if ('failure' in seen) return `${asked} => ${seen.failure}`;
  const { status, early, rawHeaders, content } = seen;
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 || /^date$/i.test(name) ? [] : [`${name}: ${rawHeaders[index + 1]}`],
  );
  return `${asked} => ${[...early, status]} ${pairs.join('; ')} ${content.toString('latin1')}`;
}
