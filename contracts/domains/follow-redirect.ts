import type { Resolver } from '../dns/resolver.ts';
import type { ReportedExchange } from '../report/events.ts';
import { type DomainName, httpPort, httpsPort, toNameText } from './domain-name.ts';
import { get, headerOf, maxAddresses } from './get.ts';
import { findAddresses } from './observe.ts';

/** A redirect as it is entered: from one domain to another, with a status. */
export type Redirect = { from: DomainName; to: DomainName; status: number };

/** What a redirect answers. */
export type RedirectFacts = Redirect & {
  /** Why the addresses of its domain are not known. */
  failure?: string;
  /** Whether its domain has no address. */
  isNowhere: boolean;
  /** The first response, or why there is none. */
  first: ReportedExchange;
  /** The addresses that lead back to where they began. */
  circle?: string[];
  /** Whether it was followed until there was no time left. */
  isCutOff: boolean;
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
 * GETs a redirect, and follows it as long as it stays on its two domains, at the ports of the web or
 * those that were given: no server decides which other port of a host gets a request.
 */
export async function followRedirect(
  redirect: Redirect,
  options: WebOptions,
): Promise<RedirectFacts> {
  const { from, to } = redirect;
  const purpose = `redirect ${toNameText(from)}`;
  const isOwn = ({ hostname, protocol, port }: URL) =>
    [from.name, to.name].includes(hostname) &&
    [httpPort, httpsPort, from.port, to.port].includes(Number(port || defaultPorts[protocol]));
  const { exchange: first, failure, isNowhere } = await getFirst(from, purpose, options);
  const visited = [first.request.url];
  for (let next = first; visited.length <= maxHops; ) {
    const url = locationOf(next);
    if (url === undefined) break;
    const isRepeated = visited.includes(url.href);
    visited.push(url.href);
    if (isRepeated) return { ...redirect, isNowhere, first, circle: visited, isCutOff: false };
    if (!isOwn(url)) break;
    const { addresses } = await findAddresses(url.hostname, options.resolver);
    options.count();
    next = await get(url, { ...options, addresses, purpose });
  }
  const isEndless = visited.length > maxHops;
  return {
    ...redirect,
    isNowhere,
    ...(failure !== undefined && { failure }),
    first,
    ...(isEndless && { circle: visited }),
    isCutOff: options.signal.aborted,
  };
}

/** GETs the start page of a domain: over HTTPS, and over HTTP where that answers nothing. */
async function getFirst(
  domain: DomainName,
  purpose: string,
  { resolver, timeout, count, signal }: WebOptions,
): Promise<{ exchange: ReportedExchange; failure?: string; isNowhere: boolean }> {
  const { addresses, failure } = await findAddresses(domain.name, resolver);
  const ask = (scheme: string) => {
    if (addresses.length > 0) count();
    const url = new URL(`${scheme}://${toNameText(domain)}/`);
    return get(url, { addresses, timeout, purpose, signal });
  };
  const secure = await ask('https');
  const plain = secure.response === undefined ? await ask('http') : undefined;
  return {
    exchange: plain?.response === undefined ? secure : plain,
    ...(failure !== undefined && { failure }),
    isNowhere: addresses.length === 0 && failure === undefined,
  };
}

/** GETs the start page of a domain from each of its addresses, over HTTPS and over HTTP. */
export async function getEach(
  domain: DomainName,
  purpose: string,
  { resolver, timeout, count, signal }: WebOptions,
): Promise<{ exchanges: ReportedExchange[]; failure?: string }> {
  const { addresses, failure } = await findAddresses(domain.name, resolver);
  const exchanges: ReportedExchange[] = [];
  for (const address of addresses.slice(0, maxAddresses))
    for (const scheme of ['https', 'http']) {
      count();
      const url = new URL(`${scheme}://${toNameText(domain)}/`);
      exchanges.push(await get(url, { addresses: [address], timeout, purpose, signal }));
    }
  return { exchanges, ...(failure !== undefined && { failure }) };
}

/** Where a redirection leads; undefined for any other response. */
export function locationOf(exchange: ReportedExchange): URL | undefined {
  const { status = 0 } = exchange.response ?? {};
  const location = headerOf(exchange, 'location');
  if (status < 300 || status > 399 || location === undefined) return undefined;
  const url = URL.parse(location, exchange.request.url);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}
