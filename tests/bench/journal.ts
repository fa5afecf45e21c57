import { twin } from './contenders.ts';
import { type Goal, median, ratio, toCount, toTable } from './figures.ts';
import type { LoadGenerator } from './load.ts';
import { startServer } from './server-process.ts';
import { measureRounds, measures, type Rounds } from './speed.ts';

const contenders = [twin('with journal'), twin('without', ['--journal-entries', '0'])];
const names = contenders.map(({ name }) => name);

/**
 * The twin with its journal and without, side by side. Two processes of one program differ by more than a journal costs, so
 * every round has new ones, and the median is that of rounds.
 */
export async function compareJournal(load: LoadGenerator, { rounds, seconds }: Rounds): Promise<Goal[]> {
  const perSecond = Object.fromEntries(measures.map(({ name }) => [name, { on: [] as number[], off: [] as number[] }]));
  for (let round = 0; round < rounds; round++) {
    const ordered = round % 2 === 0 ? contenders : contenders.toReversed();
    const servers = [];
    for (const contender of ordered) servers.push(await startServer(contender));
    for (const measure of measures) {
      const found = await measureRounds(servers, load, measure, { rounds: seconds, seconds: 1 });
      const [on, off] = names.map((name) => median(found[name] ?? []));
      perSecond[measure.name]?.on.push(on as number);
      perSecond[measure.name]?.off.push(off as number);
    }
    for (const server of servers) await server.stop();
    process.stderr.write(`journal, round ${round + 1} of ${rounds}\n`);
  }
  const rows = Object.entries(perSecond);
  const table = rows.map(([name, { on, off }]) => [name, toCount(median(on)), toCount(median(off))]);
  console.log(`${toTable([['requests a second, median', ...names], ...table])}\n`);
  return rows.map(([name, { on, off }]) => ({ what: `${name}: with journal to without`, measured: ratio(on, off), least: 0.95 }));
}
