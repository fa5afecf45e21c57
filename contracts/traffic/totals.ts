import { count as counted } from '../../common/cli/count.ts';
import type { Api } from '../../openapi/index.ts';
import { toUnjudgedBodies } from '../judging/judge-response.ts';
import { observeSilence, toAnswerText } from '../judging/moves.ts';
import type { SilenceResult, Traffic } from '../report/events.ts';
import { notObserved } from '../report/summary.ts';
import { calledId, type Exchange, isAnswered } from '../transcript/exchange.ts';
import { countOf } from '../transcript/items.ts';
import { maxItems } from '../transcript/sample.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** The failure message of a call that was unanswered when the proxy ended. */
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
  /** Returns what was not judged, a sentence each. */
  unjudged(): string[];
}

const maxReasons = 50;

const leftAtEnd = 'without a complete answer when the proxy ended';

export function createTotals({ operations }: Pick<Api, 'operations'>): Totals {
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

const maxAnswers = 6;
const maxProbes = 3;

/** Returns what calls that were judged together show of each silence. */
export function toSilences(transcript: Transcript): SilenceResult[] {
  const { document, target, exchanges } = transcript;
  return document.silences.map(({ id, source, question }) => {
    const seen = toAnswers(exchanges, id) ?? observeSilence(transcript, id) ?? notObserved;
    return { id, source, question, observed: { [target.name]: seen } };
  });
}

/** Returns the responses to calls that touch a silence; undefined if there are none. */
function toAnswers(exchanges: readonly Exchange[], silence: string): string | undefined {
  const answers = new Map<string, Set<string>>();
  for (const exchange of exchanges) {
    const { purpose, credential, leftOpen } = exchange.case;
    const open = purpose.kind === 'silence' ? purpose : leftOpen;
    const isForeign = credential !== 'valid' && purpose.kind !== 'silence';
    if (open?.silence !== silence || isForeign || !isAnswered(exchange)) continue;
    if (exchange.response.status === 429) continue;
    const answer = toAnswerText(exchange).replace(/\b\d+ items?$/, 'a list');
    const probes = answers.get(answer) ?? new Set();
    if (answers.size < maxAnswers) answers.set(answer, probes);
    if (probes.size < maxProbes) probes.add(open.probe.slice(0, 60));
  }
  const shown = [...answers].map(([answer, probes]) => `${[...probes].join(' ')}: ${answer}`);
  return shown.length === 0 ? undefined : shown.join('; ');
}
