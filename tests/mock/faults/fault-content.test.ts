import { expect, it } from 'vitest';
import { adminOf } from '../../support/admin-requests.ts';
import { createSend } from '../../support/create-send.ts';
import { expectError } from '../../support/expect-answer.ts';
import { bearer, shareTwin } from '../../support/twin.ts';

const twin = await shareTwin();

const { send: admin, latest } = adminOf(twin);
const call = createSend(twin.api, bearer('demo-pro'));

async function answerWith(rule: object | string) {
  expect((await admin('POST', 'faults', rule)).status).toBe(201);
  return call('GET', '/pets');
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
  expectError(response, 503, 'service_unavailable');
});

const json = 'application/json';
const large = '{"error":{"id":9007199254740993}}';

it.each([
  ['an object', '{"error": {"id": 9007199254740993}}', large, json],
  ['a list', '[]', '[]', json],
  ['null', 'null', 'null', json],
  ['a number', '18446744073709551617', '18446744073709551617', json],
  ['false', 'false', 'false', json],
  ['a text', '"Zoë is out\\n"', 'Zoë is out\n', 'text/plain; charset=utf-8'],
  ['no text', '""', '', null],
])('answers with the body of a fault that is %s', async (_, body, text, type) => {
  const answer = await answerWith(`{"status": 500, "body": ${body}}`);
  expect(answer).toMatchObject({ status: 500, type, text });
  expect(answer.headers.get('Content-Length')).toBe(String(Buffer.byteLength(text)));
});

it('sends a text as what the headers say that it is', async () => {
  const body = '<h1>Bad Gateway</h1>';
  const headers = { 'content-type': 'text/html' };
  const answer = await answerWith({ status: 502, headers, body });
  expect(answer).toMatchObject({ type: 'text/html', text: body });
});

it('answers a success with a body of its own, the whole of it as the range of a 206', async () => {
  const body = [{ id: 'wrong' }];
  expect((await answerWith({ status: 200, times: 1, body })).json).toEqual(body);
  const { headers, text } = await answerWith({ status: 206, body: 'four' });
  expect([headers.get('Content-Range'), text]).toEqual(['bytes 0-3/4', 'four']);
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

const needsStatus = 'needs the "status" of the answer.';
const onlyVisible = 'must contain only visible characters up to U+00FF';
const own = (headers: object) => ({ status: 500, headers });

it.each<[rule: object, problem: string]>([
  [{ headers: { 'X-A': '1' }, fault: 'EMPTY_RESPONSE' }, `A rule with "headers" ${needsStatus}`],
  [{ body: null, delay: { type: 'fixed', milliseconds: 1 } }, `A rule with "body" ${needsStatus}`],
  [own({ 'a b': '1' }), '"headers": "a b" is not a header name.'],
  [own({ '': '1' }), '"headers": "" is not a header name.'],
  [own({ 'X-A\r\nX-B': '1' }), 'is not a header name.'],
  [own({ 'X-A': 'a\r\nX-B: b' }), `"headers/X-A" ${onlyVisible}`],
  [own({ 'X-A': ['a', '\u0100'] }), `"headers/X-A" ${onlyVisible}`],
  [own({ 'X-A': 7 }), '"headers/X-A" must be a string or an array, but is 7.'],
  [own({ 'X-A': [] }), '"headers/X-A"'],
  [own(['X-A']), '"headers" must be an object, but is an array.'],
  [own({ 'content-LENGTH': '1' }), 'may not have "content-LENGTH", as the mock sets it'],
  [own({ 'Transfer-Encoding': 'chunked' }), '"headers" may not have "Transfer-Encoding"'],
  [own({ 'X-A': '1', 'x-a': '2' }), '"headers" has "x-a" twice. Give one with a list of values.'],
  [own({ 'X-A': 'x'.repeat(4094) }), 'may have at most 4096 characters in all, but has 4097.'],
  [{ status: 204, body: {} }, 'A 204 has no content, so leave "body" out.'],
  [{ status: 304, body: 'x' }, 'A 304 has no content, so leave "body" out.'],
  [{ status: 206, body: '' }, 'A 206 has content, so "body" may not be empty.'],
  [{ status: 500, body: 'é'.repeat(32_769) }, 'may have at most 65536 bytes, but has 65538.'],
  [{ status: 500, body: ['x'.repeat(65_533)] }, 'may have at most 65536 bytes, but has 65537.'],
])('refuses the rule %o, and says why', async (rule, problem) => {
  expectError(await admin('POST', 'faults', rule), 400, 'invalid_body', problem);
  expect((await admin('GET', 'faults')).text).toBe('{"rules":[]}');
});

const ofType = (type: string) => ({ 'Content-Type': type });
const policy = { 'content-security-policy': "default-src 'none'" };

it.each<[string, object, (string | null)[]]>([
  ['HTML', { 'content-type': 'text/html' }, ['sandbox', 'nosniff']],
  ['HTML after JSON', ofType('application/json; a=b, text/html'), ['sandbox', 'nosniff']],
  ['of no type', ofType(''), ['sandbox', 'nosniff']],
  ['text', {}, ['sandbox', 'nosniff']],
  ['JSON by its suffix', ofType('application/problem+json; charset=utf-8'), [null, null]],
  ['HTML with a policy', { ...ofType('text/html'), ...policy }, ["default-src 'none'", 'nosniff']],
])('isolates content that is no JSON: %s', async (_, headers, isolating) => {
  await admin('POST', 'faults', { status: 502, headers, body: '<script>alert(1)</script>' });
  const answer = await fetch(`${twin.api}/pets`, { headers: bearer('demo-pro') });
  const names = ['content-security-policy', 'x-content-type-options'];
  expect(names.map((name) => answer.headers.get(name))).toEqual(isolating);
});
