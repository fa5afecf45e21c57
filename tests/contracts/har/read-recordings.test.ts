import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readAll, readOne, toEntry, toFile, toHar } from './samples.ts';

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

it('reads an exchange of a HAR as it passed', async () => {
  const exchange = await readOne(
    toEntry({
      request: {
        method: 'POST',
        url: 'https://host/v1/pets',
        postData: { mimeType: 'application/json', text: '{"id":9007199254740993}' },
      },
    }),
  );
  expect(exchange).toEqual({
    request: {
      method: 'POST',
      url: 'https://host/v1/pets',
      headers: [
        ['Authorization', 'Bearer demo-free'],
        ['Content-Type', 'application/json'],
      ],
      body: { bytes: Buffer.from('{"id":9007199254740993}') },
    },
    response: {
      status: 200,
      headers: [['Content-Type', 'application/json']],
      body: { bytes: Buffer.from('[]'), isDecoded: true },
    },
    sentAt: Date.UTC(2026, 10, 22, 10),
    endedAt: Date.UTC(2026, 10, 22, 10) + 12,
  });
});

it('reads times with an offset, and says where there is none', async () => {
  const { sentAt } = await readOne(toEntry({ startedDateTime: '2026-11-22T11:00:00.000+01:00' }));
  expect(sentAt).toBe(Date.UTC(2026, 10, 22, 10));
  const { skipped } = await readAll(toFile(toHar([toEntry({ startedDateTime: 'yesterday' })])));
  expect(skipped).toMatchObject([{ problem: 'has no time "startedDateTime", but "yesterday"' }]);
});

it('counts from when there was a connection, as browsers queue requests', async () => {
  const timings = { blocked: 300, dns: 5, connect: 20, ssl: 10, send: 1, wait: 70, receive: 4 };
  const { sentAt, endedAt } = await readOne(toEntry({ timings, time: 400 }));
  expect(sentAt - Date.UTC(2026, 10, 22, 10)).toBe(325);
  expect(endedAt - sentAt).toBe(75);
});

it('reads headers: no pseudo headers, lists that Chrome joins, none at all', async () => {
  const { request, response } = await readOne(
    toEntry({
      request: {
        headers: [
          { name: ':authority', value: 'host' },
          { name: 'accept', value: '*/*' },
        ],
      },
      response: { headers: [{ name: 'set-cookie', value: 'a=1\nb=2' }] },
    }),
  );
  expect(request.headers).toEqual([['accept', '*/*']]);
  expect(response?.headers).toEqual([
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['Content-Type', 'application/json'],
  ]);
  const bare = await readOne(toEntry({ request: { headers: undefined } }));
  expect(bare.request.headers).toEqual([]);
});

it('reads the media types of bodies where no header with them was recorded', async () => {
  const postData = { mimeType: 'application/json', text: '{}' };
  const { request, response } = await readOne(
    toEntry({ request: { headers: [], postData }, response: { headers: undefined } }),
  );
  expect(request.headers).toEqual([['Content-Type', 'application/json']]);
  expect(response?.headers).toEqual([['Content-Type', 'application/json']]);
  const headers = [{ name: 'Server', value: 'x' }];
  const content = { size: 2, text: '[]', mimeType: 'x-unknown' };
  const { response: shown } = await readOne(toEntry({ response: { headers } }));
  const { response: unknown } = await readOne(toEntry({ response: { headers: [], content } }));
  expect([shown?.headers, unknown?.headers]).toEqual([
    [
      ['Server', 'x'],
      ['Content-Type', 'application/json'],
    ],
    [],
  ]);
});

it.each([
  [
    'application/x-www-form-urlencoded',
    [
      { name: 'a b', value: '1&2' },
      { name: 'c', value: '' },
    ],
    'a+b=1%262&c=',
  ],
  ['multipart/form-data', [{ name: 'a', value: '1' }], undefined],
  [
    'multipart/form-data; boundary="xy"',
    [{ name: 'a', value: '1' }],
    '--xy\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--xy--\r\n',
  ],
  ['multipart/form-data; boundary=xy', [{ name: 'a', fileName: 'a.png' }], undefined],
])('reads a form of which the fields were recorded: %s', async (mimeType, params, expected) => {
  const { request } = await readOne(
    toEntry({ request: { headers: [], bodySize: 9, postData: { mimeType, params } } }),
  );
  const { bytes = new Uint8Array(), isCut } = request.body ?? {};
  expect([text(bytes), isCut]).toEqual([expected ?? '', expected === undefined ? true : undefined]);
});

const gzipped = gzipSync('[]');

