import type { X509Certificate } from 'node:crypto';
import { type Connection, toHost } from './connect.ts';
import { httpsPort } from './domain-name.ts';
import type { DomainFacts } from './observe.ts';
import { broken, inconclusive, judgeSilence, kept, type Ruling } from './ruling.ts';

/** Whether each server of a domain shows a certificate that browsers accept. */
export function judgeCertificate(facts: DomainFacts, now: number): Ruling {
  const { name, port = httpsPort, leadsTo, connections } = facts;
  if (leadsTo.addresses.length === 0)
    return inconclusive(
      `the name leads to no address${leadsTo.failure ? `: ${leadsTo.failure}` : ''}`,
    );
  const toAgain = (address: string) =>
    `openssl s_client -connect '${toHost(address)}:${port}' -servername ${name} </dev/null`;
  const wrong = connections.filter((connection) => problemsOf(connection, name, now).length > 0);
  const problems = [...new Set(wrong.flatMap((connection) => problemsOf(connection, name, now)))];
  const [first] = wrong;
  if (first)
    return broken({
      message: `${name} has no certificate that is good for it`,
      ...(problems.length > 1 && { problems }),
      expected: `a certificate for ${name}, within its dates, of an authority that is trusted`,
      actual: problems.join('; '),
      again: toAgain(first.address),
    });
  const silent = connections.flatMap((each) => (each.outcome === 'unreachable' ? [each] : []));
  const expected = `a TLS handshake on port ${port}`;
  return judgeSilence(silent, { name, asked: connections.length, expected, toAgain }) ?? kept;
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
  const names = certificate.subjectAltName ?? 'no name';
  return [
    ...(isExpired ? [`it expired on ${toDay(validToDate)}`] : []),
    ...(isEarly ? [`it is not valid before ${toDay(validFromDate)}`] : []),
    ...(certificate.checkHost(name, { subject: 'never' }) === undefined
      ? [`it is not for this name, but for ${names}`]
      : []),
    ...(chainFault !== undefined && !isExpired && !isEarly ? [describeChain(chainFault)] : []),
  ];
}

const chainFaults: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it signed itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain ends in an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its chain is not complete, or ends in an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the server does not send the certificate of its issuer, which is not trusted by itself',
};

function describeChain(code: string): string {
  return chainFaults[code] ?? `its chain is not accepted (${code})`;
}

export function toDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The authority of a certificate: what people call it, and its names in CAA records if known. */
export type Issuer = { title: string; caaNames?: readonly string[] };

/** Names that well-known authorities document, by the organization in their certificates. */
const knownIssuers: readonly [organization: RegExp, caaNames: readonly string[]][] = [
  [/^(let's encrypt|isrg|internet security research group)$/i, ['letsencrypt.org']],
  [/^google trust services/i, ['pki.goog', 'google.com']],
  [/^amazon$/i, ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com']],
  [
    /^(digicert|thawte|geotrust|rapidssl)/i,
    ['digicert.com', 'symantec.com', 'thawte.com', 'geotrust.com', 'rapidssl.com'],
  ],
  [
    /^(sectigo|comodo|zerossl|the usertrust)/i,
    ['sectigo.com', 'comodo.com', 'comodoca.com', 'usertrust.com', 'trust-provider.com'],
  ],
  [/^globalsign/i, ['globalsign.com']],
];

/** The certificate that a server shows for a domain, if any does. */
export function shownCertificate({
  connections,
}: Pick<DomainFacts, 'connections'>): X509Certificate | undefined {
  const connection = connections.find(({ outcome }) => outcome === 'connected');
  return connection?.outcome === 'connected' ? connection.certificate : undefined;
}

/** The authority that issued the certificate of a domain, if a server shows one. */
export function issuerOf(facts: DomainFacts): Issuer | undefined {
  const { issuer } = shownCertificate(facts) ?? {};
  if (issuer === undefined) return undefined;
  const organization = /^O=(.+)$/m.exec(issuer)?.[1];
  const title = organization ?? /^CN=(.+)$/m.exec(issuer)?.[1] ?? 'an authority without a name';
  if (facts.authority !== undefined) return { title, caaNames: [facts.authority] };
  const [, caaNames] = knownIssuers.find(([pattern]) => pattern.test(organization ?? '')) ?? [];
  return { title, ...(caaNames && { caaNames }) };
}
