import type { Transcript } from '../transcript/transcript.ts';
import { answerReaders } from './answer-silences.ts';
import { createReaders } from './create-silences.ts';
import { headerReaders } from './header-silences.ts';
import { listReaders } from './list-silences.ts';
import type { Reader, Reading } from './reading.ts';

const readers: Readonly<Record<string, Reader>> = {
  ...answerReaders,
  ...createReaders,
  ...headerReaders,
  ...listReaders,
};

/** Reads what a target does in a silence; undefined where none of its answers shows it. */
export function readSilence(
  transcript: Transcript,
  silence: string,
  { withExamples = false } = {},
): Reading | undefined {
  const { document } = transcript;
  const [resource] = document.resources;
  const read = Object.hasOwn(readers, silence) ? readers[silence] : undefined;
  const reading = resource && read?.({ transcript, document, resource, withExamples });
  return reading && reading.shown.length > 0 ? reading : undefined;
}

/** The transcript without answers that break a stated clause: those are drift, and pin nothing. */
export function withoutBroken(transcript: Transcript, broken: ReadonlySet<number>): Transcript {
  return {
    ...transcript,
    exchanges: transcript.exchanges.filter(({ number }) => !broken.has(number)),
  };
}
