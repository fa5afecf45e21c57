import { type Goal, median, ratio, toCount, toTable } from './figures.ts';
import type { LoadGenerator, Measure } from './load.ts';
import { type Contender, type ServerProcess, startServer } from './server-process.ts';

export type Rounds = { rounds: number; seconds: number };

/** The kinds of requests whose speed is measured. */
export const measures: Measure[] = [
  { name: 'list', path: '/pets' },
  { name: 'read one', path: '/pets/1' },
  { name: 'create', path: '/pets', body: '{"name":"Rex","categoryId":1,"status":"available"}' },
];

const leastOfExpress: Record<string, number> = { list: 1, 'read one': 0.9, create: 0.9 };
const leastOfPrism = 15;

/**
 * Requests per second of each server, side by side: every server once in every round, each round in
 * another order.
 */
export async function compareSpeed(
  contenders: Contender[],
  load: LoadGenerator,
  { rounds, seconds }: Rounds,
): Promise<Goal[]> {
  const servers: ServerProcess[] = [];
  for (const contender of contenders) servers.push(await startServer(contender));
  const goals: Goal[] = [];
  const table = [['requests a second, median', ...servers.map(({ name }) => name)]];
  for (const measure of measures) {
    const perSecond = await measureRounds(servers, load, measure, { rounds, seconds });
    table.push([
      measure.name,
      ...servers.map(({ name }) => toCount(median(perSecond[name] ?? []))),
    ]);
    for (const [other, min] of [
      ['Express 5', leastOfExpress[measure.name]] as const,
      ['Prism', leastOfPrism] as const,
    ]) {
      const theirs = perSecond[other];
      if (theirs && min)
        goals.push({
          what: `${measure.name}: twin to ${other}`,
          measured: ratio(perSecond.twin ?? [], theirs),
          min,
        });
    }
  }
  for (const server of servers) await server.stop();
  console.log(`${toTable(table)}\n`);
  return goals;
}

/**
 * Loads a server for longer than V8 was seen to go on compiling, in runs of a second: the end of
 * each closes connections, and a server that never saw that compiles much of itself again.
 */
export async function warmUp(
  { api }: ServerProcess,
  load: LoadGenerator,
  measure: Measure,
): Promise<void> {
  for (let run = 0; run < 8; run++) await load.run(api, measure, 1);
}

/** Requests per second by server, a number for each round, once each is warm. */
export async function measureRounds(
  servers: ServerProcess[],
  load: LoadGenerator,
  measure: Measure,
  { rounds, seconds }: Rounds,
): Promise<Record<string, number[]>> {
  const perSecond: Record<string, number[]> = Object.fromEntries(
    servers.map(({ name }) => [name, []]),
  );
  for (const server of servers) await warmUp(server, load, measure);
  for (let round = 0; round < rounds; round++) {
    const first = round % servers.length;
    for (const { name, api } of [...servers.slice(first), ...servers.slice(0, first)]) {
      const outcome = await load.run(api, measure, seconds);
      perSecond[name]?.push(outcome.perSecond);
    }
    process.stderr.write(`${measure.name}, round ${round + 1} of ${rounds}\n`);
  }
  return perSecond;
}

/** Milliseconds from the start of a process to its first 200, side by side. */
export async function compareStarts(contenders: Contender[], rounds: number): Promise<Goal[]> {
  const times: Record<string, number[]> = Object.fromEntries(
    contenders.map(({ name }) => [name, []]),
  );
  for (let round = 0; round <= rounds; round++) {
    for (const contender of contenders) {
      const server = await startServer(contender);
      // The first start finds cold caches of the disk, and writes that of compiled code at its end.
      await server.stop(round === 0 ? 'SIGTERM' : 'SIGKILL');
      if (round > 0) times[server.name]?.push(server.firstAnswer);
    }
    process.stderr.write(`first answer, round ${round} of ${rounds}\n`);
  }
  const names = contenders.map(({ name }) => name);
  const medians = names.map((name) => `${toCount(median(times[name] ?? []))} ms`);
  console.log(
    `${toTable([
      ['first answer after start, median', ...names],
      ['', ...medians],
    ])}\n`,
  );
  const express = times['Express 5'] ?? [];
  return [
    {
      what: 'first answer: npm start to Express 5',
      measured: ratio(times.twin ?? [], express),
      max: 2,
    },
    {
      what: 'first answer: package to Express 5',
      measured: ratio(times.package ?? [], express),
      max: 1.5,
    },
  ];
}
