import type { ReportedExchange } from '../../report/events.ts';
import { type DomainName, toNameText } from '../domain-name.ts';
import { getEach, locationOf, type WebOptions } from '../follow-redirect.ts';
import { broken, inconclusive, kept, type Ruling } from './ruling.ts';

/** Whether a domain that was removed serves nothing, at any address, over HTTPS or HTTP. */
export async function judgeRemoved(domain: DomainName, options: WebOptions): Promise<Ruling> {
  const name = toNameText(domain);
  const { visits, failure } = await getEach(domain, `removed ${name}`, options);
  const found = visits.find(({ exchange }) => isServed(domain, exchange));
  if (found) {
    const { exchange, address } = found;
    const isOnly = visits.every((visit) => visit.address === address);
    const { status = 0 } = exchange.response ?? {};
    const to = locationOf(exchange);
    return broken({
      message: `${name} was removed, but still ${to ? 'redirects' : 'serves a page'}`,
      expected: 'nothing, such as no address, no connection or 404',
      actual: to ? `${status} to ${to.href}` : String(status),
      repeat: { tool: 'curl', exchange, place: { address, isOnly } },
    });
  }
  if (failure !== undefined)
    return inconclusive(`its addresses could not be looked up: ${failure}`);
  const statuses = visits.flatMap(({ exchange: { response } }) =>
    response ? [response.status] : [],
  );
  const other = statuses.find((status) => status >= 400 && !gone.includes(status));
  if (other !== undefined)
    return inconclusive(`it answers ${other}, which says nothing of a removal`);
  if (visits.length > 0 && visits.every(({ silence }) => silence?.isLocal))
    return inconclusive('no address of the name can be reached from this machine');
  const slow = visits.find(({ silence }) => silence?.isSlow);
  return slow?.silence && statuses.length === 0
    ? inconclusive(`it may only be slow: ${slow.address}: ${slow.silence.reason}`)
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
