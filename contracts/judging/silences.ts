import { count } from '../../common/cli/count.ts';
import type { SilenceResult } from '../report/events.ts';
import { notObserved } from '../report/summary.ts';
import { readSilence } from '../silences/read-silences.ts';
import type { Reading } from '../silences/reading.ts';
import { shortForm, toForm } from '../silences/reading.ts';
import { toWords } from '../silences/to-words.ts';
import type { Answer } from '../transcript/exchange.ts';
import { countOf, isList } from '../transcript/items.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** For each thing that the interface leaves open, what each target does there. */
export function mapSilences(transcripts: readonly Transcript[]): SilenceResult[] {
  const [first] = transcripts;
  return (first?.document.silences ?? []).map(({ id, source, question }) => ({
    id,
    source,
    question,
    observed: Object.fromEntries(
      transcripts.map((transcript) => [
        transcript.target.name,
        observeSilence(transcript, id) ?? notObserved,
      ]),
    ),
  }));
}

/** Describes what a target does in a silence; undefined if no response shows it. */
export function observeSilence(transcript: Transcript, silence: string): string | undefined {
  const reading = readSilence(transcript, silence);
  return reading && describeReading(silence, reading);
}

/** Describes a reading, with the reason for any part that has no answer. */
function describeReading(silence: string, { answer, reason }: Reading): string | undefined {
  if (answer === undefined) return reason;
  return [toWords(silence, answer), ...(reason === undefined ? [] : [reason])].join('; ');
}

/** Describes a response in a few words. */
export function toAnswerText(exchange: Answer): string {
  const { status, size, unjudged, tooLarge } = exchange.response;
  if (tooLarge !== undefined) return `${status}, a body of ${size} bytes`;
  if (unjudged !== undefined) return `${status}, a body that was not recorded whole`;
  if (!isList(exchange)) return shortForm(toForm(exchange));
  const length = countOf(exchange);
  return `${status}, ${count(length, 'item')}`;
}
