import type { Api } from '../../openapi/index.ts';
import { findOperation } from '../transcript/recognize.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import { isForm } from './sent-body.ts';
import { toPathBelow } from './to-call.ts';

/**
 * Returns a form that was sent by POST, to a path that has a GET and no POST, as the GET with that
 * query, as which the mock reads it; any other exchange itself.
 */
export function asRead(
  exchange: RecordedExchange,
  { document, baseUrl }: { document: Api; baseUrl: string },
): RecordedExchange {
  const { body, ...request } = exchange.request;
  if (request.method !== 'POST' || !body || !isForm(request.headers)) return exchange;
  const url = new URL(request.url);
  const path = toPathBelow(baseUrl, url) ?? '';
  const { operation, other } = findOperation(document, { method: 'POST', path });
  if (operation || other?.method !== 'GET') return exchange;
  for (const [name, value] of new URLSearchParams(Buffer.from(body.bytes).toString()))
    url.searchParams.append(name, value);
  const headers = request.headers.filter(([name]) => !/^content-/i.test(name));
  return { ...exchange, request: { ...request, method: 'GET', url: url.href, headers } };
}
