import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import harSchemas from 'har-schema';
import { expect, it } from 'vitest';
import { createHarWriter, type HarWriterOptions } from '../../../contracts/har/har-writer.ts';
import type { RecordedExchange } from '../../../contracts/traffic/read-outcome.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { readAll, toFile } from './samples.ts';

const sentAt = Date.UTC(2026, 10, 22, 10);

function toExchange({
  request,
  response,
  ...others
}: {
  request?: Partial<RecordedExchange['request']>;
  response?: Partial<RecordedExchange['response']>;
} & Partial<Omit<RecordedExchange, 'request' | 'response'>> = {}): RecordedExchange {
  return {
    request: { method: 'GET', url: 'http://host/v1/pets', headers: [], ...request },
    response: { status: 200, headers: [], body: { bytes: Buffer.from('[]') }, ...response },
    sentAt,
    endedAt: sentAt + 7,
    ...others,
  };
}

/** Writes exchanges, and gives the file and its text. */
async function write(
  exchanges: readonly RecordedExchange[],
  options: Partial<HarWriterOptions> = {},
): Promise<{ file: string; text: string }> {
  const file = toFile('');
  const writer = await createHarWriter(file, options);
  for (const exchange of exchanges) writer.add(exchange, options.pages?.[0]?.id);
  expect(await writer.close()).toEqual({ written: exchanges.length, leftOut: 0 });
  return { file, text: readFileSync(file, 'utf8') };
}

/** The first entry of an archive. */
async function writeOne(exchange: RecordedExchange, options: Partial<HarWriterOptions> = {}) {
  const { text } = await write([exchange], options);
  const { request, response, ...entry } = JSON.parse(text).log.entries[0];
  const headersOf = ({ headers }: { headers: { name: string; value: string }[] }) =>
    headers.map(({ name, value }) => `${name}: ${value}`);
  return {
    text,
    entry,
    request,
    response,
    sent: headersOf(request),
    received: headersOf(response),
  };
}

const ajv = new Ajv({
  strict: false,
  logger: false,
  validateSchema: false,
  schemas: Object.values(harSchemas),
});
const validate = ajv.getSchema('har.json#');

it('writes a valid archive with pages, which is complete after each entry', async () => {
  const file = toFile('longer than what follows'.repeat(100));
  const pages = [{ id: 'target', title: 'target: http://host/v1' }];
  const writer = await createHarWriter(file, { pages });
  const problems = () =>
    validate?.(JSON.parse(readFileSync(file, 'utf8'))) ? [] : validate?.errors;
  for (const count of [1, 2, 3]) {
    const failure = { kind: 'timeout', message: 'too late' } as const;
    writer.add(toExchange(count === 2 ? { failure } : {}), 'target');
    await expect.poll(() => JSON.parse(readFileSync(file, 'utf8')).log.entries.length).toBe(count);
    expect(problems()).toEqual([]);
  }
  expect(await writer.close()).toEqual({ written: 3, leftOut: 0 });
  const { log } = JSON.parse(readFileSync(file, 'utf8'));
  expect(log.creator).toEqual({ name: 'petstore-twin', version: packageJson.version });
  expect(log.entries[0].pageref).toBe('target');
});

const token = fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/);
const headers = fc.array(
  fc.tuple(
    token.map((name) => `x-${name}-h`),
    fc.stringMatching(/^[ -~]*$/),
  ),
);
const body = fc.record(
  {
    bytes: fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.json().map((text) => Buffer.from(text)),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
    ),
    isCut: fc.constant(true as const),
  },
  { requiredKeys: ['bytes'] },
);
const exchanges = fc.record(
  {
    request: fc.record(
      {
        method: fc.constantFrom('GET', 'POST', 'PROPFIND', 'query'),
        url: token.map((name) => `https://host/v1/pets/${name}?limit=${name}&limit=%20#${name}`),
        headers,
        body,
      },
      { requiredKeys: ['method', 'url', 'headers'] },
    ),
    response: fc.record({ status: fc.constantFrom(100, 200, 201, 404, 599), headers, body }),
    failure: fc.record({
      kind: fc.constantFrom('dropped', 'aborted', 'timeout', 'undecodable'),
      message: fc.string(),
    }),
    sentAt: fc.constantFrom(sentAt, sentAt + 0.5),
    endedAt: fc.constant(sentAt + 40),
    missing: fc.constant(['credentials'] as const),
  },
  { requiredKeys: ['request', 'sentAt', 'endedAt'] },
);

