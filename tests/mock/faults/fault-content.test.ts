import { expect, it } from 'vitest';
import { adminOf } from '../../support/admin-requests.ts';
import { bearer, shareTwin } from '../../support/twin.ts';

const twin = await shareTwin();

const { send: admin, latest } = adminOf(twin);

async function answerWith(rule: object | string, path = '/pets'): Promise<Response> {
  expect((await admin('POST', 'faults', rule)).status).toBe(201);
  return fetch(twin.api + path, { headers: bearer('demo-pro') });
}

it('adds headers of a fault to its answer, and puts them in the place of those of the same names', async () => {
  const response = await answerWith({
    status: 503,
    headers: {
      'retry-after': '120',
      'X-RateLimit-Remaining': 'soon',
      'X-Request-Id': 'a1',
      'Set-Cookie': ['a=1', 'b=2'],
      Empty: '',
    },
  });
  expect(response.status).toBe(503);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    'retry-after': '120',
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': 'soon',
    'x-request-id': 'a1',
    'x-undocumented-status': '503',
    empty: '',
  });
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await response.json()).toMatchObject({ code: 'service_unavailable', status: 503 });
});

it.each([
  [
    'an object',
    '{"error": {"id": 9007199254740993}}',
    '{"error":{"id":9007199254740993}}',
    'application/json',
  ],
  ['a list', '[]', '[]', 'application/json'],
  ['null', 'null', 'null', 'application/json'],
  ['a number', '18446744073709551617', '18446744073709551617', 'application/json'],
  ['false', 'false', 'false', 'application/json'],
  ['a text', '"Zoë is out\\n"', 'Zoë is out\n', 'text/plain; charset=utf-8'],
  ['no text', '""', '', null],
])('answers with the body of a fault that is %s', async (_, body, content, type) => {
  const response = await answerWith(`{"status": 500, "body": ${body}}`);
  expect([response.status, response.headers.get('Content-Type')]).toEqual([500, type]);
  expect(response.headers.get('Content-Length')).toBe(String(Buffer.byteLength(content)));
  expect(await response.text()).toBe(content);
});

it('sends a text as what the headers say that it is', async () => {
  const page = '<h1>Bad Gateway</h1>';
  const response = await answerWith({
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: page,
  });
  expect([response.headers.get('Content-Type'), await response.text()]).toEqual([
    'text/html',
    page,
  ]);
});

it('answers a success with a body of its own, the whole of it as the range of a 206', async () => {
  expect(
    await (await answerWith({ status: 200, times: 1, body: [{ id: 'wrong' }] })).json(),
  ).toEqual([{ id: 'wrong' }]);
  const partial = await answerWith({ status: 206, body: 'four' });
  expect([partial.headers.get('Content-Range'), await partial.text()]).toEqual([
    'bytes 0-3/4',
    'four',
  ]);
});

it('shows headers and body of a fault as they were given, and what was sent in the journal', async () => {
  const rule =
    '{"id":"own","status":500,"headers":{"X-A":["1","2"]},"body":{"id":9007199254740993}}';
  await answerWith(rule);
  expect((await admin('GET', 'faults/own')).text).toBe(rule.replace(/\}$/, ',"calls":1,"hits":1}'));
  expect((await admin('GET', 'faults')).text).toContain('9007199254740993');
  const { response, reason } = await latest();
  expect([response?.headers['X-A'], response?.body, reason]).toEqual([
    ['1', '2'],
    '{"id":9007199254740993}',
    { step: 'fault', rule: 'own', code: 500 },
  ]);
});

it.each([
  [
    { headers: { 'X-A': '1' }, fault: 'EMPTY_RESPONSE' },
    'A rule with "headers" needs the "status" of the answer.',
  ],
  [
    { body: null, delay: { type: 'fixed', milliseconds: 1 } },
    'A rule with "body" needs the "status" of the answer.',
  ],
  [{ status: 500, headers: { 'a b': '1' } }, '"headers": "a b" is not a header name.'],
  [{ status: 500, headers: { '': '1' } }, '"headers": "" is not a header name.'],
  [{ status: 500, headers: { 'X-A\r\nX-B': '1' } }, 'is not a header name.'],
  [
    { status: 500, headers: { 'X-A': 'a\r\nX-B: b' } },
    '"headers/X-A" must contain only visible characters up to U+00FF',
  ],
  [
    { status: 500, headers: { 'X-A': ['a', '\u0100'] } },
    '"headers/X-A" must contain only visible characters up to U+00FF',
  ],
  [{ status: 500, headers: { 'X-A': 7 } }, '"headers/X-A" must be a string or an array, but is 7.'],
  [{ status: 500, headers: { 'X-A': [] } }, '"headers/X-A"'],
  [{ status: 500, headers: ['X-A'] }, '"headers" must be an object, but is an array.'],
  [
    { status: 500, headers: { 'content-LENGTH': '1' } },
    '"headers" may not have "content-LENGTH", as the mock sets it',
  ],
  [
    { status: 500, headers: { 'Transfer-Encoding': 'chunked' } },
    '"headers" may not have "Transfer-Encoding"',
  ],
  [
    { status: 500, headers: { 'X-A': '1', 'x-a': '2' } },
    '"headers" has "x-a" twice. Give one with a list of values.',
  ],
  [
    { status: 500, headers: { 'X-A': 'x'.repeat(4094) } },
    '"headers" may have at most 4096 characters in all, but has 4097.',
  ],
  [{ status: 204, body: {} }, 'A 204 has no content, so leave "body" out.'],
  [{ status: 304, body: 'x' }, 'A 304 has no content, so leave "body" out.'],
  [{ status: 206, body: '' }, 'A 206 has content, so "body" may not be empty.'],
  [
    { status: 500, body: 'é'.repeat(32_769) },
    '"body" may have at most 65536 bytes, but has 65538.',
  ],
  [
    { status: 500, body: ['x'.repeat(65_533)] },
    '"body" may have at most 65536 bytes, but has 65537.',
  ],
])('refuses the rule %o, and says why', async (rule, problem) => {
  const { status, text } = await admin('POST', 'faults', rule);
  const { code, message } = JSON.parse(text);
  expect([status, code]).toEqual([400, 'invalid_body']);
  expect(message).toContain(problem);
  expect((await admin('GET', 'faults')).text).toBe('{"rules":[]}');
});

it.each<[string, object, (string | null)[]]>([
  ['HTML', { 'content-type': 'text/html' }, ['sandbox', 'nosniff']],
  [
    'HTML after JSON',
    { 'Content-Type': 'application/json; a=b, text/html' },
    ['sandbox', 'nosniff'],
  ],
  ['of no type', { 'Content-Type': '' }, ['sandbox', 'nosniff']],
  ['text', {}, ['sandbox', 'nosniff']],
  [
    'JSON by its suffix',
    { 'Content-Type': 'application/problem+json; charset=utf-8' },
    [null, null],
  ],
  [
    'HTML with a policy of the rule',
    { 'Content-Type': 'text/html', 'content-security-policy': "default-src 'none'" },
    ["default-src 'none'", 'nosniff'],
  ],
])('isolates content that is no JSON: %s', async (_, headers, isolating) => {
  const rule = { status: 502, headers, body: '<script>alert(1)</script>' };
  const response = await answerWith(rule);
  const names = ['content-security-policy', 'x-content-type-options'];
  expect(names.map((name) => response.headers.get(name))).toEqual(isolating);
});
