import { expect, it } from 'vitest';
import { createTurns } from '../../../mock/state/turns.ts';

it('runs acts one after another, though one rejects, and tells each time that none is left', async () => {
  const told: unknown[] = [];
  const inTurn = createTurns(() => told.push('idle'));
  const act = (name: string) => async () => {
    told.push(`${name} begins`);
    await Promise.resolve();
    told.push(`${name} ends`);
    if (name === 'a') throw new Error(name);
  };
  const a = inTurn(act('a'));
  await Promise.allSettled([a, inTurn(act('b'))]);
  await new Promise(setImmediate);
  const first = ['a begins', 'a ends', 'b begins', 'b ends', 'idle'];
  expect(told).toEqual(first);
  await inTurn(act('c'));
  await new Promise(setImmediate);
  expect(told).toEqual([...first, 'c begins', 'c ends', 'idle']);
});