it.each([
  ['a text', { size: 2, text: '[]' }, {}, '[]', { isDecoded: true }],
  ['base64', { size: 2, text: 'W10=', encoding: 'base64' }, {}, '[]', { isDecoded: true }],
  [
    'a decoded body with its Content-Encoding',
    { size: 2, text: '[]' },
    { headers: [{ name: 'content-encoding', value: 'gzip' }] },
    '[]',
    { isDecoded: true },
  ],
  [
    'a body that is still packed',
    { size: gzipped.length, text: gzipped.toString('base64'), encoding: 'base64' },
    { headers: [{ name: 'content-encoding', value: 'gzip' }] },
    gzipped.toString(),
    {},
  ],
  [
    'a body that is still packed, with the size that it has unpacked',
    { size: 9000, text: gzipped.toString('base64'), encoding: 'base64' },
    { headers: [{ name: 'content-encoding', value: 'gzip' }] },
    gzipped.toString(),
    {},
  ],
  ['a body that was not recorded', { size: 2 }, {}, '', { isCut: true }],
  ['a body of unknown size', { size: -1 }, {}, '', { isCut: true }],
  [
    'a body that is missing in spite of its length',
    { size: 0 },
    { headers: [{ name: 'Content-Length', value: '2' }] },
    '',
    { isCut: true },
  ],
  ['a body that was cut', { size: 90, text: '[1' }, {}, '[1', { isCut: true, isDecoded: true }],
  ['a byte order mark that was taken off', { size: 5, text: '[]' }, {}, '[]', { isDecoded: true }],
  ['an empty body', { size: 0 }, {}, '', { isDecoded: true }],
  ['a 204', { size: -1 }, { status: 204 }, '', { isDecoded: true }],
])('reads %s', async (_, content, response, expected, flags) => {
  const mimeType = 'application/json';
  const { response: received } = await readOne(
    toEntry({ response: { content: { mimeType, ...content }, ...response } }),
  );
  const { bytes, ...others } = received?.body ?? { bytes: new Uint8Array() };
  expect(text(bytes)).toBe(expected);
  expect(others).toEqual(flags);
});

it('judges nothing by bytes of which nobody can say whether they were unpacked', async () => {
  const response = { headers: [{ name: 'Content-Encoding', value: 'br' }] };
  const read = async (bytes: Uint8Array) => {
    const text = Buffer.from(bytes).toString('base64');
    const content = { size: bytes.length, mimeType: '', text, encoding: 'base64' };
    return (await readOne(toEntry({ response: { ...response, content } }))).response?.body;
  };
  expect(await read(zstdCompressSync('[]'))).toEqual({
    bytes: Buffer.from(zstdCompressSync('[]')),
  });
  for (const bytes of [brotliCompressSync('[]'), Buffer.from([0xff, 0xfe, 0x00, 0x80])])
    expect(await read(bytes)).toMatchObject({ isCut: true });
});

it.each([
  [{ postData: { mimeType: 'text/plain', text: 'AP8=', encoding: 'base64' } }, '\0\ufffd', {}],
  [{ bodySize: 20 }, '', { isCut: true }],
])('reads the body of a request: %j', async (request, expected, flags) => {
  const { bytes, ...others } = (await readOne(toEntry({ request }))).request.body ?? {};
  expect(text(bytes)).toBe(expected);
  expect(others).toEqual(flags);
});

