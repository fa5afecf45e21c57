import { expect, it } from 'vitest';
import { header, tamper } from '../../../tools/lab/tamper.ts';
import {
  type Event,
  type Simulation,
  simulate,
  simulatedUrl,
} from '../../support/simulated-traffic.ts';
import { judgeTraffic } from '../../support/traffic.ts';

const begin = Date.UTC(2030, 0, 1, 9);

/** The verdict on calls at these seconds, after the 60 of a free key's minute are used up. */
async function judgeCalls(seconds: readonly number[], simulation: Simulation = {}) {
  const used = Array.from({ length: 60 }, (_, index) => index * 0.02);
  const calls = [...used, ...seconds].map(
    (second): Event => ({
      at: begin + second * 1000,
      takes: 8,
      path: '/pets?limit=1',
      headers: { Authorization: 'Bearer k-free-1' },
    }),
  );
  const { clauses } = await judgeTraffic(simulate(calls, simulation), { baseUrl: simulatedUrl });
  return clauses.find(({ id }) => id === 'retry-works')?.results.target;
}

it('takes a call that is answered at once after Retry-After for what it is', async () => {
  expect(await judgeCalls([2])).toMatchObject({
    verdict: 'unobserved',
    reason: 'no refused call was sent again after its Retry-After',
  });
  expect(await judgeCalls([2, 60.2])).toMatchObject({ verdict: 'kept', held: 1 });
});

it('says of a call that is refused within a second after Retry-After why it decides nothing', async () => {
  const mutate = tamper({ status: 429 }, header('Retry-After', '5'));
  expect(await judgeCalls([2, 7.2], { mutate })).toMatchObject({
    verdict: 'inconclusive',
    reason: 'a call was refused again within 1 s after its Retry-After, which may be rounding',
  });
});
