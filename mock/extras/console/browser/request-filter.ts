import type { EntrySummary } from '../../../journal/entry.ts';
import { explainReason } from '../../pages/browser/explain-reason.ts';

/**
 * Which requests are shown; all that is not empty must hold. `none` stands for those without an
 * operation, a key or a response.
 */
export type RequestFilter = {
  operation: string;
  /** A status, or a class such as `4xx`. */
  status: string;
  key: string;
  /** Text in what the list shows of it, in any case. */
  text: string;
};

export const noFilter: RequestFilter = { operation: '', status: '', key: '', text: '' };

/** The value for a field that a request does not have; no operation or key has this name. */
export const none = '(none)';

/** The values of a field by which requests can be filtered. */
export function seenIn(
  requests: readonly EntrySummary[],
  field: 'operation' | 'status' | 'key',
  others: readonly string[] = [],
): string[] {
  const values = requests.flatMap((request) => request[field] ?? []);
  return [...new Set([...others, ...values.map(String)])].sort();
}

/** Whether a filter shows a request. */
export function fits(
  request: EntrySummary,
  { operation, status, key, text }: RequestFilter,
): boolean {
  const ofStatus = request.status === null ? none : String(request.status);
  return (
    (operation === '' || (request.operation ?? none) === operation) &&
    (key === '' || (request.key ?? none) === key) &&
    (status === '' || ofStatus === status || `${ofStatus[0]}xx` === status) &&
    (text === '' || searchTextOf(request).includes(text.toLowerCase()))
  );
}

function searchTextOf(request: EntrySummary): string {
  const { method, url, operation, key, reason } = request;
  const texts = [method, url, operation, key, reason.error, explainReason(request)];
  return texts.join('\n').toLowerCase();
}
