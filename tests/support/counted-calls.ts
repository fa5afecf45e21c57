import { builtInDocument } from '../../common/built-in-document.ts';
import type { Case } from '../../contracts/cases/case.ts';
import { rateLimitCountdown } from '../../contracts/checks/rate-limit-countdown.ts';
import type { Violation } from '../../contracts/clauses/check.ts';
import type { Exchange } from '../../contracts/transcript/exchange.ts';
import { ownRun, type Transcript } from '../../contracts/transcript/transcript.ts';
import { compile } from '../../openapi/index.ts';

const document = await compile(builtInDocument);
/** When the first call is made, in Unix milliseconds. */
export const started = Date.UTC(2026, 0, 15, 12);

/** When the window ends, in Unix seconds. */
export const reset = started / 1000 + 60;

/**
 * A call: what for, whether it ends in an error, and when it is sent, counted and answered, in
 * milliseconds.
 */
export type Call = {
  operation: 'listPets' | 'createPet';
  isError: boolean;
  isLowerCase: boolean;
  sent: number;
  counted: number;
  ended: number;
};

/** Describes what a counter does with a call, in order of counting; gives what Remaining shows. */
export type Counter = (call: Call, now: number) => number;

/** An operation some times alone, the last time after a pause, as the suite calls them. */
export function alone(
  operation: Call['operation'],
  times: number,
  from: number,
  latency = 4,
): Call[] {
  return Array.from({ length: times }, (_, index): Call => {
    const pause = index === times - 1 ? 4 * latency : 0;
    const sent = from + index * (latency + 1) + pause;
    return {
      operation,
      isError: false,
      isLowerCase: false,
      sent,
      counted: sent + latency / 2,
      ended: sent + latency,
    };
  });
}

/** A number of lists, one after another. */
export const lists = (times: number) => alone('listPets', times, 0);

/** Describes what an answer shows besides what is left. */
type Shown = {
  limit?: number;
  resetOf?: (call: Call) => string;
  statusOf?: (call: Call) => number;
  purpose?: Case['purpose'];
};

/** Returns what a key's counter makes of calls, as the checks see it. */
export function answer(
  calls: readonly Call[],
  counter: Counter,
  { limit = 1000, resetOf = (_: Call) => String(reset), statusOf, purpose }: Shown = {},
): Transcript {
  const shown = new Map(
    calls
      .toSorted((left, right) => left.counted - right.counted)
      .map((call) => [call, counter(call, call.counted)]),
  );
  const exchanges = calls
    .toSorted((left, right) => left.sent - right.sent)
    .map((call, index): Exchange => {
      const { operation: id, isError, isLowerCase, sent, ended } = call;
      const operation = document.operations.find((one) => one.id === id) as NonNullable<
        Case['operation']
      >;
      const isList = id === 'listPets';
      const status = statusOf?.(call) ?? (isError ? 400 : isList ? 200 : 201);
      return {
        number: index + 1,
        case: {
          id: `${id}/${index}`,
          operation,
          method: operation.method,
          path: operation.path,
          credential: isLowerCase ? 'lower-case-scheme' : 'valid',
          purpose: purpose ?? (isList ? { kind: 'list', filters: {} } : { kind: 'create' }),
          priority: 1,
          writes: !isList,
        },
        request: { method: operation.method, path: operation.path, headers: {}, keyName: 'pro-1' },
        sentAt: started + sent,
        endedAt: started + ended,
        response: {
          status,
          headers: [
            ['X-RateLimit-Limit', String(limit)],
            ['X-RateLimit-Remaining', String(shown.get(call))],
            ['X-RateLimit-Reset', resetOf(call)],
          ],
          size: 0,
          hasMark: false,
          text: '',
          json: undefined,
        },
      };
    });
  return {
    document,
    target: { name: 'target', url: 'http://127.0.0.1:1/v1' },
    keys: [{ name: 'pro-1' }],
    refusedKeys: [],
    observer: ownRun,
    trials: [{ key: 'pro-1', calls: 0, outcome: 'met' }],
    exchanges,
    skipped: [],
  };
}

/** Returns what a check finds, and how much it held. */
export function judge(transcript: Transcript, check = rateLimitCountdown) {
  const violations: Violation[] = [];
  const reasons: string[] = [];
  let held = 0;
  check.judge(transcript, {
    hold(isKept, exchange, violation) {
      held += 1;
      if (!isKept) violations.push({ exchange, ...violation() });
    },
    inconclusive: (reason) => reasons.push(reason),
  });
  return {
    violations: violations.map(({ message, actual }) => `${message} (${actual})`),
    reasons,
    held,
  };
}

type Others = { limit?: number; others?: () => number };

/**
 * A counter that takes a cost from a limit for each call, and more for what others call meanwhile.
 */
export function counting(
  costOf: (call: Call) => number,
  { limit = 1000, others = () => 0 }: Others = {},
): Counter {
  let left = limit;
  return (call) => {
    left = Math.max(0, left - costOf(call) - others());
    return left;
  };
}
