import { expect, it } from 'vitest';
import { openThrough } from './raw-target.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Sends bytes through a proxy, and gives what the target and the client received. */
async function pass(request: string, response = ok, { ends = 'ok' } = {}) {
  const { target, proxy, client } = await openThrough(response);
  client.send(request.replaceAll('PROXY', new URL(proxy.origin).host));
  await client.until(ends);
  const { host } = new URL(target.url);
  return { sent: target.received().replaceAll(host, 'TARGET'), received: client.received(), proxy };
}

const requests: Record<string, string> = {
  'names in any case, in order, with duplicates':
    'GET /v1/pets HTTP/1.1\r\nhOST: PROXY\r\nx-a: 1\r\nX-B: 2\r\nX-A: 3\r\nx-a: 1\r\naccept: */*\r\nConnection: keep-alive\r\n\r\n',
  'values of bytes above ASCII':
    'GET /v1/pets HTTP/1.1\r\nHost: PROXY\r\nX-Name: caf\xe9 \xc3\xa9\r\n\r\n',
  'an empty value': 'GET /v1/pets HTTP/1.1\r\nHost: PROXY\r\nX-Empty: \r\n\r\n',
  'names that are special elsewhere':
    'GET /v1/pets HTTP/1.1\r\nHost: PROXY\r\n__proto__: 1\r\nconstructor: 2\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n\r\n',
  'several Authorization headers':
    'GET /v1/pets HTTP/1.1\r\nHost: PROXY\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n',
  'a path as it is spelled':
    'GET /v1//pets/../%70ets;x=1?limit=5&limit=%zz&&a=[b]# HTTP/1.1\r\nHost: PROXY\r\n\r\n',
  'a path beside the base path': 'GET /other HTTP/1.1\r\nHost: PROXY\r\n\r\n',
  'OPTIONS *': 'OPTIONS * HTTP/1.1\r\nHost: PROXY\r\n\r\n',
  'a body with its length':
    'POST /v1/pets HTTP/1.1\r\nHost: PROXY\r\ncontent-length: 4\r\n\r\n\x00\xff\r\n',
  'a length of none': 'POST /v1/pets HTTP/1.1\r\nHost: PROXY\r\nContent-Length: 0\r\n\r\n',
  'a POST without any length': 'POST /v1/pets HTTP/1.1\r\nHost: PROXY\r\n\r\n',
  'a GET with a body': 'GET /v1/pets HTTP/1.1\r\nHost: PROXY\r\nContent-Length: 2\r\n\r\n{}',
  'a body in chunks':
    'POST /v1/pets HTTP/1.1\r\nHost: PROXY\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
  'Connection: close': 'GET /v1/pets HTTP/1.1\r\nHost: PROXY\r\nConnection: close\r\n\r\n',
};

it.each(Object.entries(requests))('passes a request byte for byte: %s', async (_, request) => {
  const { sent } = await pass(request);
  expect(sent).toBe(request.replaceAll('PROXY', 'TARGET'));
});

const responses: Record<string, string> = {
  'names in any case, in order, with duplicates':
    'HTTP/1.1 200 OK\r\nset-cookie: a=1\r\nX-A: 1\r\nSet-Cookie: a=1\r\nx-a: 2\r\nContent-Length: 2\r\n\r\nok',
  'another reason': 'HTTP/1.1 200 Tr\xe8s bien\r\nContent-Length: 2\r\n\r\nok',
  'an empty reason': 'HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok',
  'an unknown status': 'HTTP/1.1 799 Odd\r\nContent-Length: 2\r\n\r\nok',
  'its own Date, Connection and Keep-Alive':
    'HTTP/1.1 200 OK\r\nDate: never\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\nContent-Length: 2\r\n\r\nok',
  'values of bytes above ASCII':
    'HTTP/1.1 200 OK\r\nX: \xe9\xc3\xa9\r\nContent-Length: 2\r\n\r\nok',
  'an encoded body, encoded still':
    'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8bok',
  'a body in chunks':
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n',
  'a redirect, not followed':
    'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 2\r\n\r\nok',
  'a challenge': 'HTTP/1.1 401 No\r\nWWW-Authenticate: Bearer\r\nContent-Length: 2\r\n\r\nok',
};

it.each(Object.entries(responses))('passes a response byte for byte: %s', async (_, response) => {
  const { received } = await pass('GET /v1/pets HTTP/1.1\r\nHost: PROXY\r\n\r\n', response, {
    ends: response.slice(-6),
  });
  expect(received).toBe(response);
});
