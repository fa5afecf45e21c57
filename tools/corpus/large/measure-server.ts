import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../../tests/support/free-port.ts';
import type { Contender } from '../../bench/server-process.ts';
import { type Call, send } from '../send.ts';
import type { Reading } from './probe.ts';

/**
 * The resources that a server needed to serve a document, times in milliseconds and memory in MB.
 */
export type Figures = {
  /**
   * The processor time used up to the first response, which hardly depends on the machine's other
   * load.
   */
  processorTime: number;
  memoryAtStart: number;
  memory: number;
  /** The time of each first call of an operation, the shortest first. */
  calls: number[];
  /** Calls without an answer in 20 seconds. */
  unanswered: number;
  /** The longest time in which the server answered nothing, once it had started. */
  longestBlock: number;
};

const maxStart = 300_000;
const maxCall = 20_000;

/** Starts a server, and calls each operation once; undefined where it does not answer. */
export async function measureServer(
  { args, basePath }: Contender,
  calls: readonly Call[],
): Promise<Figures | undefined> {
  const port = await findFreePort();
  const probe = new URL('probe.ts', import.meta.url).href;
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', probe, ...args(port)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = once(child, 'exit');
  const ask = async (): Promise<Reading> => {
    const answer = once(child, 'message');
    child.send('read');
    const [reading] = await Promise.race([answer, exited.then(() => [undefined])]);
    if (reading === undefined) throw new Error('The server ended while it was measured.');
    return reading;
  };
  const base = `http://127.0.0.1:${port}${basePath}`;
  const time = async (call: Call, most: number): Promise<number | undefined> => {
    const before = performance.now();
    const isAnswered = await send(base, call, AbortSignal.timeout(most)).then(
      () => true,
      () => false,
    );
    return isAnswered ? performance.now() - before : undefined;
  };
  try {
    const [first] = calls;
    while (!first || (await time(first, maxStart)) === undefined) {
      const isOver = performance.now() - start > maxStart;
      if (!first || isOver || child.exitCode !== null) return undefined;
      await wait(10);
    }
    const atStart = await ask();
    const times: number[] = [];
    let unanswered = 0;
    for (const call of calls.slice(1)) {
      const taken = await time(call, maxCall);
      if (taken === undefined) unanswered += 1;
      else times.push(taken);
    }
    const { longestBlock, peakMemory } = await ask();
    return {
      processorTime: atStart.processorTime,
      memoryAtStart: atStart.peakMemory,
      memory: peakMemory,
      calls: times.toSorted((left, right) => left - right),
      unanswered,
      longestBlock,
    };
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}
