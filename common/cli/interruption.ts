import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A signal this soon after the first, in milliseconds, is the same one: a terminal sends Ctrl-C to
 * all processes, and npm also forwards its own to what it runs.
 */
const maxEcho = 500;

/** A run that signals interrupt. */
export interface Interruption {
  /** Aborted by the first signal; the next one ends the process. */
  readonly signal: AbortSignal;
  /** The exit code of a run that was interrupted, such as 130 after Ctrl-C; else undefined. */
  exitCode(): number | undefined;
  /** Stops listening. */
  dispose(): void;
}

/**
 * Listens to the signals that end a run. Calls `onFirst` once, with a sentence on how to exit
 * immediately.
 */
export function watchSignals(onFirst: (again: string) => void): Interruption {
  const controller = new AbortController();
  let exitCode: number | undefined;
  let first = 0;
  const listener = (name: (typeof signals)[number]) => {
    const code = 128 + constants.signals[name];
    if (exitCode === undefined) {
      exitCode = code;
      first = performance.now();
      controller.abort();
      onFirst(`${name === 'SIGINT' ? 'Press Ctrl-C' : `Send ${name}`} again to exit immediately.`);
    } else if (performance.now() - first > maxEcho) process.exit(code);
  };
  for (const name of signals) process.on(name, listener);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    dispose() {
      for (const name of signals) process.off(name, listener);
    },
  };
}
