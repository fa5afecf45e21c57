import { count } from '../cli/count.ts';
import { toVisible } from '../look/visible.ts';
import type { Calibration } from './calibrate.ts';
import type { Unpinned } from './why-unpinned.ts';

/** What was pinned, what was not and why, and what is drift, for a terminal. */
export function toText(
  { target, requests, pins, unpinned, unasked, drift }: Calibration,
  { out, writes }: { out: string; writes: boolean },
): string {
  const width = Math.max(...[...pins, ...unpinned].map(({ silence }) => silence.length));
  const line = (name: string, text: string) => `  ${name.padEnd(width)}  ${toShown(text)}\n`;
  const list = (title: string, lines: string[]) =>
    lines.length === 0 ? '' : `\n${title}, ${lines.length}:\n${lines.join('')}`;
  const [asked, notAsked] = [true, false].map((isAsked) =>
    unpinned.filter((one) => one.isAsked === isAsked),
  ) as [Unpinned[], Unpinned[]];
  return [
    `Asked ${toVisible(target)} with ${requests} requests.\n`,
    ...unasked.map((sentence) => `${sentence}\n`),
    list(
      'Pinned',
      pins.map(({ silence, words, times, confidence, unsure }) =>
        [
          line(silence, `${toShown(words)}  (${count(times, 'time')}, ${confidence})`),
          ...(unsure === undefined ? [] : [line('', `unsure: ${unsure}`)]),
        ].join(''),
      ),
    ),
    list(
      'Asked and not pinned, or not in every part',
      asked.map(({ silence, reason, evidence }) =>
        [line(silence, reason), ...evidence.slice(0, 3).map((one) => line('', one))].join(''),
      ),
    ),
    list(
      'Not asked',
      notAsked.map(({ silence, reason }) => line(silence, reason)),
    ),
    writes
      ? ''
      : '\nNothing was created, so what a create does is not pinned. Allow it with --allow-writes.\n',
    drift.length === 0
      ? ''
      : `\nBroken clauses, ${drift.length}; nothing is pinned there, and npm run verify shows more:\n`,
    ...drift.map(({ check, message }) => line(check, message)),
    `\nWrote ${out}. Start the mock with --pins ${out}.\n`,
  ].join('');
}

function toShown(text: string): string {
  return toVisible(text.length > 160 ? `${text.slice(0, 157)}...` : text);
}
