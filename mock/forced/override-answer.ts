import type { Answer } from '../answers/answer.ts';
import type { FaultHeaders } from '../faults/fault-rules.ts';
import { toByteText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-json.ts';
import { toWholeRange } from './status-answers.ts';

/**
 * An answer whose headers and content are overridden by a fault rule; content that is a text is
 * sent as it is.
 */
export function overrideAnswer(
  answer: Answer,
  { headers, body }: { headers?: FaultHeaders; body: unknown },
): Answer {
  if (body === undefined) return headers ? { ...answer, overrides: headers } : answer;
  const isText = typeof body === 'string';
  const filled = { ...answer, json: toByteText(isText ? body : stringifyExact(body)) };
  const whole = answer.status === 206 ? toWholeRange(filled) : filled;
  const hasType = Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'content-type');
  const asText = isText &&
    body !== '' &&
    !hasType && { 'Content-Type': 'text/plain; charset=utf-8' };
  return { ...whole, overrides: { ...asText, ...headers } };
}
