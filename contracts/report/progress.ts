import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { count } from '../cli/count.ts';
import { clip } from '../look/layout.ts';
import { print } from '../look/print.ts';
import { toVisible } from '../look/visible.ts';
import type { RunEvent } from './events.ts';

/** A stream that may be a terminal. */
export type Output = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

const pause = 100;

/**
 * Tells how a run goes on: a line when it starts and one when it ends, and on a terminal one
 * that is written again and again.
 */
export function createProgress(err: Output): {
  onEvent: (event: RunEvent) => void;
  /** Writes a line in place of the live one. */
  say: (line: string) => void;
} {
  let last = 0;
  let isShown = false;
  const dim = (text: string) => styleText('dim', text, { stream: err as NodeJS.WriteStream });
  const clear = () => {
    if (isShown) err.write('\x1b[1A\r\x1b[J');
    isShown = false;
  };
  const show = (text: string) => {
    if (!err.isTTY) return;
    clear();
    err.write(`${dim(clip(toVisible(text), Math.max(20, (err.columns || 80) - 1)))}\n`);
    isShown = true;
  };
  return {
    say(line) {
      clear();
      print(`${toVisible(line)}\n`, err);
    },
    onEvent(event) {
      if (event.type === 'start') {
        const names = event.targets.map(({ name, url }) => toVisible(`${name} at ${url}`));
        err.write(`${dim(`Verifying ${names.join(' and ')} ...`)}\n`);
      } else if (event.type === 'finish') {
        clear();
        const made = event.report.targets.reduce((sum, { requests }) => sum + requests, 0);
        err.write(
          `${dim(`Made ${count(made, 'request')} in ${event.report.seconds.toFixed(1)} s.`)}\n`,
        );
      } else if (event.type === 'stage') {
        show(`  ${event.target}: ${event.stage}`);
      } else if (Date.now() - last >= pause) {
        last = Date.now();
        show(`  ${event.target}: ${count(event.made, 'request')}`);
      }
    },
  };
}
