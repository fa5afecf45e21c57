import { afterAll, expect } from 'vitest';
import {
  createRepeatingProcess,
  type Environment,
  type MeasuredRun,
  patience,
} from './repeating-process.ts';

const programs = {
  verify: new URL('repeat-verify.ts', import.meta.url),
  judge: new URL('repeat-judge.ts', import.meta.url),
  mock: new URL('repeat-mock.ts', import.meta.url),
  dredd: new URL('repeat-dredd.ts', import.meta.url),
};

/**
 * Gives a function that runs a command in a process of its own, the same one for all runs of a test
 * file, one after another. Tests that run at once share as many processes as `processes` says. The
 * mock is for what ends by itself.
 */
export function useRepeatedRuns(
  program: keyof typeof programs,
  { processes = 1 }: { processes?: number } = {},
): (args: readonly string[], env?: Environment) => Promise<MeasuredRun> {
  const runners = Array.from({ length: processes }, () => ({
    ...createRepeatingProcess(programs[program]),
    waiting: 0,
  }));

  // Nothing that a run leaves behind may keep a process alive.
  afterAll(async () => {
    for (const { close } of runners) {
      const end = await close();
      if (end) expect(end).toEqual({ code: 0, signal: null });
    }
  }, 2 * patience);

  return async (args, env = {}) => {
    const [runner] = runners.toSorted((left, right) => left.waiting - right.waiting);
    if (!runner) throw new Error('There must be a process to run in.');
    runner.waiting++;
    return runner.run(args, env).finally(() => runner.waiting--);
  };
}
