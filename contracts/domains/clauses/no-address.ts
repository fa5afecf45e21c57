import type { DomainFacts } from '../observe.ts';
import { broken, inconclusive, kept, type Ruling, toDig, vacuous } from './ruling.ts';

/** Whether a subdomain is free of A records, which block its CNAME record. */
export function judgeNoAddress({ name, isApex, aliases, own: { a } }: DomainFacts): Ruling {
  if (isApex) return vacuous('it is an apex domain, which is to have addresses');
  const hasAlias = aliases.links.length > 0;
  if (a.addresses.length > 0)
    return broken({
      message: hasAlias
        ? `${name} has an A record beside its CNAME record`
        : `${name} has an A record, which blocks a CNAME record`,
      expected: 'no A record on the name',
      actual: a.addresses.map((address) => `A ${address}`).join(', '),
      repeat: toDig(name, 'A'),
    });
  if (a.failure !== undefined)
    return inconclusive(`A records could not be looked up: ${a.failure}`);
  return kept;
}

/** Whether a CNAME record has no AAAA record beside it. */
export function judgeCnameAlone({ name, isApex, aliases, own: { aaaa } }: DomainFacts): Ruling {
  if (isApex || aliases.links.length === 0) return vacuous('there is no CNAME record');
  if (aaaa.addresses.length > 0)
    return broken({
      message: `${name} has an AAAA record beside its CNAME record`,
      expected: 'no other record on the name',
      actual: aaaa.addresses.map((address) => `AAAA ${address}`).join(', '),
      repeat: toDig(name, 'AAAA'),
    });
  if (aaaa.failure !== undefined)
    return inconclusive(`AAAA records could not be looked up: ${aaaa.failure}`);
  return kept;
}
