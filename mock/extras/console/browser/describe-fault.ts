import type { FaultName } from '../../../faults/fault-rules.ts';
import type { Delay } from '../../../faults/latency.ts';
import type { FaultView } from '../../forced/fault-handlers.ts';

/** What a client sees of each fault of a connection. */
export const faultTexts: Readonly<Record<FaultName, string>> = {
  CONNECTION_RESET_BY_PEER: 'Reset the connection (TCP)',
  EMPTY_RESPONSE: 'Close it without a byte',
  MALFORMED_RESPONSE_CHUNK: 'Send the headers of a 200, then an invalid chunk',
  RANDOM_DATA_THEN_CLOSE: 'Send bytes that are not HTTP',
};

/** Which calls a rule matches: `calls of listPets with demo-free`. */
export function describeMatch({ operation, key }: Pick<FaultView, 'operation' | 'key'>): string {
  const of = operation === undefined ? 'all operations' : operation;
  return key === undefined ? of : `${of} with the key ${key}`;
}

/** What a rule does: `Respond with 503, headers and a body, after 300 ms`. */
export function describeEffect({ status, headers, body, fault, delay }: FaultView): string {
  const given = [status, headers && 'headers', body !== undefined && 'a body'];
  const parts = new Intl.ListFormat('en-GB').format(given.filter(Boolean).map(String));
  const response = status === undefined ? '' : `Respond with ${parts}`;
  const answer = fault !== undefined ? faultTexts[fault] : response;
  if (!delay) return answer;
  return answer === ''
    ? `The usual response, after ${describeDelay(delay)}`
    : `${answer}, after ${describeDelay(delay)}`;
}

/** On which of its calls a rule fires: `every 3rd call`. */
export function describeTurns({ every, probability, seed }: FaultView): string {
  if (probability !== undefined)
    return `with probability ${probability}${seed === undefined ? '' : `, seed ${seed}`}`;
  return every === undefined || every === 1 ? 'every call' : `every ${toOrdinal(every)} call`;
}

/** How often a rule fired, and how often it still can. */
export function describeHits({ calls, hits, times }: FaultView): string {
  const number = (value: number) => value.toLocaleString('en');
  const left = times === undefined ? '' : `, ${number(times - hits)} of ${number(times)} left`;
  return `fired on ${number(hits)} of ${number(calls)} calls${left}`;
}

function toOrdinal(value: number): string {
  const category = new Intl.PluralRules('en', { type: 'ordinal' }).select(value);
  const ending = { one: 'st', two: 'nd', few: 'rd' }[category as string] ?? 'th';
  return `${value.toLocaleString('en')}${ending}`;
}

/** A delay in words. */
export function describeDelay(delay: Delay): string {
  const ms = (value: number) => `${value.toLocaleString('en')} ms`;
  switch (delay.type) {
    case 'fixed':
      return ms(delay.milliseconds);
    case 'uniform':
      return `${ms(delay.lower)} to ${ms(delay.upper)}`;
    case 'lognormal':
      return `log-normal, median ${ms(delay.median)}, sigma ${delay.sigma}`;
  }
}
