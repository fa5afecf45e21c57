import { print } from '../look/print.ts';
import { toVisible } from '../look/visible.ts';

/**
 * Ends the process with 2 and a sentence where it fails outside of all that catches: Node's own
 * code is 1, which stands for drift.
 */
export function exitOnCrash(command: string): void {
  process.on('uncaughtException', (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    process.exitCode = 2;
    try {
      print(
        `${command}: failed, which is a bug in the suite: ${toVisible(message)}\n`,
        process.stderr,
      );
    } finally {
      process.exit(2);
    }
  });
}
