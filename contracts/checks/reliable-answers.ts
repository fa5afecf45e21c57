import { isDescribed } from '../stated.ts';
import { type Answered, type Exchange, isAnswered } from '../transcript/exchange.ts';
import { type Check, called, type Judge, shown } from './check.ts';

const failureNames = {
  unreachable: 'cannot be reached any more',
  dropped: 'drops the connection without an answer',
  timeout: 'does not answer in time',
  'not-http': 'answers with something that is no HTTP',
  'too-large': 'answers without end',
  undecodable: 'answers with a body that cannot be decoded',
};

/** Each call of an operation is answered, and not with a failure of the server; one time in a hundred counts too. */
export const reliableAnswers: Check = {
  id: 'reliable-answers',
  clause: {
    basis: 'stated',
    source: '§4, §7',
    text: 'Every call is answered with a status of the interface, never with a server failure.',
  },
  needs: 'an operation',
  general: 'Every call is answered, and with no server failure that the document does not describe.',
  judge({ exchanges }, judge) {
    const calls = exchanges.filter(({ case: { operation } }) => operation !== undefined);
    const failed = calls.filter((exchange) => !isAnswered(exchange) || isServerFailure(exchange));
    for (const exchange of calls) {
      const { failure, response } = exchange;
      const often = `${failed.length} of ${calls.length} calls`;
      judge.hold(!failed.includes(exchange), exchange, () => ({
        message: failure
          ? `the target ${failureNames[failure.kind]} (${often})`
          : `the target fails with a server error (${often})`,
        expected: `an answer that the interface states for ${called(exchange)}`,
        actual: failure ? failure.message : `${response?.status} ${shown(response?.text ?? '')}`,
      }));
      judgeObserved(exchange, judge);
    }
  },
};

/** A failure of the server that the document does not describe. */
function isServerFailure({ case: { operation }, response: { status } }: Answered): boolean {
  return status >= 500 && !(operation && isDescribed(operation, status));
}

/** Of a call that somebody else made, it is not known whether it probed a silence, so a status that is not described is wrong. */
function judgeObserved(exchange: Exchange, judge: Judge): void {
  const { case: one, response } = exchange;
  if (one.purpose.kind !== 'observed' || !one.operation || !response || response.status >= 500) return;
  judge.hold(isDescribed(one.operation, response.status), exchange, () => ({
    message: `${called(exchange)} answers with a status that the interface does not have for it`,
    expected: one.operation?.responses.map(({ status }) => status).join(', ') ?? '',
    actual: `${response.status}${response.text === '' ? '' : ` ${shown(response.text)}`}`,
  }));
}
