import type { EntrySummary } from '../../journal/entry.ts';
import { explainReason } from '../../pages/browser/explain-reason.ts';

const sentences = new WeakMap<EntrySummary, string>();

/** Why a request got its response, in a sentence. */
export function toSentence(request: EntrySummary): string {
  let sentence = sentences.get(request);
  if (sentence === undefined) {
    const { message } = request;
    const body = message === null ? null : JSON.stringify({ message });
    const response = { headers: {}, body, bytes: 0, truncated: false };
    sentence = explainReason({ ...request, response });
    sentences.set(request, sentence);
  }
  return sentence;
}
