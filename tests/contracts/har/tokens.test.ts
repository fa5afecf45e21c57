import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createTokens } from '../../../contracts/har/tokens.ts';
import { itInAll } from '../../support/sample.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed / 1e6;
}

itInAll(
  'takes no more memory the more secrets and numbers there are, and gives each its own token',
  () => {
    const tokens = createTokens([]);
    const name = (at: number) => `the name of customer ${at}`;
    const given = new Map<string, string>();
    const numbers = new Map<string, number>();
    const show = (from: number, until: number) => {
      for (let at = from; at < until; at++) {
        const [token, number] = [tokens.of(name(at), 'redacted'), tokens.numberOf(String(at))];
        if (at % 1000 > 0) continue;
        given.set(name(at), token);
        numbers.set(String(at), number);
      }
    };
    show(0, 20_000);
    const before = heap();
    show(20_000, 120_000);
    expect(heap() - before).toBeLessThan(3);
    expect(given.size).toBe(120);
    for (const [secret, token] of given) expect(tokens.of(secret, 'redacted')).toBe(token);
    for (const [number, token] of numbers) expect(tokens.numberOf(number)).toBe(token);
    expect(new Set(given.values()).size).toBe(120);
    expect(new Set(numbers.values()).size).toBe(120);
    expect([...numbers.values()].every(Number.isSafeInteger)).toBe(true);
  },
);

it('replaces a late secret in texts by the token that it has', () => {
  const tokens = createTokens([]);
  for (let at = 0; at < 20_000; at++) tokens.of(`the name of customer ${at}`, 'redacted');
  const late = 'somebody who comes late';
  const token = tokens.of(late, 'redacted');
  expect(tokens.replacerFor([late])(`Hello, ${late}!`)).toBe(`Hello, ${token}!`);
});

it('gives late secrets tokens of which nobody can guess the secret', () => {
  const tokenOf = () => {
    const tokens = createTokens([]);
    for (let at = 0; at < 20_000; at++) tokens.of(`the name of customer ${at}`, 'redacted');
    return tokens.of('1234', 'key');
  };
  expect(tokenOf()).not.toBe(tokenOf());
});
