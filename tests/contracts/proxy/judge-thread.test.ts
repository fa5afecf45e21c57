import type { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { startJudge } from '../../../contracts/proxy/judge-thread.ts';

/** Threads that judge nothing, and do what the test tells them. */
const threads = vi.hoisted(() => [] as (EventEmitter & { isTerminated: boolean })[]);

vi.mock('node:worker_threads', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  class Thread extends Emitter {
    isTerminated = false;
    constructor() {
      super();
      threads.push(this);
      setImmediate(() => this.emit('message', { say: 'ready' }));
    }
    postMessage(): void {}
    async terminate(): Promise<void> {
      this.isTerminated = true;
      this.emit('exit', 1);
    }
  }
  return { Worker: Thread };
});

const settings = { baseUrl: 'http://127.0.0.1/v1', keys: [], baseline: [], strict: false };

it('says once that judging failed, and takes exchanges all the same', async () => {
  const failures: string[] = [];
  const judge = await startJudge(settings, {
    onFinding: () => {},
    onFailure: ({ message }) => failures.push(message),
  });
  const [thread] = threads;
  thread?.emit('error', new Error('out of memory'));
  thread?.emit('exit', 1);
  expect(failures).toEqual(['out of memory']);
  judge.add({
    request: { method: 'GET', url: 'http://127.0.0.1/v1/pets', headers: [] },
    sentAt: 0,
    endedAt: 0,
  });
  await expect(judge.render('json')).rejects.toThrow('out of memory');
  await expect(judge.finish()).rejects.toThrow('out of memory');
});

it('says nothing of a thread that it ends itself', async () => {
  const failures: unknown[] = [];
  const judge = await startJudge(settings, {
    onFinding: () => {},
    onFailure: (error) => failures.push(error),
  });
  await judge.close();
  expect(threads.at(-1)?.isTerminated).toBe(true);
  expect(failures).toEqual([]);
});
