import { basename } from 'node:path';
import { clip } from '../report/layout.ts';

/** Shows on a terminal how far a long recording is read. */
export interface Progress {
  onProgress(file: string, part: { read: number; total: number }): void;
  onExchange(): void;
  clear(): void;
}

/** How often it is drawn, and from when on, in milliseconds. */
const pause = 100;
const patience = 900;

export function createProgress(files: readonly string[], err = process.stderr): Progress {
  const parts = new Map<string, number>();
  let [exchanges, drawnAt, isShown] = [0, Date.now() + patience - pause, false];
  const clear = () => {
    if (isShown) err.write('\r\x1b[K');
    isShown = false;
  };
  return {
    onProgress(file, { read, total }) {
      parts.set(file, total === 0 ? 1 : read / total);
      const now = Date.now();
      if (!err.isTTY || now < drawnAt + pause) return;
      drawnAt = now;
      const share = [...parts.values()].reduce((sum, part) => sum + part, 0) / files.length;
      const bar = '█'.repeat(Math.round(share * 20)).padEnd(20, '░');
      const text = `${bar} ${Math.floor(share * 100)} %  ${exchanges.toLocaleString('en')} exchanges  ${basename(file)}`;
      err.write(`\r\x1b[K${clip(text, Math.max(40, (err.columns || 80) - 1))}`);
      isShown = true;
    },
    onExchange() {
      exchanges += 1;
    },
    clear,
  };
}
