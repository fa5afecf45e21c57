import type { DomainFacts, Observer } from './observe.ts';
import {
  drift,
  inconclusive,
  judgeSilence,
  kept,
  type Ruling,
  unanswered,
  vacuous,
} from './ruling.ts';
import { toHost, toVisitAgain, type Visit } from './visit.ts';

/** A redirect as it is entered: from one domain to another, with a status. */
export type Redirect = { from: URL; to: URL; status: number };

/** Whether each server of a domain shows a certificate that browsers accept. */
export function judgeCertificate(
  site: URL,
  { leadsTo, visits }: DomainFacts,
  way: readonly Ruling[],
): Ruling {
  const { hostname: name, port } = site;
  if (leadsTo.addresses.length === 0)
    return inconclusive(
      `the name leads to no address${leadsTo.failure ? `: ${leadsTo.failure}` : ''}`,
    );
  if (way.some(({ verdict }) => verdict === 'drift'))
    return vacuous('the name does not lead to the platform alone');
  const expected = `a certificate for ${name}, within its dates, of an authority that is trusted`;
  const wrong = visits.filter(({ fault }) => fault !== undefined);
  const [first] = wrong;
  if (first)
    return drift({
      message: `${name} has no certificate that is good for it`,
      expected,
      actual: [...new Set(wrong.map(({ fault }) => fault))].join('; '),
      again: `openssl s_client -connect '${toHost(first.address)}:${port || 443}' -servername ${name} </dev/null`,
    });
  const silent = visits.filter(({ certificate }) => certificate === undefined);
  return judgeSilence(silent, { name, asked: visits.length, expected });
}

/** Whether a redirect answers its status and leads to its domain, at each address of its name. */
export async function judgeRedirect(
  { from, to, status }: Redirect,
  observer: Observer,
): Promise<Ruling> {
  const name = from.host;
  const expected = `${status} with a Location on ${to.host}`;
  const { addresses, failure, visits } = await visitSite(from, observer);
  if (failure !== undefined)
    return unanswered({ message: `${name} did not answer`, expected, actual: failure });
  const isWrong = ({ exchange: { response } }: Visit, leadsTo: URL | undefined) =>
    response !== undefined && (response.status !== status || leadsTo?.hostname !== to.hostname);
  const wrong = visits.find((one) => isWrong(one, locationOf(one)));
  if (addresses.length === 0 || wrong)
    return drift({
      message: `The redirect of ${name} does not lead to ${to.host} with ${status}`,
      expected,
      actual: wrong ? describe(wrong) : 'it has no address, so it redirects nobody',
      ...(wrong && { again: toVisitAgain(wrong), exchange: wrong.exchange }),
    });
  const silent = visits.filter(({ exchange: { response } }) => response === undefined);
  return judgeSilence(silent, { name, asked: visits.length, expected });
}

/** Answers of a server that does not know a host, or no more. */
const gone = [400, 404, 410, 421];

/** Whether a domain that was removed serves nothing, at any address. */
export async function judgeRemoved(site: URL, observer: Observer): Promise<Ruling> {
  const { failure, visits } = await visitSite(site, observer);
  if (failure !== undefined)
    return inconclusive(`its addresses could not be looked up: ${failure}`);
  const served = visits.find((one) => isServed(site, one));
  if (served)
    return drift({
      message: `${site.host} was removed, but still ${locationOf(served) ? 'redirects' : 'serves a page'}`,
      expected: 'nothing, such as no address, no connection or 404',
      actual: describe(served),
      again: toVisitAgain(served),
      exchange: served.exchange,
    });
  const statuses = visits.flatMap(({ exchange: { response } }) => response?.status ?? []);
  const other = statuses.find((status) => status >= 400 && !gone.includes(status));
  if (other !== undefined)
    return inconclusive(`it answers ${other}, which says nothing of a removal`);
  const isUnseen = visits.length > 0 && visits.every(({ isOutOfReach }) => isOutOfReach);
  return isUnseen ? inconclusive('no address can be reached from this machine') : kept;
}

/** GETs the start page at each address: over HTTPS, and over HTTP where that gets no response. */
async function visitSite(site: URL, observer: Observer) {
  const found = await observer.findAddresses(site.hostname);
  const secure = await observer.visitAll(site, found.addresses);
  const [open, silent] = [true, false].map((isOpen) =>
    secure.filter(({ exchange: { response } }) => (response !== undefined) === isOpen),
  ) as [Visit[], Visit[]];
  const plain = await observer.visitAll(
    new URL(`http://${site.host}`),
    silent.map(({ address }) => address),
  );
  return { ...found, visits: [...open, ...plain] };
}

function isServed({ hostname }: URL, visit: Visit): boolean {
  const { request, response } = visit.exchange;
  if (response === undefined || response.status >= 400) return false;
  const to = locationOf(visit);
  // A server may send whoever asks over HTTP to HTTPS, where it knows no such name.
  const isUpgrade = to?.protocol === 'https:' && to.hostname === hostname;
  return !(isUpgrade && request.url.startsWith('http:'));
}

/** What a server answered, in a few words. */
function describe(visit: Visit): string {
  const to = locationOf(visit);
  return `${visit.exchange.response?.status}${to ? ` to ${to.href}` : ''}`;
}

/** Where a redirection leads; undefined for any other response. */
function locationOf({ exchange: { request, response } }: Visit): URL | undefined {
  const { status = 0, headers = [] } = response ?? {};
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  if (status < 300 || status > 399 || location === undefined) return undefined;
  return URL.parse(location, request.url) ?? undefined;
}
