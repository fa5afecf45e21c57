import { expect, it } from 'vitest';
import { toClientHeaders, toTargetHeaders } from '../../../contracts/proxy/forwarded-headers.ts';

const toTarget = (lines: string[], via = false) =>
  toLines(toTargetHeaders(toRaw(lines), { host: 'api.example.com', httpVersion: '1.1', via }));
const toClient = (lines: string[]) => toLines(toClientHeaders(toRaw(lines), '1.1'));

function toRaw(lines: string[]): string[] {
  return lines.flatMap((line) => line.split(/: (.*)/s).slice(0, 2));
}

function toLines(raw: string[]): string[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${raw[at + 1]}`] : []));
}

it("names the target in the client's Host header, where that stands", () => {
  expect(toTarget(['X-A: 1', 'hOST: localhost:4011', 'X-B: 2'])).toEqual([
    'X-A: 1',
    'hOST: api.example.com',
    'X-B: 2',
  ]);
  expect(toTarget(['X-A: 1'])).toEqual(['Host: api.example.com', 'X-A: 1']);
});

it('adds Via behind that of others, and nothing else', () => {
  expect(toTarget(['Host: a', 'Via: 1.1 edge', 'X-A: 1'], true)).toEqual([
    'Host: api.example.com',
    'Via: 1.1 edge',
    'X-A: 1',
    'Via: 1.1 petstore-twin',
  ]);
});

it('removes what concerns one connection alone', () => {
  expect(
    toTarget([
      'Host: a',
      'Connection: X-Hop, Upgrade, close',
      'x-hop: 1',
      'Upgrade: h2c',
      'Proxy-Connection: keep-alive',
      'TE: gzip',
      'X-A: 1',
    ]),
  ).toEqual(['Host: api.example.com', 'Connection: close', 'X-A: 1']);
  expect(toClient(['Connection: X-Hop', 'X-Hop: 1', 'Upgrade: h2', 'X-A: 1'])).toEqual(['X-A: 1']);
});

it('keeps what makes a message whole, even where Connection names it', () => {
  const lines = ['Content-Length: 2', 'Host: a'];
  expect(toTarget(['Connection: content-length, host, transfer-encoding', ...lines])).toEqual([
    'Content-Length: 2',
    'Host: api.example.com',
  ]);
});
