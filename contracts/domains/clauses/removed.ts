import type { ReportedExchange } from '../../report/events.ts';
import { type DomainName, toNameText } from '../domain-name.ts';
import { getEach, locationOf, type WebOptions } from '../follow-redirect.ts';
import { broken, inconclusive, kept, type Ruling } from './ruling.ts';

/** Whether a domain that was removed serves nothing, at any address, over HTTPS or HTTP. */
export async function judgeRemoved(domain: DomainName, options: WebOptions): Promise<Ruling> {
  const name = toNameText(domain);
  const { visits, failure } = await getEach(domain, `removed ${name}`, options);
  const exchanges = visits.map(({ exchange }) => exchange);
  const found = visits.find(({ exchange }) => isServed(domain, exchange));
  if (found) {
    const { exchange: served, address } = found;
    const hasOthers = visits.some((visit) => visit.address !== address);
    const { status = 0 } = served.response ?? {};
    const to = locationOf(served);
    return broken({
      message: `${name} was removed, but still ${to ? 'redirects' : 'serves a page'}`,
      expected: 'nothing, such as no address, no connection or 404',
      actual: to ? `${status} to ${to.href}` : String(status),
      exchange: served,
      ...(hasOthers && { address }),
    });
  }
  if (failure !== undefined)
    return inconclusive(`its addresses could not be looked up: ${failure}`);
  const statuses = exchanges.flatMap(({ response }) => (response ? [response.status] : []));
  const other = statuses.find((status) => status >= 400 && !gone.includes(status));
  if (other !== undefined)
    return inconclusive(`it answers ${other}, which says nothing of a removal`);
  const slow = exchanges.find((exchange) => exchange.failure?.includes('no response within'));
  return slow && statuses.length === 0
    ? inconclusive(`it may only be slow: ${slow.failure}`)
    : kept;
}

const gone = [400, 404, 410, 421];

function isServed(domain: DomainName, exchange: ReportedExchange): boolean {
  const { response, request } = exchange;
  if (response === undefined || response.status >= 400) return false;
  const to = locationOf(exchange);
  // HTTPS, to which the server sends whoever asks over HTTP, is asked besides.
  const isUpgrade = to?.protocol === 'https:' && to.hostname === domain.name;
  return !(isUpgrade && request.url.startsWith('http:'));
}
