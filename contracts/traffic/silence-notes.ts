import type { ApiDocument } from '../description/document.ts';
import { observeSeen, toAnswerText } from '../judging/silences.ts';
import type { SilenceResult } from '../report/events.ts';
import { notObserved } from '../report/summary.ts';
import { isAnswered } from '../transcript/exchange.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** What traffic showed of the things that the interface leaves open. */
export interface SilenceNotes {
  /** Notes what calls show that were not noted yet. */
  observe(transcript: Transcript): void;
  results(target: string): SilenceResult[];
}

/** How many different answers to a silence are noted, and for each how many probes. */
const maxAnswers = 6;
const maxProbes = 3;

export function createSilenceNotes({ silences }: Pick<ApiDocument, 'silences'>): SilenceNotes {
  const answers = new Map<string, Map<string, Set<string>>>();
  const others = new Map<string, { text: string; leftOut: number }>();
  let last = 0;
  return {
    observe(transcript) {
      let latest = last;
      for (const exchange of transcript.exchanges) {
        const { case: testCase, number } = exchange;
        latest = Math.max(latest, number);
        if (number <= last || !isAnswered(exchange)) continue;
        const { purpose, credential } = testCase;
        const open = purpose.kind === 'silence' ? purpose : testCase.leftOpen;
        const isForeign = credential !== 'valid' && purpose.kind !== 'silence';
        if (!open || isForeign || exchange.response.status === 429) continue;
        const known = answers.get(open.silence) ?? new Map<string, Set<string>>();
        answers.set(open.silence, known);
        const answer = toAnswerText(exchange).replace(/\b\d+ items?$/, 'a list');
        const probes = known.get(answer) ?? new Set<string>();
        if (!known.has(answer) && known.size >= maxAnswers) continue;
        known.set(answer, probes);
        if (probes.size < maxProbes) probes.add(open.probe.slice(0, 60));
      }
      last = latest;
      for (const { id } of silences) {
        const known = others.get(id);
        // What was not seen yet may be seen later.
        const seen = known?.leftOut === 0 ? undefined : observeSeen(transcript, id);
        if (seen && seen.leftOut <= (known?.leftOut ?? seen.leftOut)) others.set(id, seen);
      }
    },
    results: (target) =>
      silences.map(({ id, source, question }) => {
        const known = answers.get(id);
        const shown = known
          ? [...known].map(([answer, probes]) => `${[...probes].join(' ')}: ${answer}`).join('; ')
          : (others.get(id)?.text ?? notObserved);
        return { id, source, question, observed: { [target]: shown } };
      }),
  };
}
