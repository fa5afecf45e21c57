import type { DomainFacts } from '../observe.ts';
import { broken, inconclusive, kept, type Ruling, toDig, vacuous } from './ruling.ts';

/** Whether the TTL of a CNAME record is the stated one; a resolver counts down what it gives. */
export function judgeTtl({ name, isApex, ttl }: DomainFacts, stated: number): Ruling {
  if (isApex) return vacuous('it is an apex domain, which can have no CNAME record');
  if (ttl === undefined) return vacuous('there is no CNAME record');
  const { seconds, isExact } = ttl;
  if (seconds === stated) return kept;
  if (!isExact && seconds < stated)
    return inconclusive(
      `a resolver gave the TTL as ${seconds} s, which it counts down, and no server of the zone answered`,
    );
  return broken({
    message: `The TTL of the CNAME record of ${name} is not ${stated} s`,
    expected: `${stated} s`,
    actual: `${seconds} s${isExact ? '' : ' left, of a resolver that counts it down'}`,
    repeat: toDig(name, 'CNAME'),
  });
}
