import { readSilence, withoutBroken } from '../silences/read-silences.ts';
import type { Reading } from '../silences/reading.ts';
import { toWords } from '../silences/to-words.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { toEvidence } from './evidence.ts';
import { type Unpinned, whyUnshown } from './why-unpinned.ts';

/** An answer to a silence, with what shows it. */
export type FoundPin = {
  silence: string;
  answer: unknown;
  /** The answer in words. */
  words: string;
  evidence: string[];
  times: number;
  confidence: Confidence;
};

/** How sure an answer is: three exchanges or more show it, two, or one. */
export type Confidence = 'high' | 'medium' | 'low';

/**
 * The pins that a transcript shows, and why the other silences have none; `broken` are the numbers of
 * exchanges that show none.
 */
export function toPins(
  recorded: Transcript,
  {
    withExamples,
    howToWrite,
    broken,
  }: { withExamples: boolean; howToWrite: string; broken: ReadonlySet<number> },
): { pins: FoundPin[]; unpinned: Unpinned[] } {
  const pins: FoundPin[] = [];
  const unpinned: Unpinned[] = [];
  const transcript = withoutBroken(recorded, broken);
  for (const { id: silence } of transcript.document.silences) {
    const reading = readSilence(transcript, silence, { withExamples });
    if (reading === undefined) unpinned.push(whyUnshown(silence, recorded, howToWrite));
    else if (reading.reason !== undefined)
      unpinned.push({
        silence,
        isAsked: true,
        reason: reading.reason,
        evidence: toEvidence(reading.shown),
      });
    if (reading?.answer === undefined) continue;
    pins.push({
      silence,
      answer: reading.answer,
      words: toWords(silence, reading.answer),
      evidence: toEvidence(reading.shown),
      times: reading.shown.length,
      confidence: toConfidence(reading),
    });
  }
  return { pins, unpinned };
}

function toConfidence({ shown: { length } }: Reading): Confidence {
  if (length < 2) return 'low';
  return length === 2 ? 'medium' : 'high';
}
