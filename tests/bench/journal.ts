import { switchingTwin } from './contenders.ts';
import { type Goal, median, toCount, toTable } from './figures.ts';
import type { LoadGenerator } from './load.ts';
import { startServer } from './server-process.ts';
import type { Turn } from './servers/switching-twin.ts';
import { measures, type Rounds, warmUp } from './speed.ts';

/**
 * The twin with its journal and without, by turns in one process. Two processes of one program differ by more than a journal
 * costs; so do two of these, so every round has a new one, and the median is that of rounds.
 */
export async function compareJournal(load: LoadGenerator, { rounds, seconds }: Rounds): Promise<Goal[]> {
  const found = measures.map(({ name }) => ({ name, ratios: [] as number[], on: [] as number[], off: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    const server = await startServer(switchingTwin);
    for (const [at, measure] of measures.entries()) {
      await warmUp(server, load, measure);
      const loaded = load.run(server.api, measure, seconds + 1);
      const turns = (await server.ask(seconds * 4)) as Turn[];
      await loaded;
      found[at]?.ratios.push(toRatio(turns));
      for (const { on, perSecond } of turns) found[at]?.[on ? 'on' : 'off'].push(perSecond);
    }
    await server.stop();
    process.stderr.write(`journal, round ${round + 1} of ${rounds}\n`);
  }
  const rows = found.map(({ name, on, off }) => [name, toCount(median(on)), toCount(median(off))]);
  console.log(`${toTable([['requests a second, median', 'with journal', 'without'], ...rows])}\n`);
  return found.map(({ name, ratios }) => ({
    what: `${name}: with journal to without`,
    measured: median(ratios),
    least: 0.95,
  }));
}

/** What is done with a journal to what is done without: each turn to the mean of those around it, so that a drift cancels out. */
export function toRatio(turns: readonly Turn[]): number {
  return median(
    turns.slice(1, -1).map(({ on, perSecond }, at) => {
      const around = ((turns[at]?.perSecond ?? 0) + (turns[at + 2]?.perSecond ?? 0)) / 2;
      return on ? perSecond / around : around / perSecond;
    }),
  );
}
