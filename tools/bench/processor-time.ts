import { fileURLToPath } from 'node:url';
import { fetchDocuments } from '../corpus/large/fetch-documents.ts';
import { measureServer } from '../corpus/large/measure-server.ts';
import type { Reading } from '../corpus/large/probe.ts';
import { bareExpress, twin } from './contenders.ts';
import { type Goal, median, ratio, toTable } from './figures.ts';
import type { LoadGenerator } from './load.ts';
import { type Contender, startServer } from './server-process.ts';
import { measures, type Rounds, warmUp } from './speed.ts';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The processor time of Express for a request, to that of the mock: at least. */
const leastOfExpress: Record<string, number> = { list: 1.2, 'read one': 1.1, create: 1 };

/** Compares the processor time that a request takes of the mock and of bare Express. */
export async function compareRequests(
  load: LoadGenerator,
  { rounds, seconds }: Rounds,
): Promise<Goal[]> {
  const probe = fileOf('../corpus/large/probe.ts');
  const talking = [twin(), bareExpress].map(
    ({ args, ...one }): Contender => ({
      ...one,
      args: (port) => ['--import', probe, ...args(port)],
      talks: true,
    }),
  );
  const goals: Goal[] = [];
  for (const measure of measures) {
    const servers = [];
    for (const contender of talking) servers.push(await startServer(contender));
    const times = servers.map((): number[] => []);
    for (const server of servers) await warmUp(server, load, measure);
    for (let round = 0; round < rounds; round++)
      for (const [index, { api, ask }] of servers.entries()) {
        const before = (await ask(0)) as Reading;
        const { requests } = await load.run(api, measure, seconds);
        const after = (await ask(0)) as Reading;
        times[index]?.push((after.processorTime - before.processorTime) / requests);
      }
    for (const server of servers) await server.stop();
    const [own = [], theirs = []] = times;
    goals.push({
      what: `processor time, ${measure.name}: Express 5 to mock`,
      measured: ratio(theirs, own),
      min: leastOfExpress[measure.name] ?? 1,
    });
  }
  return goals;
}

/** The path of a list of each document. */
const lists: Readonly<Record<string, string>> = {
  GitHub: '/users',
  Stripe: '/v1/customers',
  Kubernetes: '/api/v1/namespaces',
};

/**
 * Compares what the mock needs up to its first answer from a large document with what parsing it and
 * starting Express needs.
 */
export async function compareDocuments(rounds: number): Promise<Goal[]> {
  const goals: Goal[] = [];
  // The first stop writes the cache of compiled code.
  await (await startServer(twin())).stop('SIGTERM');
  const rows = [['up to the first answer', 'mock', 'Express 5', 'mock, memory']];
  for (const { name, file } of fetchDocuments()) {
    const [api = ''] = name.split(' ');
    const target = lists[api];
    if (target === undefined) continue;
    const call = { method: 'GET', target, headers: {}, body: undefined };
    const script = fileOf('servers/parsing-express.ts');
    const express = {
      name: 'Express 5',
      basePath: '',
      args: (port: number) => [script, file, `${port}`],
    };
    const mock = { ...twin('twin', ['--spec', file]), basePath: '' };
    const all: Record<'mock' | 'express' | 'memory', number[]> = {
      mock: [],
      express: [],
      memory: [],
    };
    for (let round = 0; round < rounds; round++) {
      const [own, theirs] = [
        await measureServer(mock, [call]),
        await measureServer(express, [call]),
      ];
      if (!own || !theirs) throw new Error(`${name} was not served.`);
      all.mock.push(own.processorTime);
      all.express.push(theirs.processorTime);
      all.memory.push(own.memoryAtStart);
      process.stderr.write(`${name}, round ${round + 1} of ${rounds}\n`);
    }
    const times = [all.mock, all.express].map((one) => `${Math.round(median(one))} ms`);
    rows.push([name, ...times, `${Math.round(median(all.memory))} MB`]);
    const ofTime = `processor time, ${api}: mock to Express 5`;
    goals.push({ what: ofTime, measured: ratio(all.mock, all.express), max: 4 });
    const ofMemory = `memory at the first answer, ${api}`;
    goals.push({ what: ofMemory, measured: median(all.memory), max: 260, unit: ' MB' });
  }
  console.log(`${toTable(rows)}\n`);
  return goals;
}
