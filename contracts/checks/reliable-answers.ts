import { isDescribed } from '../stated.ts';
import { type Answered, type Exchange, type Failure, isAnswered } from '../transcript/exchange.ts';
import { type Check, called, type Judge, shownAnswer, type Violation } from './check.ts';

/** What a server does that answers no call as HTTP has it; it happens for reasons of its own. */
const broken = {
  dropped: 'drops the connection without an answer',
  'not-http': 'answers with something that is no HTTP',
  undecodable: 'answers with a body that cannot be decoded',
};

/** What leaves a call without a whole answer although nothing states a time or a size, or as the way to the target failed. */
const unanswered = {
  timeout: 'a whole answer in time',
  'too-large': 'an answer that can be taken in',
  unreachable: 'a connection',
};

/** Each call of an operation is answered, and not with a failure of the server; one time in a hundred counts too. */
export const reliableAnswers: Check = {
  id: 'reliable-answers',
  clause: {
    basis: 'stated',
    source: '§4, §7',
    text: 'Every call is answered with a status of the interface, never with a server failure.',
  },
  unheld: 'no operation was called',
  needs: 'an operation',
  general: 'Every call is answered, and with no server failure that the document does not describe.',
  part: 'status',
  judge({ exchanges }, judge) {
    const calls = exchanges.filter(({ case: { operation } }) => operation !== undefined);
    const count = (isMeant: (exchange: Exchange) => boolean) => `${calls.filter(isMeant).length} of ${calls.length} calls`;
    const failures = {
      server: count((exchange) => isBroken(exchange)),
      ...Object.fromEntries(Object.keys(unanswered).map((kind) => [kind, count(({ failure }) => failure?.kind === kind)])),
    } as Record<'server' | keyof typeof unanswered, string>;
    for (const exchange of calls) {
      const { failure, response } = exchange;
      if (failure && isUnanswered(failure)) {
        judge.hold(false, exchange, () => toUnanswered(failure, failures[failure.kind]));
        continue;
      }
      judge.hold(!isBroken(exchange), exchange, () => ({
        message: failure
          ? `the target ${broken[failure.kind as keyof typeof broken]} (${failures.server})`
          : `the target answers with a server error (${failures.server})`,
        expected: `an answer that the interface states for ${called(exchange)}`,
        actual: failure ? failure.message : response ? shownAnswer(response) : 'no answer',
      }));
      judgeObserved(exchange, judge);
    }
  },
};

type Unanswered = Failure & { kind: keyof typeof unanswered };

function isUnanswered(failure: Failure): failure is Unanswered {
  return Object.hasOwn(unanswered, failure.kind);
}

/** A failure of the server that the document does not describe. */
function isServerFailure({ case: { operation }, response: { status } }: Answered): boolean {
  return status >= 500 && !(operation && isDescribed(operation, status));
}

/** Whether the server failed, in what it answered or in that it did not. */
function isBroken(exchange: Exchange): boolean {
  return isAnswered(exchange) ? isServerFailure(exchange) : !isUnanswered(exchange.failure);
}

function toUnanswered({ kind, message }: Unanswered, often: string): Omit<Violation, 'exchange'> {
  const actual = kind === 'unreachable' ? `no connection (${message})` : message;
  return { verdict: 'unanswered', message: `${often} got ${actual}`, expected: unanswered[kind], actual, group: kind };
}

/** Of a call that somebody else made, it is not known whether it probed a silence, so a status that is not described is wrong. */
function judgeObserved(exchange: Exchange, judge: Judge): void {
  const { case: one, response } = exchange;
  if (one.purpose.kind !== 'observed' || !one.operation || !response || response.status >= 500) return;
  judge.hold(isDescribed(one.operation, response.status), exchange, () => ({
    message: `${called(exchange)} answers ${response.status}, which the interface does not have for it`,
    expected: `one of ${one.operation?.responses.map(({ status }) => status).join(', ')}`,
    actual: shownAnswer(response),
  }));
}
