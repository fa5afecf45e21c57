import { cpus } from 'node:os';
import { bareExpress, bareHttp, packagedTwin, prism, scalar, twin } from './contenders.ts';
import { compareSizes, watchMemory } from './endurance.ts';
import { type Goal, toGoalLine } from './figures.ts';
import { compareInProcess } from './in-process.ts';
import { compareJournal } from './journal.ts';
import { findLoadGenerator } from './load.ts';
import { adviceOnHalts } from './machine.ts';
import { type BenchOptions, help, readBenchOptions } from './options.ts';
import { fetchPeers } from './peers.ts';
import { compareDocuments, compareRequests } from './processor-time.ts';
import { compareProxies } from './proxy.ts';
import { measureSandboxes } from './sandboxes.ts';
import { compareSpeed, compareStarts } from './speed.ts';
import { compareStores } from './stores.ts';

// The servers under measurement are ended with this process, so it must end by itself.
process.once('SIGTERM', () => process.exit(143));

const options = readOrRefuse(process.argv.slice(2));
if (options === 'help') process.stdout.write(help);
else await measure(options);

function readOrRefuse(args: string[]): BenchOptions | 'help' {
  try {
    return readBenchOptions(args);
  } catch (error) {
    process.stderr.write(`bench: ${(error as Error).message}\n`);
    process.exit(2);
  }
}

async function measure({
  parts,
  rounds: count,
  seconds,
  connections,
  requests,
  peers: withPeers,
}: BenchOptions): Promise<void> {
  const peers = withPeers ? fetchPeers() : undefined;
  const load = findLoadGenerator(connections, peers);
  const rounds = { rounds: count, seconds };
  const contenders = [
    twin(),
    bareHttp,
    bareExpress,
    ...(peers ? [prism(peers), scalar(peers)] : []),
  ];

  console.log(
    `Node ${process.version}, ${cpus().length} CPUs, load by ${load.name}, ${connections} connections\n`,
  );
  const advice = adviceOnHalts();
  if (advice) process.stderr.write(`${advice}\n\n`);
  const goals: Goal[] = [];
  if (parts.includes('speed')) goals.push(...(await compareSpeed(contenders, load, rounds)));
  if (parts.includes('start'))
    goals.push(...(await compareStarts([...contenders, packagedTwin()], count)));
  if (parts.includes('size'))
    goals.push(...(await compareSizes(load, { ...rounds, few: 100, many: 1_000_000 })));
  if (parts.includes('stores')) goals.push(...(await compareStores(load, rounds)));
  if (parts.includes('sandboxes')) goals.push(...(await measureSandboxes(count)));
  if (parts.includes('journal')) goals.push(...(await compareJournal(load, rounds)));
  if (parts.includes('proxy')) goals.push(...(await compareProxies(load, rounds)));
  if (parts.includes('in-process')) goals.push(...(await compareInProcess(count)));
  if (parts.includes('requests')) goals.push(...(await compareRequests(load, rounds)));
  if (parts.includes('documents')) goals.push(...(await compareDocuments(count)));
  if (parts.includes('soak')) goals.push(...(await watchMemory(load, requests)));
  console.log(goals.map(toGoalLine).join('\n'));
}
