import { twin } from './contenders.ts';
import { type Goal, median, ratio, toCount, toTable } from './figures.ts';
import type { LoadGenerator } from './load.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { measureRounds, measures, type Rounds } from './speed.ts';

/** The twin with its journal and without, side by side. */
export async function compareJournal(load: LoadGenerator, rounds: Rounds): Promise<Goal[]> {
  const contenders = [twin('with journal'), twin('without', ['--journal-entries', '0'])];
  const servers: ServerProcess[] = [];
  for (const contender of contenders) servers.push(await startServer(contender));
  const table = [['requests a second, median', ...servers.map(({ name }) => name)]];
  const goals: Goal[] = [];
  for (const measure of measures) {
    const perSecond = await measureRounds(servers, load, measure, rounds);
    const [on = [], off = []] = servers.map(({ name }) => perSecond[name]);
    table.push([measure.name, toCount(median(on)), toCount(median(off))]);
    goals.push({ what: `${measure.name}: with journal to without`, measured: ratio(on, off), least: 0.95 });
  }
  for (const server of servers) await server.stop();
  console.log(`${toTable(table)}\n`);
  return goals;
}
