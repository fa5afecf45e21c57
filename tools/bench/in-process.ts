import { createTwin, type Twin } from '../../package/twin.ts';
import { type Goal, ratio, toTable } from './figures.ts';

/** How many tests of ten calls are in a round. */
const tests = 100;

/** Measures the time of a test of ten calls, in process and over a socket in turn. */
export async function compareInProcess(rounds: number): Promise<Goal[]> {
  await using listening = await createTwin({ rateLimits: 'off' });
  await using silent = await createTwin({ listen: false, rateLimits: 'off' });
  const overSocket: number[] = [];
  const inProcess: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const socket = await measure(listening, fetch);
    const own = await measure(silent, silent.fetch);
    // The first round finds code that is not compiled yet.
    if (round === 0) continue;
    overSocket.push(socket);
    inProcess.push(own);
  }
  const mean = (times: number[]) =>
    `${(times.reduce((sum, one) => sum + one, 0) / times.length).toFixed(2)} ms`;
  console.log(
    `${toTable([
      ['ten calls by fetch', 'mean'],
      ['over a socket', mean(overSocket)],
      ['in process', mean(inProcess)],
    ])}\n`,
  );
  return [{ what: 'in process: ten calls', measured: ratio(overSocket, inProcess), min: 3 }];
}

/** The mean time of a test in milliseconds: it adds five animals, and reads each. */
async function measure({ url, key }: Twin, send: Twin['fetch']): Promise<number> {
  const headers = { Authorization: `Bearer ${key('pro')}`, 'Content-Type': 'application/json' };
  const start = performance.now();
  for (let test = 0; test < tests; test++)
    for (let count = 0; count < 5; count++) {
      const body = '{"name":"Ada","categoryId":3}';
      const made = await send(`${url}/pets`, { method: 'POST', headers, body });
      const { id } = (await made.json()) as { id: number };
      await (await send(`${url}/pets/${id}`, { headers })).json();
    }
  return (performance.now() - start) / tests;
}
