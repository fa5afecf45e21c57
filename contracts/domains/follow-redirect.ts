import type { Resolver } from '../dns/resolver.ts';
import type { ReportedExchange } from '../report/events.ts';
import { type DomainName, httpPort, httpsPort, toNameText } from './domain-name.ts';
import { get, headerOf, maxAddresses, type Visit } from './get.ts';
import { findAddresses } from './observe.ts';

/** A redirect as it is entered: from one domain to another, with a status. */
export type Redirect = { from: DomainName; to: DomainName; status: number };

/** What a redirect answers. */
export type RedirectFacts = Redirect & {
  /** Why the addresses of its domain are not known. */
  failure?: string;
  /** What each of its addresses answers; empty where it has none. */
  visits: RedirectVisit[];
  /** Whether it was followed until there was no time left. */
  isCutOff: boolean;
};

/** What an address of a redirect answers first. */
export type RedirectVisit = Visit & {
  /** The URLs that lead back to where they began. */
  circle?: string[];
};

export type WebOptions = {
  resolver: Resolver;
  /** The wait for an answer, in milliseconds. */
  timeout: number;
  /** Called for each request. */
  count: () => void;
  /** Aborted when there is no time left for the domain. */
  signal: AbortSignal;
};

const defaultPorts: Readonly<Record<string, number>> = { 'http:': httpPort, 'https:': httpsPort };

/** How many responses of a redirect are followed; browsers give up after 20. */
const maxHops = 20;

/**
 * GETs a redirect from each of its addresses, and follows it as long as it stays on its two domains,
 * at the ports of the web or those that were given: no server decides which other port of a host gets
 * a request.
 */
export async function followRedirect(
  redirect: Redirect,
  options: WebOptions,
): Promise<RedirectFacts> {
  const { from } = redirect;
  const { addresses, failure } = await findAddresses(from.name, options.resolver);
  const ways = new Map<string, Promise<string[] | undefined>>();
  const visit = async (address: string): Promise<RedirectVisit> => {
    const first = await getFirst(from, address, options);
    const { exchange } = first;
    // Addresses that lead to the same place lead on from there alike.
    const place = `${exchange.request.url} ${locationOf(exchange)?.href}`;
    const way = ways.get(place) ?? findCircle(exchange, redirect, options);
    ways.set(place, way);
    const circle = await way;
    return { ...first, ...(circle && { circle }) };
  };
  const visits = await Promise.all(addresses.slice(0, maxAddresses).map(visit));
  return {
    ...redirect,
    ...(failure !== undefined && { failure }),
    visits,
    isCutOff: options.signal.aborted,
  };
}

/** Follows a response; gives the URLs on the way where they lead back to where they began. */
async function findCircle(
  first: ReportedExchange,
  { from, to }: Redirect,
  options: WebOptions,
): Promise<string[] | undefined> {
  const isOwn = ({ hostname, protocol, port }: URL) =>
    [from.name, to.name].includes(hostname) &&
    [httpPort, httpsPort, from.port, to.port].includes(Number(port || defaultPorts[protocol]));
  const visited = [first.request.url];
  for (let next = first; visited.length <= maxHops; ) {
    const url = locationOf(next);
    if (url === undefined) return undefined;
    const isRepeated = visited.includes(url.href);
    visited.push(url.href);
    if (isRepeated) return visited;
    if (!isOwn(url)) return undefined;
    const answered = await getAny(url, { ...options, purpose: purposeOf(from) });
    if (answered === undefined) return undefined;
    next = answered;
  }
  return visited;
}

/** GETs a URL from the first of its addresses that answers. */
async function getAny(
  url: URL,
  options: WebOptions & { purpose: string },
): Promise<ReportedExchange | undefined> {
  const { addresses } = await findAddresses(url.hostname, options.resolver);
  for (const address of addresses.slice(0, maxAddresses)) {
    options.count();
    const { exchange } = await get(url, { ...options, address });
    if (exchange.response !== undefined) return exchange;
  }
  return undefined;
}

/** GETs the start page of a domain: over HTTPS, and over HTTP where that answers nothing. */
async function getFirst(domain: DomainName, address: string, options: WebOptions): Promise<Visit> {
  const ask = (scheme: string) => {
    options.count();
    const url = new URL(`${scheme}://${toNameText(domain)}/`);
    return get(url, { ...options, address, purpose: purposeOf(domain) });
  };
  const secure = await ask('https');
  if (secure.silence === undefined) return secure;
  const plain = await ask('http');
  return plain.silence === undefined ? plain : secure;
}

function purposeOf(from: DomainName): string {
  return `redirect ${toNameText(from)}`;
}

/** GETs the start page of a domain from each of its addresses, over HTTPS and over HTTP. */
export async function getEach(
  domain: DomainName,
  purpose: string,
  options: WebOptions,
): Promise<{ visits: Visit[]; failure?: string }> {
  const { addresses, failure } = await findAddresses(domain.name, options.resolver);
  const visits: Visit[] = [];
  for (const address of addresses.slice(0, maxAddresses))
    for (const scheme of ['https', 'http']) {
      options.count();
      const url = new URL(`${scheme}://${toNameText(domain)}/`);
      visits.push(await get(url, { ...options, address, purpose }));
    }
  return { visits, ...(failure !== undefined && { failure }) };
}

/** Where a redirection leads; undefined for any other response. */
export function locationOf(exchange: ReportedExchange): URL | undefined {
  const { status = 0 } = exchange.response ?? {};
  const location = headerOf(exchange, 'location');
  if (status < 300 || status > 399 || location === undefined) return undefined;
  const url = URL.parse(location, exchange.request.url);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}
