import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../tests/support/free-port.ts';
import { findRedis, howToGetRedis } from '../../tests/support/redis-command.ts';
import { twin } from './contenders.ts';
import { type Goal, median, ratio, toCount, toTable } from './figures.ts';
import type { LoadGenerator } from './load.ts';
import { type Contender, type ServerProcess, startServer } from './server-process.ts';
import { measureRounds, measures, type Rounds } from './speed.ts';

/**
 * A store beside memory: what starts a twin on it, and what it should reach of memory's speed, or in
 * requests a second.
 */
type StoreContender = {
  contender: Contender;
  min?: Record<string, number>;
  minPerSecond?: Record<string, number>;
  end(): Promise<void>;
};

/** The twin on each of its stores, side by side. */
export async function compareStores(load: LoadGenerator, rounds: Rounds): Promise<Goal[]> {
  const stores: StoreContender[] = [onSqlite()];
  if (findRedis()) stores.push(await onRedis());
  else console.log(`${howToGetRedis}\n`);
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
    for (const { contender, min = {}, minPerSecond = {} } of stores) {
      const own = perSecond[contender.name] ?? [];
      const ofMemory = min[measure.name];
      if (ofMemory !== undefined)
        goals.push({
          what: `${measure.name}: ${contender.name} to memory`,
          measured: ratio(own, perSecond.memory ?? []),
          min: ofMemory,
        });
      const wanted = minPerSecond[measure.name];
      if (wanted !== undefined)
        goals.push({
          what: `${measure.name}: ${contender.name} to ${toCount(wanted)} a second`,
          measured: median(own) / wanted,
          min: 1,
        });
    }
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

/** A server of its own on this machine that writes nothing to the disk. */
async function onRedis(): Promise<StoreContender> {
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'bench-redis-'));
  const inMemory = ['--save', '', '--appendonly', 'no'];
  const server = spawn(findRedis() ?? '', [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
    ...inMemory,
  ]);
  return {
    contender: twin('redis', ['--store', `redis://127.0.0.1:${port}/0`]),
    minPerSecond: { list: 5000 },
    async end() {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
