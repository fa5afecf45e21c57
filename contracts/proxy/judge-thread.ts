import { Worker } from 'node:worker_threads';
import { UsageError } from '../cli/usage-error.ts';
import { moduleExtension } from '../look/browser-code.ts';
import type { Finding, Report } from '../report/events.ts';
import type { RecordedExchange } from '../traffic/recorded-exchange.ts';
import { createHandOver } from './hand-over.ts';
import type { JudgeSettings, Question, Said } from './judge-messages.ts';

/** Judges exchanges in a thread of its own. */
export interface JudgeThread {
  /** Takes an exchange; where too many wait, it is dropped and counted. */
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

/** What a judge ends with. */
export type Finished = { report: Report; archive?: Archive };

/** What became of the HTTP Archive: how many exchanges it holds, or why it could not be written. */
type Archive = { written: number; leftOut: number; failure?: never } | { failure: string };

/** How much may wait for the judge, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** The memory of the thread, in MiB. */
const maxOldGenerationSizeMb = 1024;

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
  { onFinding, onFailure }: Listeners,
): Promise<JudgeThread> {
  const worker = new Worker(new URL(`judge-worker${moduleExtension}`, import.meta.url), {
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb },
  });
  const ready = Promise.withResolvers<void>();
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let asked = 0;
  let gone: Error | undefined;
  let isRunning = false;
  const fail = (error: Error) => {
    gone ??= error;
    if (isRunning) onFailure(gone);
    isRunning = false;
    ready.reject(gone);
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
  };
  const settle = (id: number, how: (one: PromiseWithResolvers<unknown>) => void) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (one) how(one);
  };
  worker.on('message', (said: Said) => {
    if (said.say === 'ready') ready.resolve();
    else if (said.say === 'finding') onFinding(said.finding);
    else if (said.say === 'answer') settle(said.id, ({ resolve }) => resolve(said.value));
    else if (said.id === undefined) fail(toError(said));
    else settle(said.id, ({ reject }) => reject(toError(said)));
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread that judges has ended')));
  const ask = (question: Question): Promise<unknown> => {
    if (gone) return Promise.reject(gone);
    const one = Promise.withResolvers<unknown>();
    asked += 1;
    waiting.set(asked, one);
    worker.postMessage({ ...question, id: asked });
    return one.promise;
  };
  const handOver = createHandOver({
    maxBytes,
    maxBatch: 100,
    pause: 20,
    // What failed shows at the end; until then, exchanges pass all the same.
    take: (exchanges) => ask({ ask: 'judge', exchanges }).then(ignore, ignore),
  });
  await ready.promise;
  isRunning = true;
  const end = async () => {
    isRunning = false;
    await worker.terminate();
  };
  return {
    add: handOver.add,
    dropped: handOver.dropped,
    render: async (format) =>
      (await ask({ ask: 'render', format, dropped: handOver.dropped() })) as string,
    async finish() {
      void ask({ ask: 'hurry' }).catch(ignore);
      await handOver.flush();
      const finished = await ask({ ask: 'finish', dropped: handOver.dropped() });
      await end();
      return finished as Finished;
    },
    close: end,
  };
}

function toError({ message, isExpected }: { message: string; isExpected: boolean }): Error {
  return isExpected ? new UsageError(message) : new Error(message);
}

function ignore(): void {}
