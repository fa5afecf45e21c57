import { permittedAuthorities, unknownCritical } from '../../dns/caa.ts';
import { isPublicSuffix, toCaaText } from '../caa.ts';
import { type DomainFacts, issuerOf, isWildcard } from '../observe.ts';
import { broken, inconclusive, kept, type Ruling, toDig, unanswered } from './ruling.ts';

/** Whether the CAA records let the authority that issued the certificate issue the next one. */
export function judgeCaa(facts: DomainFacts): Ruling {
  const { name, caa, aliases } = facts;
  if (caa.outcome === 'none') return kept;
  const repeat = toDig(caa.domain, 'CAA');
  // That they lead in a circle is a breach of its own.
  if (caa.outcome === 'failed' && aliases.isCircle) return inconclusive(caa.reason);
  if (caa.outcome === 'failed' && isPublicSuffix(caa.domain))
    return inconclusive(
      `no name below ${caa.domain} has CAA records, and those of ${caa.domain} could not be looked up (${caa.reason})`,
    );
  // Without DNSSEC, authorities may go on, but need not (CA/B Baseline Requirements §3.2.2.8).
  if (caa.outcome === 'failed')
    return unanswered({
      message: `The CAA records for ${name} could not be looked up, without which an authority may issue nothing`,
      expected: 'an answer of a name server, if only that there are none',
      actual: `${caa.domain}: ${caa.reason}`,
      repeat,
    });
  const { domain, properties } = caa;
  const issuer = issuerOf(facts);
  const found = { actual: `${domain}: ${toCaaText(properties)}`, repeat };
  const expected = issuer
    ? `records that allow ${issuer.title}`
    : 'records that allow the authority of the platform';
  const [unknown] = unknownCritical(properties);
  if (unknown !== undefined)
    return broken({
      message: `A critical CAA record of ${domain} that authorities do not know (${unknown}) forbids any certificate for ${name}`,
      expected,
      ...found,
    });
  const permitted = permittedAuthorities(properties, { isWildcard: isWildcard(facts) });
  if (permitted === undefined) return kept;
  if (permitted.length === 0)
    return broken({
      message: `The CAA records of ${domain} let no authority issue a certificate for ${name}`,
      expected,
      ...found,
    });
  if (issuer === undefined)
    return inconclusive(
      `${domain} allows ${permitted.join(', ')}, and no certificate shows which authority issues`,
    );
  if (issuer.caaNames.some((one) => permitted.includes(one))) return kept;
  if (!issuer.isKnown)
    return inconclusive(
      `${domain} allows ${permitted.join(', ')}, and which of them ${issuer.title} is, is not known; name it with --authority`,
    );
  return broken({
    message: `The CAA records of ${domain} do not let ${issuer.title} issue a certificate for ${name}`,
    expected: `${expected} (${issuer.caaNames.join(', ')})`,
    ...found,
  });
}
