import { count } from '../../common/cli/count.ts';
import { describePinned } from '../../common/prose/pinned.ts';
import type { Finding, SilenceResult } from '../report/events.ts';
import { notObserved } from '../report/summary.ts';
import { readSilence, withoutBroken } from '../silences/read-silences.ts';
import { type Reading, shortForm, toForm } from '../silences/reading.ts';
import { commonParts, toComparable, toWords } from '../silences/to-words.ts';
import type { Answer } from '../transcript/exchange.ts';
import { countOf, isList } from '../transcript/items.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { Judgement } from './judge.ts';
import { toReported } from './reported-exchange.ts';

/** The numbers of the exchanges that break a stated clause. */
export function brokenIn({ findings }: Pick<Judgement, 'findings'>): ReadonlySet<number> {
  return new Set(
    findings
      .filter(({ verdict }) => verdict === 'drift')
      .flatMap(({ violations }) => violations.map(({ exchange }) => exchange.number)),
  );
}

/**
 * Finds silences in which a target deviates from the pins of the document. Silences that no
 * response shows are left out, and responses that break a stated clause are ignored.
 */
export function findMoves(
  transcript: Transcript,
  judgement: Pick<Judgement, 'findings'>,
): Finding[] {
  const { document, target } = transcript;
  const judged = withoutBroken(transcript, brokenIn(judgement));
  return document.silences.flatMap(({ id, source, question, pin }): Finding[] => {
    const reading = pin && readSilence(judged, id);
    const [exchange] = reading?.shown ?? [];
    if (!pin || reading?.answer === undefined || !exchange) return [];
    const pinned = toComparable(id, pin.answer);
    const seen = toComparable(id, reading.answer);
    const [before, now] = (commonParts(pinned, seen) ?? []).map((one) => toWords(id, one));
    if (before === now) return [];
    const operation = exchange.case.operation?.id ?? '';
    return [
      {
        target: target.name,
        verdict: 'moved',
        check: 'pins',
        operation,
        clause: { id, basis: 'none', source, text: question },
        message: `${id} differs from the profile`,
        expected: `${before} (${describePinned(document)})`,
        actual: String(now),
        count: reading.shown.length,
        operations: [{ id: operation, count: reading.shown.length }],
        related: [],
        exchange: toReported(exchange, target.url),
      },
    ];
  });
}

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
