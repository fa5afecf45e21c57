import { type DomainName, toNameText } from '../domain-name.ts';
import { getFirst, locationOf, type WebOptions } from '../follow-redirect.ts';
import { broken, inconclusive, kept, type Ruling } from './ruling.ts';

/** Whether a domain that was removed serves nothing, over HTTPS or HTTP. */
export async function judgeRemoved(domain: DomainName, options: WebOptions): Promise<Ruling> {
  const name = toNameText(domain);
  const { exchange, failure, isNowhere } = await getFirst(domain, `removed ${name}`, options);
  const { response } = exchange;
  if (isNowhere) return kept;
  if (failure !== undefined)
    return inconclusive(`its addresses could not be looked up: ${failure}`);
  if (response === undefined)
    return exchange.failure?.includes('no response within')
      ? inconclusive(`it may only be slow: ${exchange.failure}`)
      : kept;
  const { status } = response;
  const to = locationOf(exchange);
  // Nothing answers over HTTPS, to which the server sends whoever asks over HTTP.
  const isUpgrade = to?.protocol === 'https:' && to.hostname === domain.name;
  if (isUpgrade && exchange.request.url.startsWith('http:')) return kept;
  if (status < 400)
    return broken({
      message: `${name} was removed, but still ${to ? 'redirects' : 'serves a page'}`,
      expected: 'nothing, such as no address, no connection or 404',
      actual: to ? `${status} to ${to.href}` : String(status),
      exchange,
    });
  const isGone = [400, 404, 410, 421].includes(status);
  return isGone ? kept : inconclusive(`it answers ${status}, which says nothing of a removal`);
}
