import type { EntrySummary } from '../../journal/entry.ts';
import { toSentence } from './reason-sentence.ts';

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

/** What stands for a field that a request does not have; no operation and no key is named so. */
export const none = '(none)';

export function isShown(request: EntrySummary, filter: RequestFilter): boolean {
  const { operation, status, key, text } = filter;
  return (
    (operation === '' || (request.operation ?? none) === operation) &&
    (key === '' || (request.key ?? none) === key) &&
    (status === '' || isOfStatus(request.status, status)) &&
    (text === '' || searchTextOf(request).includes(text.toLowerCase()))
  );
}

function isOfStatus(status: number | null, wanted: string): boolean {
  const text = status === null ? none : String(status);
  return text === wanted || (wanted.endsWith('xx') && text[0] === wanted[0] && text !== none);
}

const searchTexts = new WeakMap<EntrySummary, string>();

function searchTextOf(request: EntrySummary): string {
  let text = searchTexts.get(request);
  if (text === undefined) {
    const { method, url, operation, key, reason } = request;
    text = [method, url, operation, key, reason.error, toSentence(request)]
      .join('\n')
      .toLowerCase();
    searchTexts.set(request, text);
  }
  return text;
}
