import { basename } from 'node:path';
import { createProgressLine } from '../cli/progress-line.ts';

/** How much of a file is read, in bytes. */
type Part = { read: number; total: number };

/** Shows on a terminal how far a long recording is judged. */
export interface Progress {
  onProgress(file: string, part: Part): void;
  /** The recording is searched for credentials before it is judged. */
  onSearch(file: string, part: Part): void;
  onExchange(): void;
  /** How many of the exchanges are not judged yet. */
  onLeft(left: number): void;
  clear(): void;
}

export function createProgress(files: readonly string[], line = createProgressLine()): Progress {
  const parts = new Map<string, number>();
  let [exchanges, left, file] = [0, 0, ''];
  const show = (share: number, what: string) => {
    const bar = '█'.repeat(Math.round(share * 20)).padEnd(20, '░');
    line.show(`${bar} ${Math.floor(share * 100)} %  ${what}  ${basename(file)}`);
  };
  const draw = () => {
    const read = parts.values().reduce((sum, part) => sum + part, 0) / files.length;
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
    clear: line.clear,
  };
}
