import type { Answer } from '../answers/answer.ts';
import { isolationOf } from '../answers/isolation.ts';
import type { FaultHeaders } from '../faults/fault-rules.ts';
import { toByteText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { toWholeRange } from './status-answers.ts';

/**
 * An answer whose headers and content are overridden by a fault rule; content that is a text is
 * sent as it is.
 */
export function overrideAnswer(
  answer: Answer,
  { headers, body }: { headers?: FaultHeaders; body: unknown },
): Answer {
  if (body === undefined)
    return headers ? { ...answer, overrides: isolatedHeaders(headers) } : answer;
  const isText = typeof body === 'string';
  const { error: _, ...others } = answer;
  const filled = { ...others, json: toByteText(isText ? body : stringifyExact(body)) };
  const whole = answer.status === 206 ? toWholeRange(filled) : filled;
  const asText = isText &&
    body !== '' &&
    typesOf(headers).length === 0 && { 'Content-Type': 'text/plain; charset=utf-8' };
  return { ...whole, overrides: isolatedHeaders({ ...asText, ...headers }) };
}

/** The headers with those that isolate content which is no JSON; a rule may replace these too. */
function isolatedHeaders(headers: FaultHeaders): FaultHeaders {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const added = typesOf(headers)
    .flatMap((mediaType) => Object.entries(isolationOf(mediaType)))
    .filter(([name]) => !given.has(name.toLowerCase()));
  return { ...Object.fromEntries(added), ...headers };
}

function typesOf(headers: FaultHeaders = {}): string[] {
  return Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === 'content-type')
    .flatMap(([, values]) => values);
}
