import { expect, it } from 'vitest';
import { isOwnAddress } from '../../../contracts/proxy/run-proxy.ts';

const cases: [target: string, host: string, port: number, isOwn: boolean][] = [
  ['http://127.0.0.1:4011/v1', '127.0.0.1', 4011, true],
  ['http://localhost:4011/v1', '127.0.0.1', 4011, true],
  ['http://LOCALHOST:4011/v1', 'localhost', 4011, true],
  ['http://shop.localhost:4011/v1', '127.0.0.1', 4011, true],
  ['http://[::1]:4011/v1', '::', 4011, true],
  ['http://127.0.0.1:4011/v1', '0.0.0.0', 4011, true],
  ['http://0.0.0.0:4011/v1', '127.0.0.1', 4011, true],
  ['http://127.0.0.1/v1', '127.0.0.1', 80, true],
  ['https://127.0.0.1/v1', '127.0.0.1', 443, true],
  ['http://127.0.0.1:4010/v1', '127.0.0.1', 4011, false],
  ['http://127.0.0.2:4011/v1', '127.0.0.1', 4011, false],
  ['https://shop.example:4011/v1', '0.0.0.0', 4011, false],
  ['http://127.0.0.1:4011/v1', '127.0.0.1', 0, false],
];

it.each(cases)('tells whether %s is a proxy at %s, port %i: %s', (target, host, port, isOwn) => {
  expect(isOwnAddress(new URL(target), { host, port })).toBe(isOwn);
});
