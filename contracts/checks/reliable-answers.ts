import { isDescribed } from '../../openapi/model/responses.ts';
import {
  type Check,
  called,
  clauseOf,
  type Judge,
  shownAnswer,
  type Violation,
} from '../clauses/check.ts';
import { type Answer, type Exchange, isAnswered } from '../transcript/exchange.ts';
import { succeedsLater } from '../transcript/repeats.ts';

/** Failures of a server, and responses that break HTTP, in words that follow the operation. */
const broken = {
  'server-error': 'answers with a server error',
  dropped: 'drops the connection without an answer',
  'cut-off': 'ends its answer before it is complete',
  'not-http': 'answers with something that is not HTTP',
  undecodable: 'answers with a body that cannot be decoded',
};

/**
 * Reasons for an incomplete response that break no clause: no time or size is stated, or the
 * connection failed. Each has the expected and the actual result.
 */
const unanswered = {
  timeout: ['a complete answer in time', 'no complete answer in time'],
  'too-large': ['an answer small enough to read', 'an answer too large to read'],
  unreachable: ['a connection', 'no connection'],
  lost: ['a complete answer', 'no complete answer'],
};

const aThing = /^(?:no|an?|more than|JSON)\b/;

/**
 * Each call of an operation is answered, and not with a failure of the server; one time in a
 * hundred counts too.
 */
export const reliableAnswers: Check = {
  id: 'reliable-answers',
  clause: clauseOf('reliable-answers'),
  unheld: 'no operation was called',
  needs: 'an operation',
  general:
    'Every call is answered, without any server failure that the document does not describe.',
  part: 'status',
  judge({ exchanges, observer }, judge) {
    const { choosesCalls, seesAllCalls } = observer;
    const calls = exchanges.filter(({ case: { operation } }) => operation !== undefined);
    const outcomes = Map.groupBy(calls, (exchange) => toKey(outcomeOf(exchange)));
    const often = (outcome: Outcome) =>
      seesAllCalls ? `${outcomes.get(toKey(outcome))?.length} of ${calls.length} calls` : '';
    for (const exchange of calls) {
      if (exchange.failure?.kind === 'aborted') continue;
      const outcome = outcomeOf(exchange);
      const isBusy = choosesCalls && succeedsLater(exchanges, exchange);
      if (isBusy && outcome) {
        judge.hold(false, exchange, () => ({
          ...toViolation(outcome, exchange, ''),
          verdict: 'unanswered',
          message: `${called(exchange)} answered 503, and succeeded when it was tried again`,
        }));
        continue;
      }
      judge.hold(outcome === undefined, exchange, () =>
        toViolation(outcome as Outcome, exchange, often(outcome as Outcome)),
      );
      if (choosesCalls) judgeObserved(exchange, judge);
    }
  },
};

/** Why a call got no answer that can be judged. */
type Outcome = { kind: keyof typeof broken | keyof typeof unanswered; message: string };

/**
 * Returns the failure of a call, if any. A server error counts as one, however large its body is.
 */
function outcomeOf(exchange: Exchange): Outcome | undefined {
  if (!isAnswered(exchange)) {
    const { kind, message } = exchange.failure;
    return kind === 'aborted' ? undefined : { kind, message };
  }
  const { response } = exchange;
  if (isServerFailure(exchange)) return { kind: 'server-error', message: shownAnswer(response) };
  return response.tooLarge === undefined
    ? undefined
    : { kind: 'too-large', message: response.tooLarge };
}

/** A failure of the server that the document does not describe. */
function isServerFailure({ case: { operation }, response: { status } }: Answer): boolean {
  return status >= 500 && !(operation && isDescribed(operation, status));
}

/**
 * Returns the key by which outcomes are counted. Messages of unanswered calls that differ only in
 * numbers share a key.
 */
function toKey(outcome: Outcome | undefined): string | undefined {
  if (outcome === undefined || !isUnanswered(outcome.kind)) return outcome?.kind;
  return toGot(outcome.kind, outcome.message).replace(/\d+/g, '#');
}

/** Returns what a call got instead of a response, in words that follow "got". */
function toGot(kind: keyof typeof unanswered, message: string): string {
  const isThing = kind !== 'unreachable' && aThing.test(message);
  return isThing ? message : `${unanswered[kind][1]}: ${message}`;
}

function isUnanswered(kind: Outcome['kind']): kind is keyof typeof unanswered {
  return Object.hasOwn(unanswered, kind);
}

function toViolation(
  outcome: Outcome,
  exchange: Exchange,
  often: string,
): Omit<Violation, 'exchange'> {
  const { kind, message } = outcome;
  if (!isUnanswered(kind))
    return {
      message: `the target ${broken[kind]}${often && ` (${often})`}`,
      group: broken[kind],
      expected: `an answer that the interface states for ${called(exchange)}`,
      actual: message,
    };
  const actual = toGot(kind, message);
  return {
    verdict: 'unanswered',
    message: `${often || 'calls'} got ${actual}`,
    expected: String(unanswered[kind][0]),
    actual,
    group: toKey(outcome) ?? actual,
  };
}

/**
 * Whether a call that the suite did not make probed a silence is not known, so a status that is not
 * described is wrong.
 */
function judgeObserved(exchange: Exchange, judge: Judge): void {
  const { case: testCase, response } = exchange;
  if (
    testCase.purpose.kind !== 'observed' ||
    !testCase.operation ||
    !response ||
    response.status >= 500
  )
    return;
  judge.hold(isDescribed(testCase.operation, response.status), exchange, () => ({
    message: `${called(exchange)} answers ${response.status}, which the interface does not state for it`,
    expected: `one of ${testCase.operation?.responses.map(({ status }) => status).join(', ')}`,
    actual: shownAnswer(response),
  }));
}
