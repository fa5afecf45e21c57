import type { DomainFacts } from '../observe.ts';
import { broken, inconclusive, kept, type Ruling, toDig, unanswered, vacuous } from './ruling.ts';

/** Whether the CNAME record of a subdomain points at the platform. */
export function judgeCname({ name, isApex, aliases, own, platform }: DomainFacts): Ruling {
  if (isApex) return vacuous('it is an apex domain, which can have no CNAME record');
  const { links, isCircle, failure, exists } = aliases;
  const repeat = toDig(name, 'CNAME');
  const expected = `a CNAME record that points at ${platform?.host ?? 'the platform'}`;
  if (links.length === 0) {
    if (failure !== undefined)
      return unanswered({
        message: `The CNAME record of ${name} could not be looked up`,
        expected: 'an answer of a name server',
        actual: failure,
        repeat,
      });
    const addresses = [...own.a.addresses, ...own.aaaa.addresses];
    return broken({
      message: exists ? `${name} has no CNAME record` : `${name} does not exist`,
      expected,
      actual: !exists
        ? 'no records at all (NXDOMAIN)'
        : addresses.length === 0
          ? 'no CNAME record'
          : `addresses of its own instead (${addresses.join(', ')}), as a proxy shows them too`,
      repeat,
    });
  }
  const way = [name, ...links.map(({ target }) => target)].join(' -> ');
  if (isCircle)
    return broken({
      message: `The CNAME records of ${name} lead in a circle`,
      expected,
      actual: way,
      repeat,
    });
  if (platform === undefined)
    return inconclusive(`no --target says which host is the platform's; the name leads ${way}`);
  if (links.some(({ target }) => target === platform.host)) return kept;
  if (failure !== undefined)
    return unanswered({
      message: `The way of ${name} to the platform could not be looked up`,
      expected,
      actual: `${way}, and then ${failure}`,
      repeat,
    });
  return broken({
    message: `The CNAME record of ${name} does not point at the platform`,
    expected,
    actual: way,
    repeat,
  });
}
