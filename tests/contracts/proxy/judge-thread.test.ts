import type { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { startJudge } from '../../../contracts/proxy/judge-thread.ts';
import type { RecordedExchange } from '../../../contracts/traffic/read-outcome.ts';

type Thread = EventEmitter & {
  isTerminated: boolean;
  /** The exchanges that it was asked to judge, by the last letter of their addresses. */
  batches: string[];
};

/** Threads that judge nothing, and do what the test tells them. */
const threads = vi.hoisted(() => [] as Thread[]);

vi.mock('node:worker_threads', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  class FakeThread extends Emitter {
    isTerminated = false;
    batches: string[] = [];
    constructor() {
      super();
      threads.push(this);
    }
    postMessage([task, given]: [string, unknown]): void {
      if (task === 'judge') this.batches.push((given as RecordedExchange).request.url.slice(-1));
      setImmediate(() => this.emit('message', { value: 0 }));
    }
    async terminate(): Promise<void> {
      this.isTerminated = true;
      this.emit('exit', 1);
    }
  }
  return { Worker: FakeThread };
});

const settings = { baseUrl: 'http://127.0.0.1/v1', key: [], baseline: [], strict: false };

async function openJudge() {
  const failures: string[] = [];
  const judge = await startJudge(settings, {
    onFinding: () => {},
    onFailure: ({ message }) => failures.push(message),
  });
  return { judge, failures, thread: threads.at(-1) as Thread };
}

function toRecorded(name: string, bytes = 0): RecordedExchange {
  const body = { bytes: new Uint8Array(bytes) };
  return {
    request: { method: 'GET', url: `http://127.0.0.1/v1/${name}`, headers: [] },
    response: { status: 200, headers: [], body },
    sentAt: 0,
    endedAt: 0,
  };
}

it('says once that judging failed, and takes exchanges all the same', async () => {
  const { judge, failures, thread } = await openJudge();
  thread.emit('error', new Error('out of memory'));
  thread.emit('exit', 1);
  expect(failures).toEqual(['out of memory']);
  judge.add(toRecorded('a'));
  await expect(judge.render('json')).rejects.toThrow('out of memory');
  await expect(judge.finish()).rejects.toThrow('out of memory');
});

it('drops and counts what comes while too much waits, and goes on afterwards', async () => {
  const { judge, thread } = await openJudge();
  const half = 40 * 1024 * 1024;
  judge.add(toRecorded('a', half));
  judge.add(toRecorded('b', half));
  judge.add(toRecorded('c'));
  expect(judge.dropped()).toBe(1);
  await judge.render('json');
  judge.add(toRecorded('d', half));
  await judge.finish();
  expect(thread.batches).toEqual(['a', 'c', 'd']);
});
