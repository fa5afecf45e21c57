import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { twin } from './contenders.ts';
import { type Goal, median, ratio, toCount, toTable } from './figures.ts';
import type { LoadGenerator } from './load.ts';
import { type Contender, type ServerProcess, startServer } from './server-process.ts';
import { measureRounds, measures, type Rounds } from './speed.ts';

/** A store beside memory: what starts a twin on it, and what it should reach of memory's speed. */
type StoreContender = { contender: Contender; min: Record<string, number>; end(): Promise<void> };

/** The twin on each of its stores, side by side. */
export async function compareStores(load: LoadGenerator, rounds: Rounds): Promise<Goal[]> {
  const stores: StoreContender[] = [onSqlite()];
  const memory = twin('memory');
  const servers: ServerProcess[] = [];
  for (const contender of [memory, ...stores.map(({ contender }) => contender)])
    servers.push(await startServer(contender));
  const goals: Goal[] = [];
  const table = [['requests a second, median', ...servers.map(({ name }) => name)]];
  for (const measure of measures) {
    const perSecond = await measureRounds(servers, load, measure, rounds);
    table.push([
      measure.name,
      ...servers.map(({ name }) => toCount(median(perSecond[name] ?? []))),
    ]);
    for (const { contender, min } of stores)
      goals.push({
        what: `${measure.name}: ${contender.name} to memory`,
        measured: ratio(perSecond[contender.name] ?? [], perSecond.memory ?? []),
        min: min[measure.name] ?? 0,
      });
  }
  for (const server of servers) await server.stop();
  for (const { end } of stores) await end();
  console.log(`${toTable(table)}\n`);
  return goals;
}

/** A file on the disk of the temporary files, which a commit waits for. */
function onSqlite(): StoreContender {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sqlite-'));
  return {
    contender: twin('sqlite', ['--store', `sqlite:${join(folder, 'twin.db')}`]),
    min: { list: 0.8, 'read one': 0.8, create: 0.5 },
    end: async () => rmSync(folder, { recursive: true }),
  };
}
