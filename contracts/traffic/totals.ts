import { count as counted } from '../cli/count.ts';
import type { ApiDocument } from '../description/document.ts';
import { toUnjudgedBodies } from '../judging/judge-response.ts';
import { observeSilence, toAnswerText } from '../judging/silences.ts';
import type { SilenceResult, Traffic } from '../report/events.ts';
import { notObserved } from '../report/summary.ts';
import { calledId, type Exchange, isAnswered } from '../transcript/exchange.ts';
import { countOf } from '../transcript/items.ts';
import { maxItems } from '../transcript/sample.ts';
import type { Transcript } from '../transcript/transcript.ts';
/** What a call failed with that the proxy ended before its answer came. */
export const unansweredAtEnd = 'the proxy ended before the answer';

/** Counts what passed. */
export interface Totals {
  /** Counts an exchange; one that its client gave up is left out, as there is nothing to judge. */
  note(exchange: Exchange): void;
  /** `isMissed` says whether it may have been a call of the target. */
  leaveOut(reason: string, options?: { isMissed: boolean }): void;
  requests(): number;
  /** How often an operation was called. */
  callsOf(operation: string): number;
  traffic(): Traffic;
  seconds(): number;
  /** What of it was not judged, a sentence each. */
  unjudged(): string[];
}

const maxReasons = 50;

const leftAtEnd = 'without a complete answer when the proxy ended';

export function createTotals({ operations }: Pick<ApiDocument, 'operations'>): Totals {
  const calls = new Map(operations.map(({ id }) => [id, 0]));
  const left = new Map<string, number>();
  const unjudged = new Map<string, number>();
  const missed = new Set<string>();
  let [requests, unanswered, from, until, long] = [0, 0, Number.POSITIVE_INFINITY, 0, 0];
  const count = (map: Map<string, number>, key: string) => {
    if (map.has(key) || map.size < maxReasons) map.set(key, (map.get(key) ?? 0) + 1);
  };
  const toInstant = (time: number) => new Date(time).toISOString();
  return {
    note(exchange) {
      const { response, failure, sentAt, endedAt } = exchange;
      from = Math.min(from, sentAt);
      until = Math.max(until, endedAt);
      if (failure?.kind === 'aborted') {
        if (failure.message === unansweredAtEnd) unanswered += 1;
        count(left, failure.message === unansweredAtEnd ? leftAtEnd : 'given up by the client');
        return;
      }
      requests += 1;
      const id = calledId(exchange);
      if (id !== '') calls.set(id, (calls.get(id) ?? 0) + 1);
      if (response?.unjudged !== undefined) count(unjudged, response.unjudged);
      if (isAnswered(exchange) && countOf(exchange) > maxItems) long += 1;
    },
    leaveOut(reason, { isMissed } = { isMissed: false }) {
      count(left, reason);
      if (isMissed) missed.add(reason);
    },
    requests: () => requests,
    callsOf: (operation) => calls.get(operation) ?? 0,
    traffic: () => ({
      leftOut: [...left].map(([reason, number]) => ({ reason, count: number })),
      ...(until > 0 && { from: toInstant(from), until: toInstant(until) }),
    }),
    seconds: () => (until > 0 ? Math.max(0, until - from) / 1000 : 0),
    unjudged: () => [
      ...(unanswered > 0 ? [`${counted(unanswered, 'call was', 'calls were')} ${leftAtEnd}`] : []),
      ...[...missed].map(
        (reason) => `${counted(left.get(reason) ?? 0, 'entry', 'entries')} left out: ${reason}`,
      ),
      ...[...unjudged].map(([reason, number]) => toUnjudgedBodies(number, reason)),
      ...(long > 0
        ? [`of ${counted(long, 'list')} only the first ${maxItems} items were judged`]
        : []),
    ],
  };
}

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
  const others = new Map<string, string>();
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
        const seen = others.get(id) ?? observeSilence(transcript, id);
        if (seen !== undefined) others.set(id, seen);
      }
    },
    results: (target) =>
      silences.map(({ id, source, question }) => {
        const known = answers.get(id);
        const shown = known
          ? [...known].map(([answer, probes]) => `${[...probes].join(' ')}: ${answer}`).join('; ')
          : (others.get(id) ?? notObserved);
        return { id, source, question, observed: { [target]: shown } };
      }),
  };
}
