import { styleText } from 'node:util';
import { count } from '../../common/cli/count.ts';
import { createProgressLine, type Output } from '../../common/cli/progress-line.ts';
import { print } from '../../common/look/print.ts';
import { toVisible } from '../../common/look/visible.ts';
import type { RunEvent } from './events.ts';

/** Tells how a run goes on: a line when it starts and one when it ends, and a live one between. */
export function createProgress(err: Output): {
  onEvent: (event: RunEvent) => void;
  /** Writes a line in place of the live one. */
  say: (line: string) => void;
} {
  const line = createProgressLine(err);
  const dim = (text: string) =>
    err.write(`${styleText('dim', text, { stream: err as NodeJS.WriteStream })}\n`);
  return {
    say(text) {
      line.clear();
      print(`${toVisible(text)}\n`, err);
    },
    onEvent(event) {
      if (event.type === 'start') {
        const names = event.targets.map(({ name, url }) => toVisible(`${name} at ${url}`));
        dim(`Verifying ${names.join(' and ')} ...`);
      } else if (event.type === 'finish') {
        line.clear();
        const made = event.report.targets.reduce((sum, { requests }) => sum + requests, 0);
        dim(`Made ${count(made, 'request')} in ${event.report.seconds.toFixed(1)} s.`);
      } else {
        const what = event.type === 'stage' ? event.stage : count(event.made, 'request');
        line.show(`  ${event.target}: ${what}`);
      }
    },
  };
}