/** Returns what is read of an exchange: the body of an answer is decoded, and none is empty. */
function toRead({ request, response, failure, ...others }: RecordedExchange): RecordedExchange {
  const { body: sent, ...line } = request;
  const isSent = sent && (sent.bytes.length > 0 || sent.isCut);
  const bytesOf = (bytes: Uint8Array) => new Uint8Array(bytes);
  const received = response && {
    ...response,
    body: {
      ...response.body,
      bytes: bytesOf(response.body.bytes),
      ...((response.body.bytes.length > 0 || !response.body.isCut) && { isDecoded: true }),
    },
  };
  const unknown = { kind: 'aborted', message: 'no response was recorded, and not why' } as const;
  return {
    ...others,
    request: { ...line, ...(isSent && { body: { ...sent, bytes: bytesOf(sent.bytes) } }) },
    ...(received ? { response: received } : { failure: unknown }),
    ...(failure && { failure }),
  };
}

it('writes what it reads again, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(exchanges, { maxLength: 4 }), async (drawn) => {
      const { file, text } = await write(drawn);
      expect(validate?.(JSON.parse(text))).toBe(true);
      const read = await readAll(file);
      expect(read.skipped).toEqual([]);
      expect(read.exchanges.map(toRead)).toEqual(drawn.map(toRead));
    }),
    { numRuns: 60 },
  );
});

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const units = (text: string) => text.split('').map((char) => char.charCodeAt(0));

const codings: Record<string, (secret: string) => string> = {
  plain: (secret) => secret,
  'in other letters': (secret) => secret.toUpperCase(),
  'URL-encoded': encodeURIComponent,
  'percent-encoded': percent,
  'in JSON': (secret) => JSON.stringify(secret).slice(1, -1),
  'in JSON by number': (secret) =>
    units(secret)
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  'in HTML': (secret) =>
    units(secret)
      .map((unit) => `&#${unit};`)
      .join(''),
  'in base64': base64,
  'as the user of Basic': (secret) => base64(`${secret}:`),
  'as the password of Basic': (secret) => base64(`u:${secret}`),
  'within base64': (secret) => base64(`ab${secret}cd`),
  'in base64 for URLs': (secret) => Buffer.from(secret).toString('base64url'),
};

const places: Record<string, (text: string) => Partial<RecordedExchange>> = {
  'the body of the response': (text) =>
    toExchange({ response: { body: { bytes: Buffer.from(`{"a":"x ${text} x"}`) } } }),
  'a binary body': (text) =>
    toExchange({
      response: { body: { bytes: Buffer.concat([Buffer.from([0xff, 0]), Buffer.from(text)]) } },
    }),
  'a packed body': (text) =>
    toExchange({
      response: {
        headers: [['Content-Encoding', 'br']],
        body: { bytes: brotliCompressSync(text) },
      },
    }),
  'the body of the request': (text) =>
    toExchange({ request: { body: { bytes: Buffer.from(text) } } }),
  'a header': (text) => toExchange({ response: { headers: [['X-Echo', `was ${text}`]] } }),
  'the path': (text) => toExchange({ request: { url: `http://host/v1/pets/${text}` } }),
  'a parameter': (text) => toExchange({ request: { url: `http://host/v1/pets?a=${text}` } }),
  'a failure': (message) => toExchange({ failure: { kind: 'dropped', message } }),
};

const secrets = fc.stringMatching(/^[!-~]{12,40}$/);

