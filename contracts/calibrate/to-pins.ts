import { readSilence, withoutBroken } from '../silences/read-silences.ts';
import type { Reading } from '../silences/reading.ts';
import { toWords } from '../silences/to-words.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { toEvidence } from './evidence.ts';
import { type Unpinned, type WhyOptions, whyUnshown } from './why-unpinned.ts';

/** An answer to a silence, with what shows it. */
export type FoundPin = {
  silence: string;
  answer: unknown;
  /** The answer in words. */
  words: string;
  evidence: string[];
  times: number;
  /** How often each part was seen, and how sure it is, where the answer has several. */
  parts?: Readonly<Record<string, { times: number; confidence: Confidence }>>;
  /** That of the part that was seen least. */
  confidence: Confidence;
  /** What the exchanges leave open, in words: they would look the same under another answer. */
  unsure?: string;
  /** What of it the twin has no setting for. */
  beyondTwin?: string;
};

/** How sure an answer is: three exchanges or more show it, two, or one. */
export type Confidence = 'high' | 'medium' | 'low';

/** The pins that a transcript shows, and why the other silences have none. */
export function toPins(
  recorded: Transcript,
  { withExamples, ...why }: Omit<WhyOptions, 'transcript'> & { withExamples: boolean },
): { pins: FoundPin[]; unpinned: Unpinned[] } {
  const pins: FoundPin[] = [];
  const unpinned: Unpinned[] = [];
  const transcript = withoutBroken(recorded, why.broken);
  for (const { id: silence } of transcript.document.silences) {
    const reading = readSilence(transcript, silence, { withExamples });
    if (reading === undefined) unpinned.push(whyUnshown(silence, { transcript: recorded, ...why }));
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
      ...toParts(reading),
      confidence: toConfidence(reading),
      ...(reading.unsure && { unsure: reading.unsure.join('; ') }),
      ...(reading.beyondTwin !== undefined && { beyondTwin: reading.beyondTwin }),
    });
  }
  return { pins, unpinned };
}

/** The confidence of each part, where an answer has several. */
function toParts({ parts = {} }: Reading): Pick<FoundPin, 'parts'> {
  const entries = Object.entries(parts).map(
    ([name, times]) => [name, { times, confidence: ofTimes(times) }] as const,
  );
  return entries.length > 1 ? { parts: Object.fromEntries(entries) } : {};
}

/** By the part that was seen least; low where another answer would look the same. */
function toConfidence({ shown, parts = {}, unsure }: Reading): Confidence {
  return unsure ? 'low' : ofTimes(Math.min(shown.length, ...Object.values(parts)));
}

function ofTimes(times: number): Confidence {
  if (times < 2) return 'low';
  return times === 2 ? 'medium' : 'high';
}
