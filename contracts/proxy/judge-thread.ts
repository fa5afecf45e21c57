import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { UsageError } from '../cli/usage-error.ts';
import { moduleExtension } from '../look/browser-code.ts';
import type { Finding } from '../report/events.ts';
import type { RecordedExchange } from '../traffic/recorded-exchange.ts';
import type { Finished, JudgeSettings, Said, Tasks } from './judge-worker.ts';

/** Judges exchanges in a thread of its own, and never holds up those who make them. */
export interface JudgeThread {
  /** Takes an exchange, in the order in which they ended; where too many wait, it is dropped. */
  add(recorded: RecordedExchange): void;
  /** How many exchanges were dropped. */
  dropped(): number;
  /** The report so far as the text of a file. */
  render(format: 'json' | 'html'): Promise<string>;
  /** Judges what is left, and gives the report. The thread has ended then. */
  finish(): Promise<Finished>;
  /** Ends the thread at once. */
  close(): Promise<void>;
}

/** How much may wait for the judge, in bytes, and what an exchange takes beside its bodies. */
const maxBytes = 64 * 1024 * 1024;
const headWeight = 4096;

/** The memory of the thread, in MiB. */
const maxOldGenerationSizeMb = 1024;

/** How many exchanges are handed over at a time, and how long a first one waits for others. */
const maxBatch = 100;
const pause = 20;

/** How much longer than it worked a busy judge rests, so that it takes a fifth of a core. */
const rest = 4;
const maxRest = 2000;

type Listeners = {
  onFinding: (finding: Finding) => void;
  /** Called once where the thread ends by itself: nothing more is judged. */
  onFailure: (error: Error) => void;
};

/**
 * Starts a judge. Throws a UsageError where what it is given cannot be used. `onFinding` hears each
 * kind of finding once.
 */
export async function startJudge(
  settings: JudgeSettings,
  listeners: Listeners,
): Promise<JudgeThread> {
  const thread = openThread(listeners);
  await thread.ask('open', settings).catch(async (error) => {
    await thread.close();
    throw error;
  });
  const hurry = new AbortController();
  const waitFor = (time: number) =>
    wait(time, undefined, { signal: hurry.signal }).catch(() => undefined);
  const waiting: RecordedExchange[] = [];
  let [held, dropped] = [0, 0];
  let taking: Promise<void> | undefined;
  const take = async () => {
    await waitFor(pause);
    while (waiting.length > 0) {
      const exchanges = waiting.splice(0, maxBatch);
      // What failed shows at the end; until then, exchanges pass all the same.
      const busy = await thread.ask('judge', exchanges).catch(() => 0);
      await waitFor(Math.min(busy * rest, maxRest));
      held -= exchanges.reduce((sum, one) => sum + toWeight(one), 0);
    }
    taking = undefined;
  };
  return {
    add(recorded) {
      const weight = toWeight(recorded);
      if (held + weight > maxBytes) {
        dropped += 1;
        return;
      }
      held += weight;
      waiting.push(recorded);
      taking ??= take();
    },
    dropped: () => dropped,
    render: (format) => thread.ask('render', format, dropped),
    async finish() {
      // Nobody rests when the proxy ends.
      hurry.abort();
      await taking;
      const finished = await thread.ask('finish', dropped);
      await thread.close();
      return finished;
    },
    close: thread.close,
  };
}

function toWeight({ request, response }: RecordedExchange): number {
  return headWeight + (request.body?.bytes.length ?? 0) + (response?.body.bytes.length ?? 0);
}

/** Starts the thread, which answers questions one after the other. */
function openThread({ onFinding, onFailure }: Listeners) {
  const worker = new Worker(new URL(`judge-worker${moduleExtension}`, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb },
  });
  const asked: PromiseWithResolvers<unknown>[] = [];
  let isOpen = false;
  let gone: Error | undefined;
  const fail = (error: Error) => {
    gone ??= error;
    if (isOpen) onFailure(gone);
    isOpen = false;
    for (const { reject } of asked.splice(0)) reject(gone);
  };
  worker.on('message', (said: Said) => {
    if ('finding' in said) return onFinding(said.finding);
    const question = asked.shift();
    if ('value' in said) {
      isOpen = true;
      question?.resolve(said.value);
    } else question?.reject(new (said.isExpected ? UsageError : Error)(said.failure));
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread that judges has ended')));
  return {
    ask<Task extends keyof Tasks>(
      task: Task,
      ...given: Parameters<Tasks[Task]>
    ): ReturnType<Tasks[Task]> {
      const question = Promise.withResolvers<unknown>();
      if (gone) question.reject(gone);
      else {
        asked.push(question);
        worker.postMessage([task, ...given]);
      }
      return question.promise as ReturnType<Tasks[Task]>;
    },
    async close() {
      isOpen = false;
      await worker.terminate();
    },
  };
}
