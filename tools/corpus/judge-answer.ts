import { isJsonMedia } from '../../common/media-type.ts';
import { parseExact, toDoubles } from '../../mock/json/exact-json.ts';
import { type CompileSchema, toSentences } from '../../mock/json/validator.ts';
import type { Operation } from '../../openapi/index.ts';
import { findIn } from '../../openapi/model/responses.ts';

/** An answer as it was received. */
export type ReceivedAnswer = { status: number; mediaType: string; text: string };

/**
 * Returns the fault of the response to a valid first call; undefined if the response is right. The
 * status must be a documented success, or any documented status if no success is documented. The
 * body must be valid against the schema. An operation that changes state and documents no success
 * may send any response.
 */
export function judgeAnswer(
  operation: Operation,
  { status, mediaType, text }: ReceivedAnswer,
  compileSchema: CompileSchema,
): string | undefined {
  if (status === 0) return 'no call';
  const { responses, kind } = operation;
  const isSuccess = status >= 200 && status < 300;
  const hasSuccess = responses.some((one) => /^(2|default)/.test(one.status));
  if (kind !== undefined && isSuccess && !hasSuccess) return undefined;
  const response = findIn(responses, status);
  if (!response || (hasSuccess && !isSuccess)) return `answers ${status}`;
  const content =
    response.contents.find((one) => one.mediaType === mediaType) ??
    (isJsonMedia(mediaType) ? { schema: response.schema } : undefined);
  if (text === '') return response.schema ? 'has no body' : undefined;
  // Bytes under the media type of JSON are sent as they are.
  const isBinary = content?.schema?.format === 'binary';
  if (!content?.schema || isBinary || !isJsonMedia(mediaType)) return undefined;
  const doubles = parseDoubles(text);
  if (doubles === undefined) return 'is not JSON';
  const problems = compileSchema(content.schema, 'writeOnly')(doubles);
  return problems && toSentences(problems.slice(0, 1));
}

/** Whether a document says how an operation answers, if only by an error. */
export function describesAnswer({ responses }: Operation): boolean {
  return responses.some(({ status }) => !status.startsWith('1'));
}

/** Undefined where the text is not JSON. */
function parseDoubles(text: string): unknown {
  try {
    return toDoubles(parseExact(text));
  } catch {
    return undefined;
  }
}
