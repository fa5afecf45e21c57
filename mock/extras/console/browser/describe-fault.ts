import type { Delay } from '../../../faults/delay.ts';
import type { FaultView } from '../../forced/fault-handlers.ts';
import { number } from '../../pages/browser/words.ts';
import { faultTexts } from './fault-draft.ts';

/** Which calls a rule matches: `calls of listPets with demo-free`. */
export function describeMatch({ operation, key }: Pick<FaultView, 'operation' | 'key'>): string {
  const of = operation === undefined ? 'all operations' : operation;
  return key === undefined ? of : `${of} with the key ${key}`;
}

/** Describes the effect of a rule: `Respond with 503, headers and a body, after 300 ms`. */
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

/** On which of its calls a rule fires: `one in 3 calls`. */
export function describeTurns({ every, probability, seed }: FaultView): string {
  if (probability !== undefined)
    return `with probability ${probability}${seed === undefined ? '' : `, seed ${seed}`}`;
  return every === undefined || every === 1 ? 'every call' : `one in ${number(every)} calls`;
}

/** How often a rule fired, and how often it still can. */
export function describeHits({ calls, hits, times }: FaultView): string {
  const left = times === undefined ? '' : `, ${number(times - hits)} of ${number(times)} left`;
  return `fired on ${number(hits)} of ${number(calls)} calls${left}`;
}

/** A delay in words. */
function describeDelay(delay: Delay): string {
  const ms = (value: number) => `${number(value)} ms`;
  switch (delay.type) {
    case 'fixed':
      return ms(delay.milliseconds);
    case 'uniform':
      return `${ms(delay.lower)} to ${ms(delay.upper)}`;
    case 'lognormal':
      return `log-normal, median ${ms(delay.median)}, sigma ${delay.sigma}`;
  }
}
