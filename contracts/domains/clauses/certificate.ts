import { httpsPort } from '../domain-name.ts';
import type { Connection } from '../get.ts';
import type { DomainFacts } from '../observe.ts';
import type { Repeat } from '../to-shell-line.ts';
import { broken, inconclusive, judgeSilence, kept, type Ruling } from './ruling.ts';

/** Whether each server of a domain shows a certificate that browsers accept. */
export function judgeCertificate(facts: DomainFacts, now: number): Ruling {
  const { name, port = httpsPort, leadsTo, connections } = facts;
  if (leadsTo.addresses.length === 0)
    return inconclusive(
      `the name leads to no address${leadsTo.failure ? `: ${leadsTo.failure}` : ''}`,
    );
  const toRepeat = (address: string): Repeat => {
    const place = { address, isOnly: connections.length === 1 };
    return { tool: 'openssl', name, port, place };
  };
  const wrong = connections.filter((connection) => problemsOf(connection, name, now).length > 0);
  const problems = [...new Set(wrong.flatMap((connection) => problemsOf(connection, name, now)))];
  const [one] = wrong;
  if (one)
    return broken({
      message: `${name} has no certificate that is good for it`,
      ...(problems.length > 1 && { problems }),
      expected: `a certificate for ${name}, within its dates, of an authority that is trusted`,
      actual: problems.join('; '),
      repeat: toRepeat(one.address),
    });
  const silent = connections.flatMap((each) => (each.outcome === 'unreachable' ? [each] : []));
  const expected = `a TLS handshake on port ${port}`;
  return judgeSilence(silent, { name, asked: connections.length, expected, toRepeat }) ?? kept;
}

/** What is wrong with what a server shows, in words that repeat on servers that show the same. */
function problemsOf(connection: Connection, name: string, now: number): string[] {
  if (connection.outcome === 'unreachable') return [];
  if (connection.outcome === 'refused')
    return [`${connection.address} completes no TLS handshake for it (${connection.reason})`];
  const { certificate, chainFault } = connection;
  const { validFromDate, validToDate } = certificate;
  const isExpired = validToDate.getTime() < now;
  const isEarly = validFromDate.getTime() > now;
  const isDated = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'].includes(chainFault ?? '');
  const names = certificate.subjectAltName ?? 'no name';
  return [
    ...(isExpired ? [`it expired on ${toDay(validToDate)}`] : []),
    ...(isEarly ? [`it is not valid before ${toDay(validFromDate)}`] : []),
    ...(certificate.checkHost(name, { subject: 'never' }) === undefined
      ? [`it is not for this name, but for ${names}`]
      : []),
    ...(chainFault !== undefined && !(isDated && (isExpired || isEarly))
      ? [describeChain(chainFault)]
      : []),
  ];
}

const chainFaults: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it signed itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain ends in an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT: 'its chain is not complete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its chain is not complete, or ends in an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the server does not send the certificate of its issuer, which is not trusted by itself',
  CERT_HAS_EXPIRED: 'a certificate of its chain has expired',
  CERT_NOT_YET_VALID: 'a certificate of its chain is not valid yet',
  CERT_REVOKED: 'it was revoked',
};

function describeChain(code: string): string {
  return chainFaults[code] ?? `its chain is not accepted (${code})`;
}

export function toDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
