import { basename } from 'node:path';
import { toVisible } from '../look/visible.ts';
import { clip } from '../report/layout.ts';
import type { Output } from '../report/progress.ts';

/** Shows on a terminal how far a long recording is judged. */
export interface Progress {
  onProgress(file: string, part: { read: number; total: number }): void;
  /** The recording is searched for credentials before it is judged. */
  onSearch(file: string, part: { read: number; total: number }): void;
  onExchange(): void;
  /** How many of the exchanges are not judged yet. */
  onLeft(left: number): void;
  clear(): void;
}

/** How often it is drawn, and from when on, in milliseconds. */
const pause = 100;
const patience = 900;

export function createProgress(
  files: readonly string[],
  { err = process.stderr, now = Date.now }: { err?: Output; now?: () => number } = {},
): Progress {
  const parts = new Map<string, number>();
  let [exchanges, left, drawnAt, isShown] = [0, 0, now() + patience - pause, false];
  let file = '';
  const clear = () => {
    if (isShown) err.write('\r\x1b[K');
    isShown = false;
  };
  const show = (share: number, what: string) => {
    const at = now();
    if (!err.isTTY || at < drawnAt + pause) return;
    drawnAt = at;
    const bar = '█'.repeat(Math.round(share * 20)).padEnd(20, '░');
    const text = `${bar} ${Math.floor(share * 100)} %  ${what}  ${basename(file)}`;
    err.write(`\r\x1b[K${clip(toVisible(text), Math.max(40, (err.columns || 80) - 1))}`);
    isShown = true;
  };
  const draw = () => {
    const read = [...parts.values()].reduce((sum, part) => sum + part, 0) / files.length;
    const share = exchanges === 0 ? read : read * (1 - left / exchanges);
    show(share, `${Math.round(exchanges - left).toLocaleString('en')} exchanges`);
  };
  return {
    onProgress(from, { read, total }) {
      parts.set(from, total === 0 ? 1 : read / total);
      file = from;
      draw();
    },
    onSearch(from, { read, total }) {
      file = from;
      show(total === 0 ? 1 : read / total, 'looking for credentials');
    },
    onExchange() {
      exchanges += 1;
    },
    onLeft(of) {
      left = of;
      draw();
    },
    clear,
  };
}
