import { Worker } from 'node:worker_threads';
import { UsageError } from '../../common/cli/usage-error.ts';
import { moduleExtension } from '../../common/look/browser-code.ts';
import type { Finding } from '../report/events.ts';
import type { RecordedExchange } from '../traffic/read-outcome.ts';
import type { JudgeResult, JudgeSettings, Tasks, ThreadMessage } from './judge-worker.ts';

/** Judges exchanges in a thread of its own, and never holds up those who make them. */
export interface JudgeThread {
  /** Takes an exchange, in the order in which they ended; where too many wait, it is dropped. */
  add(recorded: RecordedExchange): void;
  /** How many exchanges were dropped. */
  dropped(): number;
  /** The report so far as the text of a file. */
  render(format: 'json' | 'html'): Promise<string>;
  /** Judges what is left, and gives the report. The thread has ended then. */
  finish(): Promise<JudgeResult>;
  /** Ends the thread at once. */
  close(): Promise<void>;
}

/** How much may wait for the judge, in bytes, and what an exchange takes beside its bodies. */
const maxBytes = 64 * 1024 * 1024;
const headWeight = 4096;

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
  listeners: Listeners,
): Promise<JudgeThread> {
  const { ask, close } = openThread(listeners);
  await ask('open', settings).catch(async (error) => {
    await close();
    throw error;
  });
  let [held, dropped] = [0, 0];
  return {
    add(recorded) {
      const { request, response } = recorded;
      const weight =
        headWeight + (request.body?.bytes.length ?? 0) + (response?.body.bytes.length ?? 0);
      if (held + weight > maxBytes) {
        dropped += 1;
        return;
      }
      held += weight;
      // What failed shows at the end; until then, exchanges pass all the same.
      void ask('judge', recorded)
        .catch(() => {})
        .then(() => {
          held -= weight;
        });
    },
    dropped: () => dropped,
    render: (format) => ask('render', format, dropped),
    async finish() {
      const finished = await ask('finish', dropped);
      await close();
      return finished;
    },
    close,
  };
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
  worker.on('message', (said: ThreadMessage) => {
    if ('finding' in said) return onFinding(said.finding);
    const question = asked.shift();
    if ('value' in said) {
      isOpen = true;
      question?.resolve(said.value);
    } else question?.reject(new UsageError(said.failure));
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