it('writes no secret anywhere, in the usual codings', async () => {
  await fc.assert(
    fc.asyncProperty(
      secrets,
      fc.constantFrom(...Object.keys(places)),
      fc.constantFrom(...Object.keys(codings)),
      fc.boolean(),
      async (secret, place, coding, isGiven) => {
        const coded = codings[coding]?.(secret) ?? '';
        const exchange = toExchange(places[place]?.(coded) as RecordedExchange);
        const headers = isGiven ? [] : [['Authorization', `Bearer ${secret}`] as const];
        const request = { ...exchange.request, headers };
        const keys = isGiven ? [{ name: 'free-1', secret }] : [];
        const { text } = await write([{ ...exchange, request }], { keys });
        const { entries } = JSON.parse(text).log;
        const all = `${text}${JSON.stringify(entries)}${textsOf(entries).join('\n')}`.toLowerCase();
        expect(all).not.toContain(coded.toLowerCase());
        expect(all).not.toContain(secret.toLowerCase());
      },
    ),
    { numRuns: 400 },
  );
});

/** All texts in a value, and those that are in base64. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value, Buffer.from(value, 'base64').toString('latin1')];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

it('writes the same token for the same key, wherever it is', async () => {
  const [first, second] = ['first-secret-key', 'second-secret-key'];
  const { request, response, sent, received, text } = await writeOne(
    toExchange({
      request: {
        url: `http://${first}:@host/v1/pets?api_key=${first}&key=${second}&limit=5&a=${second}`,
        headers: [
          ['Authorization', `bearer ${first}`],
          ['X-API-Key', second],
          ['Cookie', 'theme=dark; session=s1; s1'],
          ['proxy-authorization', `Basic ${base64(`${first}:${second}`)}`],
          ['Referer', `http://host/?token=${second}`],
        ],
      },
      response: {
        headers: [['Set-Cookie', 'session=s1; Path=/; HttpOnly']],
        body: { bytes: Buffer.from(`{"message":"${second} is not ${first}"}`) },
      },
    }),
    { keys: [{ name: 'free-1', secret: first }] },
  );
  expect(sent).toEqual([
    'Authorization: bearer free-1',
    'X-API-Key: key-1',
    'Cookie: theme=redacted-1; session=redacted-2; redacted-2',
    `proxy-authorization: Basic ${base64('free-1:key-1')}`,
    'Referer: http://host/?token=key-1',
  ]);
  expect(received).toEqual(['Set-Cookie: session=redacted-2; Path=/; HttpOnly']);
  expect(request.url).toBe('http://free-1:@host/v1/pets?api_key=free-1&key=key-1&limit=5&a=key-1');
  expect(request.queryString).toContainEqual({ name: 'api_key', value: 'free-1' });
  expect(response.content.text).toBe('{"message":"key-1 is not free-1"}');
  expect(text).not.toContain('secret');
});

it('changes nothing for the name of a user, and no member for a password like its name', async () => {
  const json = '{"admin":true,"user":"admin","a":"root-of-all"}';
  const { response, sent, request } = await writeOne(
    toExchange({
      request: {
        url: 'http://root-of-all:open-sesame@host/v1/pets?q=root-of-all',
        headers: [['Authorization', `Basic ${base64('admin:admin')}`]],
      },
      response: { body: { bytes: Buffer.from(json) } },
    }),
  );
  expect(response.content.text).toBe(json);
  expect(sent).toEqual([`Authorization: Basic ${base64('key-4:key-4')}`]);
  expect(request.url).toBe('http://key-1:key-2@host/v1/pets?q=root-of-all');
});

it('hides the fields that a document gives keys', async () => {
  const { request, sent, text } = await writeOne(
    toExchange({
      request: {
        url: 'http://host/things?appid=query-key-1234&page=2',
        headers: [['X-Shop-Id', 'header-key-5678']],
      },
      response: { body: { bytes: Buffer.from('["query-key-1234","header-key-5678"]') } },
    }),
    { keyNames: { headers: ['X-Shop-Id'], parameters: ['appid'] } },
  );
  expect(request.url).toBe('http://host/things?appid=key-1&page=2');
  expect(sent).toEqual(['X-Shop-Id: key-2']);
  expect(text).not.toMatch(/1234|5678/);
});

it('keeps what is no secret in a header for keys', async () => {
  const lines = [
    ['Authorization', 'Bearer'],
    ['Authorization', ''],
    ['Access-Control-Allow-Credentials', 'true'],
    ['WWW-Authenticate', 'Bearer realm="pets"'],
  ] as const;
  const { sent } = await writeOne(toExchange({ request: { headers: lines } }));
  expect(sent).toEqual(lines.map(([name, value]) => `${name}: ${value}`));
});

it('hides members, parameters and headers by name, and changes no other byte', async () => {
  const json = [
    '{ "name" : "Rex \\"the\\" dog", "id": 9007199254740993, "Owner": {"name": "}", "x": [1]},',
    ' "tags":["name", {"NAME":"Rex \\"the\\" dog"}], "age":1.50, "sold":true, "n\\u0061me":null,',
    ' "token":"t", "tokenCount":12, "note":"{\\"name\\":\\"Bo\\"}", "list":[[1],"]"] }',
  ].join('\n');
  const { response, request, sent } = await writeOne(
    toExchange({
      request: {
        url: 'http://host/v1/pets?name=Rex&limit=1&a;b',
        headers: [
          ['X-Owner', 'me'],
          ['Content-Type', 'application/x-www-form-urlencoded'],
        ],
        body: { bytes: Buffer.from('name=Rex+x&key=abc&limit=1') },
      },
      response: { body: { bytes: Buffer.from(json) } },
    }),
    { redact: ['name', 'owner', 'age', 'sold', 'x-owner', 'list'] },
  );
  expect(request.url).toBe('http://host/v1/pets?name=redacted-1&limit=1&a;b');
  expect(request.postData.text).toBe('name=redacted-3&key=key-1&limit=1');
  expect(sent[0]).toBe('X-Owner: redacted-2');
  expect(response.content.text).toBe(
    [
      '{ "name" : "redacted-4", "id": 9007199254740993, "Owner": {},',
      ' "tags":["name", {"NAME":"redacted-4"}], "age":0, "sold":false, "n\\u0061me":null,',
      ' "token":"redacted-5", "tokenCount":12, "note":"{\\"name\\":\\"Bo\\"}", "list":[] }',
    ].join('\n'),
  );
});

it.each(['{"name":"Re', '{"name":', '{"name":{"a":"}', '{"name":7', '"name"', '{"name" "Rex"'])(
  'hides members of a body that is cut or broken: %s',
  async (text) => {
    const { response } = await writeOne(
      toExchange({ response: { body: { bytes: Buffer.from(text), isCut: true } } }),
      { redact: ['name'] },
    );
    expect(response.content.text).not.toMatch(/Re$|7|a/.test(text) ? /Re"?$|7|"a"/ : /never/);
    expect(response.content.comment).toBe('The text is only the beginning of the body.');
  },
);

it('writes bodies decoded, and none that it cannot decode', async () => {
  const packed = gzipSync('[1]');
  const of = (encoding: string, bytes: Uint8Array, more = {}) =>
    writeOne(
      toExchange({
        response: { headers: [['content-encoding', encoding]], body: { bytes, ...more } },
      }),
    ).then(({ response }) => response.content);
  expect(await of('gzip', packed)).toEqual({ size: 3, mimeType: '', text: '[1]' });
  expect(await of('GZIP', Buffer.from('[1]'), { isDecoded: true })).toMatchObject({ text: '[1]' });
  for (const content of [
    await of('gzip', packed.subarray(0, 10)),
    await of('gzip', packed.subarray(0, 10), { isCut: true }),
    await of('compress', packed),
  ]) {
    expect(content.text).toBeUndefined();
    expect(content.size).toBe(-1);
  }
});

it('leaves exchanges out while the disk is too slow, and counts them', async () => {
  const writer = await createHarWriter(toFile(''));
  const body = { bytes: Buffer.alloc(7 * 1024 * 1024, 'a') };
  for (let count = 0; count < 12; count++) writer.add(toExchange({ response: { body } }));
  expect(await writer.close()).toEqual({ written: 9, leftOut: 3 });
});

it('says which file cannot be written', async () => {
  const file = join(dirname(toFile('')), 'none', 'calls.har');
  await expect(createHarWriter(file)).rejects.toThrow(
    `--har ${file} could not be written (ENOENT).`,
  );
  if (!existsSync('/dev/full')) return;
  const writer = await createHarWriter('/dev/full');
  writer.add(toExchange());
  await expect(writer.close()).rejects.toThrow('--har /dev/full could not be written (ENOSPC).');
});
