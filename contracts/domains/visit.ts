import type { Resolver } from '../dns/resolver.ts';
import { toCurl } from '../judging/reported-exchange.ts';
import type { ReportedExchange } from '../report/events.ts';
import { get, toHost, type Visit } from './connect.ts';
import { type DomainName, toNameText } from './domain-name.ts';
import { findAddresses, maxAddresses } from './observe.ts';
import { broken, inconclusive, judgeSilence, kept, type Ruling, unanswered } from './ruling.ts';

/** A redirect as it is entered: from one domain to another, with a status. */
export type Redirect = { from: DomainName; to: DomainName; status: number };

export type VisitOptions = {
  resolver: Resolver;
  /** The wait for an answer, in milliseconds. */
  timeout: number;
  /** Called for each request. */
  count: () => void;
};

/** Whether a redirect answers its status and leads to its domain, at each address of its name. */
export async function judgeRedirect(redirect: Redirect, options: VisitOptions): Promise<Ruling> {
  const { from, to, status } = redirect;
  const name = toNameText(from);
  const expected = `${status} with a Location on ${toNameText(to)}`;
  const { addresses, failure } = await findAddresses(from.name, options.resolver);
  if (failure !== undefined)
    return unanswered({ message: `${name} did not answer`, expected, actual: failure });
  const purpose = `redirect ${name}`;
  const visits = await Promise.all(
    addresses.slice(0, maxAddresses).map(async (address) => {
      const secure = await getStart(from, { ...options, scheme: 'https', address, purpose });
      if (secure.silence === undefined) return secure;
      const plain = await getStart(from, { ...options, scheme: 'http', address, purpose });
      return plain.silence === undefined ? plain : secure;
    }),
  );
  const wrong = visits.filter((visit) => problemsOf(visit, redirect).length > 0);
  const problems = [...new Set(wrong.flatMap((visit) => problemsOf(visit, redirect)))];
  const [first] = wrong;
  if (addresses.length === 0 || first)
    return broken({
      message: `The redirect of ${name} does not lead to ${toNameText(to)} with ${status}`,
      ...(problems.length > 1 && { problems }),
      expected,
      actual: problems.join('; ') || 'it has no address, so it redirects nobody',
      ...(first && { again: toAgain(first), exchange: first.exchange }),
    });
  const silent = visits.flatMap(({ silence }) => silence ?? []);
  const again = (address: string) =>
    toAgain(visits.find((visit) => visit.address === address) as Visit);
  return judgeSilence(silent, { name, asked: visits.length, expected, toAgain: again }) ?? kept;
}

/** What is wrong with the answer of an address; nothing where there is none. */
function problemsOf({ exchange }: Visit, { to, status }: Redirect): string[] {
  const { response } = exchange;
  if (response === undefined) return [];
  const leadsTo = locationOf(exchange);
  const wanted = leadsTo && new URL(`${leadsTo.protocol}//${toNameText(to)}`).host;
  const isThere = leadsTo !== undefined && leadsTo.host === wanted;
  const location = headerOf(exchange, 'location');
  return [
    ...(response.status === status ? [] : [`it answers ${response.status}`]),
    ...(isThere ? [] : [`its Location ${location ? `is ${location}` : 'is missing'}`]),
  ];
}

/** Answers of a server that does not know a host, or no more. */
const gone = [400, 404, 410, 421];

/** Whether a domain that was removed serves nothing, at any address, over HTTPS or HTTP. */
export async function judgeRemoved(domain: DomainName, options: VisitOptions): Promise<Ruling> {
  const name = toNameText(domain);
  const { addresses, failure } = await findAddresses(domain.name, options.resolver);
  if (failure !== undefined)
    return inconclusive(`its addresses could not be looked up: ${failure}`);
  const purpose = `removed ${name}`;
  const visits = await Promise.all(
    addresses
      .slice(0, maxAddresses)
      .flatMap((address) =>
        (['https', 'http'] as const).map((scheme) =>
          getStart(domain, { ...options, scheme, address, purpose }),
        ),
      ),
  );
  const found = visits.find(({ exchange }) => isServed(domain, exchange));
  if (found) {
    const { exchange } = found;
    const to = locationOf(exchange);
    const { status = 0 } = exchange.response ?? {};
    return broken({
      message: `${name} was removed, but still ${to ? 'redirects' : 'serves a page'}`,
      expected: 'nothing, such as no address, no connection or 404',
      actual: to ? `${status} to ${to.href}` : String(status),
      again: toAgain(found),
      exchange,
    });
  }
  const statuses = visits.flatMap(({ exchange: { response } }) => response?.status ?? []);
  const other = statuses.find((status) => status >= 400 && !gone.includes(status));
  if (other !== undefined)
    return inconclusive(`it answers ${other}, which says nothing of a removal`);
  const open = visits.find(({ silence }) => silence?.isSlow || silence?.isLocal)?.silence;
  return open && statuses.length === 0
    ? inconclusive(`an address may only be out of reach: ${open.address}: ${open.reason}`)
    : kept;
}

function isServed(domain: DomainName, exchange: ReportedExchange): boolean {
  const { response, request } = exchange;
  if (response === undefined || response.status >= 400) return false;
  const to = locationOf(exchange);
  // HTTPS, to which the server sends whoever asks over HTTP, is asked besides.
  const isUpgrade = to?.protocol === 'https:' && to.hostname === domain.name;
  return !(isUpgrade && request.url.startsWith('http:'));
}

type StartOptions = VisitOptions & { scheme: 'http' | 'https'; address: string; purpose: string };

/** GETs the start page of a domain. */
function getStart(domain: DomainName, { scheme, count, ...options }: StartOptions): Promise<Visit> {
  count();
  return get(new URL(`${scheme}://${toNameText(domain)}/`), options);
}

/** Sends a request to the same address again; what is wrong with its certificate hides nothing. */
function toAgain({ exchange, address }: Visit): string {
  const insecure = exchange.request.url.startsWith('https:') ? ' --insecure' : '';
  return `${toCurl(exchange)}${insecure} --connect-to '::${toHost(address)}:'`;
}

function headerOf({ response }: ReportedExchange, name: string): string | undefined {
  return response?.headers.find(([one]) => one.toLowerCase() === name)?.[1];
}

/** Where a redirection leads; undefined for any other response. */
function locationOf(exchange: ReportedExchange): URL | undefined {
  const { status = 0 } = exchange.response ?? {};
  const location = headerOf(exchange, 'location');
  if (status < 300 || status > 399 || location === undefined) return undefined;
  const url = URL.parse(location, exchange.request.url);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}