it.each([
  ['net::ERR_CONNECTION_REFUSED', 'unreachable', /^the connection was refused \(net::ERR_.+\); /],
  ['net::ERR_TIMED_OUT', 'timeout', /^net::ERR_TIMED_OUT$/],
  ['net::ERR_CONNECTION_RESET', 'lost', /^the connection ended before a complete answer \(net::/],
  ['net::ERR_ABORTED', 'aborted', /^net::ERR_ABORTED$/],
  ['net::ERR_BLOCKED_BY_CLIENT', 'aborted', /^net::ERR_BLOCKED_BY_CLIENT$/],
  ['', 'aborted', /^no response was recorded, and not why$/],
])('reads a request without a response: %s', async (_error, kind, message) => {
  const { response, failure } = await readOne(toEntry({ response: { status: 0, _error } }));
  expect(response).toBeUndefined();
  expect(failure).toEqual({ kind, message: expect.stringMatching(message) });
});

it.each([
  [{ _fromCache: 'disk' }, 'Chrome', 'from-cache', 'was answered by a cache'],
  [{ _fetchType: 'Memory Cache' }, 'WebKit Web Inspector', 'from-cache', 'was answered by'],
  [{ cache: { afterRequest: {} } }, 'Firefox', 'from-cache', 'was answered by'],
  [{ request: { url: 'wss://host/v1' } }, 'Chrome', 'not-http', 'is no request of HTTP'],
  [{ request: { url: '/v1/pets' } }, 'x', 'broken', 'has no absolute URL "url", but "/v1/pets"'],
  [{ request: { method: 7 } }, 'x', 'broken', 'has no text "method"'],
  [{ response: { status: '200' } }, 'x', 'broken', 'has no HTTP status, but "200"'],
])('passes over %j of %s', async (fields, creator, kind, problem) => {
  const { skipped } = await readAll(toFile(toHar([toEntry(fields)], creator)));
  expect(skipped).toEqual([{ place: 'entry 1', kind, problem: expect.stringContaining(problem) }]);
});

it.each([
  ['Firefox', { cache: { afterRequest: {} }, response: { status: 304 } }],
  ['WebInspector', { cache: { afterRequest: {} } }],
  ['WebKit Web Inspector', { _fetchType: 'Network Load' }],
])('keeps what the deployment answered by way of %s', async (creator, fields) => {
  expect((await readOne(toEntry(fields), creator)).response?.status).toBeGreaterThan(0);
});

const plain = { headers: [{ name: 'accept', value: '*/*' }] };
const cors = { headers: [{ name: 'access-control-allow-credentials', value: 'true' }] };

it('says that credentials are missing where no entry shows one', async () => {
  const sanitised = toHar([
    toEntry({ request: plain }),
    toEntry({ request: plain, response: cors }),
  ]);
  const { exchanges } = await readAll(toFile(sanitised));
  expect(exchanges.map(({ missing }) => missing)).toEqual([['credentials'], ['credentials']]);
});

it.each([
  [{}, 'WebInspector'],
  [{ request: { queryString: [{ name: 'key', value: 'x' }] } }, 'WebInspector'],
  [{ response: { headers: [{ name: 'set-cookie', value: 'a=1' }] } }, 'Charles Proxy'],
  [{ request: plain }, 'petstore-twin'],
  [{ request: plain }, 'redocly-cli proxy'],
])('takes a request without a key for what it is beside %j of %s', async (fields, creator) => {
  const { exchanges } = await readAll(
    toFile(toHar([toEntry({ request: plain }), toEntry(fields)], creator)),
  );
  expect(exchanges.map(({ missing }) => missing)).toEqual([undefined, undefined]);
});

it('reads a file in gzip, in any layout and with a mark', async () => {
  const pretty = JSON.stringify(JSON.parse(toHar([toEntry(), toEntry()])), null, 2);
  const { exchanges, skipped } = await readAll(toFile(gzipSync(`\ufeff${pretty}`)));
  expect(exchanges).toHaveLength(2);
  expect(skipped).toEqual([]);
});

it('reads bodies that Playwright attaches, and no link, pipe, large file or file elsewhere', async () => {
  const attached = (_file: string) =>
    toEntry({ response: { content: { size: -1, mimeType: '', _file } } });
  const names = ['a.json', 'missing.json', '../outside.json', 'link.json', 'pipe', 'large'];
  const file = toFile(toHar(names.map(attached)));
  const at = (name: string) => join(dirname(file), name);
  writeFileSync(at('a.json'), '[1]');
  writeFileSync(join(dirname(file), '..', 'outside.json'), 'secret');
  symlinkSync(toFile('secret', 'outside.json'), at('link.json'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', at('pipe')]);
  writeFileSync(at('large'), '');
  truncateSync(at('large'), 17 * 1024 * 1024);
  const bodies = (await readAll(file)).exchanges.map(({ response }) => response?.body);
  expect(text(bodies[0]?.bytes)).toBe('[1]');
  for (const body of bodies.slice(1))
    expect(body).toEqual({ bytes: new Uint8Array(), isCut: true });
});

it.each([
  ['', 'is empty.'],
  ['[1, 2]', 'is no HTTP Archive (HAR)'],
  ['<html>', 'is no HTTP Archive (HAR)'],
  [Buffer.from('{"log":1}', 'utf16le'), 'is not text in UTF-8. Save it as UTF-8 first.'],
])('refuses a file that is no recording: %j', async (content, message) => {
  await expect(readAll(toFile(content))).rejects.toThrow(message);
});

it('refuses a file that is not there, a folder, a zip file, and a gzip file that is broken', async () => {
  const file = toFile(toHar([toEntry()]));
  const packed = toFile(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 255, 255, 255]));
  await expect(readAll(`${file}-none`)).rejects.toThrow(`${file}-none does not exist.`);
  await expect(readAll(dirname(file))).rejects.toThrow('is a folder. Name the recording in it.');
  await expect(readAll(toFile('PK\x03\x04'))).rejects.toThrow('is a zip file. Unpack it');
  await expect(readAll(packed)).rejects.toThrow('cannot be unpacked: it is broken (');
});
