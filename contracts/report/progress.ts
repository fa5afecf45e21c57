import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { count } from '../cli/count.ts';
import { clip, padTo } from '../look/layout.ts';
import { print } from '../look/print.ts';
import { widthOf } from '../look/text-width.ts';
import { toVisible } from '../look/visible.ts';
import type { RunEvent } from './events.ts';

/** A stream that may be a terminal. */
export type Output = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

const pause = 50;

/**
 * Tells how a run goes on: a line when it starts and one when it ends, and on a terminal a live
 * line a target.
 */
export function createProgress(err: Output): {
  onEvent: (event: RunEvent) => void;
  /** Writes a line above the live ones. */
  say: (line: string) => void;
} {
  const targets = new Map<string, { stage: string; made: number }>();
  const live = err.isTTY === true;
  let shown = 0;
  let last = 0;
  const dim = (text: string) => styleText('dim', text, { stream: err as NodeJS.WriteStream });
  const clear = () => {
    if (shown > 0) err.write(`\x1b[${shown}A\r\x1b[J`);
    shown = 0;
  };
  const draw = (now: number) => {
    if (!live) return;
    clear();
    const width = Math.max(...[...targets.keys()].map(widthOf));
    const room = Math.max(20, (err.columns || 80) - 1);
    for (const [name, { stage, made }] of targets)
      err.write(
        `${dim(clip(`  ${padTo(name, width)}  ${padTo(count(made, 'request'), 12)}  ${stage}`, room))}\n`,
      );
    shown = targets.size;
    last = now;
  };
  return {
    say(line) {
      clear();
      print(`${toVisible(line)}\n`, err);
    },
    onEvent(event) {
      const now = Date.now();
      if (event.type === 'start') {
        for (const { name } of event.targets)
          targets.set(toVisible(name), { stage: 'starting', made: 0 });
        const names = event.targets.map(({ name, url }) => toVisible(`${name} at ${url}`));
        err.write(`${dim(`Verifying ${names.join(' and ')} ...`)}\n`);
        draw(now);
      } else if (event.type === 'finish') {
        clear();
        const made = event.report.targets.reduce((sum, { requests }) => sum + requests, 0);
        err.write(
          `${dim(`Made ${count(made, 'request')} in ${event.report.seconds.toFixed(1)} s.`)}\n`,
        );
      } else {
        const target = targets.get(toVisible(event.target));
        if (target && event.type === 'stage') target.stage = event.stage;
        if (target && event.type === 'exchange') target.made = event.made;
        if (event.type === 'stage' || now - last >= pause) draw(now);
      }
    },
  };
}
