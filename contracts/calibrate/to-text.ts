import { count } from '../../common/cli/count.ts';
import { padTo, wrap } from '../../common/look/layout.ts';
import { toExcerpt, toVisible } from '../../common/look/visible.ts';
import { indented, type Paint } from '../report/terminal/paint.ts';
import type { Calibration } from './calibrate.ts';
import type { FoundPin, UnpinnedSilence } from './to-pins.ts';

/** How much of an answer in words is shown; the file has all of it. */
const maxWords = 160;

type Line = (name: string, text: string) => string[];

/**
 * Returns a calibration as text for a terminal: pins, unpinned silences with reasons, and drift;
 * `kept` says where the text is that was replaced.
 */
export function toText(
  { target, requests, pins, unpinned, unasked, drift, howToWrite }: Calibration,
  { out, kept, paint }: { out: string; kept: string; paint: Paint },
): string {
  const names = [...pins, ...unpinned].map(({ silence }) => toVisible(silence).length);
  const width = Math.max(...names, ...drift.map(({ check }) => check.length));
  const line: Line = (name, text) =>
    wrap(toVisible(text), paint.columns - width - 4).map(
      (part, index) => `  ${padTo(index === 0 ? toVisible(name) : '', width)}  ${part}`,
    );
  const asked = unpinned.filter(({ isAsked }) => isAsked);
  const notAsked = unpinned.filter(({ isAsked }) => !isAsked);
  const sentence = (text: string) => indented(toVisible(text), 0, paint);
  const lines = [
    ...sentence(`Asked ${target} with ${requests} requests.`),
    ...unasked.flatMap(sentence),
    ...list(
      'Recorded',
      pins.map((pin) => toPinLines(pin, line)),
    ),
    ...list(
      'Asked, but not recorded or only in part',
      asked.map((one) => toUnpinnedLines(one, line)),
    ),
    ...list(
      'Not asked',
      notAsked.map(({ silence, reason }) => line(silence, reason)),
    ),
    ...(howToWrite === undefined
      ? []
      : [
          '',
          ...sentence(
            `Nothing was created, so the behaviour of creates is not recorded. Run ${howToWrite}.`,
          ),
        ]),
    ...(drift.length === 0
      ? []
      : [
          '',
          ...sentence(
            `Failed clauses, ${drift.length}; nothing is recorded for them, and verify shows more:`,
          ),
          ...drift.flatMap(({ check, message }) => line(check, message)),
        ]),
    '',
    ...sentence(`Wrote ${out}. Start the mock with --pins ${out}.${kept}`),
  ];
  return `${lines.join('\n')}\n`;
}

function list(title: string, blocks: readonly string[][]): string[] {
  return blocks.length === 0 ? [] : ['', `${title}, ${blocks.length}:`, ...blocks.flat()];
}

function toPinLines(pin: FoundPin, line: Line): string[] {
  const { silence, words, times, confidence } = pin;
  return line(silence, `${toExcerpt(words, maxWords)} (${count(times, 'time')}, ${confidence})`);
}

function toUnpinnedLines({ silence, reason, evidence }: UnpinnedSilence, line: Line): string[] {
  const shown = evidence.slice(0, 3).flatMap((one) => line('', toExcerpt(one, maxWords)));
  return [...line(silence, toExcerpt(reason, 2 * maxWords)), ...shown];
}
