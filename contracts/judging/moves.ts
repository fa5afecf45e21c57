import { describePinned } from '../../common/prose/pinned.ts';
import type { Finding } from '../report/events.ts';
import { readSilence, withoutBroken } from '../silences/read-silences.ts';
import { commonParts, toComparable, toWords } from '../silences/to-words.ts';
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
