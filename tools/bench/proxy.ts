import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { bareHttp, bareProxy, judgingProxy } from './contenders.ts';
import { type Goal, median, ratio, toCount, toTable } from './figures.ts';
import type { LoadGenerator } from './load.ts';
import { credentials, startServer } from './server-process.ts';
import { measureRounds, measures, type Rounds } from './speed.ts';

/** How many calls a round of latency makes, one after the other. */
const calls = 500;

/**
 * The proxy that judges beside one that only passes, both before the same bare server: how much they
 * pass, and how much longer a call takes that has the machine for itself.
 */
export async function compareProxies(
  load: LoadGenerator,
  { rounds, seconds }: Rounds,
): Promise<Goal[]> {
  const target = await startServer(bareHttp);
  const bare = await startServer(bareProxy(target.api));
  const judging = await startServer(judgingProxy(target.api));
  const goals: Goal[] = [];
  const table = [['requests a second, median', bare.name, judging.name]];
  for (const measure of measures) {
    const perSecond = await measureRounds([bare, judging], load, measure, { rounds, seconds });
    const [ours = [], theirs = []] = [perSecond[judging.name], perSecond[bare.name]];
    table.push([measure.name, toCount(median(theirs)), toCount(median(ours))]);
    goals.push({
      what: `${measure.name}: judging proxy to bare proxy`,
      measured: ratio(ours, theirs),
      min: 0.5,
    });
  }
  const added: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const direct = await measureLatency(`${target.api}/pets`);
    const proxied = await measureLatency(`${judging.api}/pets`);
    added.push(proxied - direct);
  }
  for (const server of [judging, bare, target]) await server.stop();
  console.log(`${toTable(table)}\n`);
  goals.push({ what: 'added to a call, median', measured: median(added), max: 1, unit: ' ms' });
  return goals;
}

/** The median of how long calls take, one after the other on one connection, in milliseconds. */
async function measureLatency(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let call = 0; call < calls; call++) {
    const start = performance.now();
    const [response] = (await once(get(url, { agent, headers: credentials }), 'response')) as [
      IncomingMessage,
    ];
    await once(response.resume(), 'end');
    times.push(performance.now() - start);
  }
  agent.destroy();
  return median(times);
}
