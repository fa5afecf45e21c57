import { type ByteText, noBytes, toByteText } from '../json/byte-text.ts';
import { type ErrorCode, toErrorBody } from './errors.ts';

/**
 * What a request is answered with: status, JSON (empty where there is no content), further headers,
 * and headers that take the place of whatever others have their names.
 */
export type Answer = {
  status: number;
  json: ByteText;
  headers?: Readonly<Record<string, string>>;
  overrides?: Readonly<Record<string, string | readonly string[]>>;
};

/** An answer that is text of another kind. */
export type TextAnswer = {
  status: number;
  text: string;
  mediaType: string;
  headers?: Readonly<Record<string, string>>;
};

/** The answer without content. */
export const noContent: Answer = { status: 204, json: noBytes };

/** The answer for an error of the table. */
export function toErrorAnswer(
  code: ErrorCode,
  message: string,
  headers?: Record<string, string>,
): Answer {
  const body = toErrorBody(code, message);
  return {
    status: body.status,
    json: toByteText(JSON.stringify(body)),
    ...(headers && { headers }),
  };
}

/** The answer that holds a value as JSON. */
export function toJsonAnswer(value: unknown, status = 200): Answer {
  return { status, json: toByteText(JSON.stringify(value)) };
}

/** The content of an answer, a byte a character. */
export function contentOf(answer: Answer | TextAnswer): ByteText {
  return 'text' in answer ? toByteText(answer.text) : answer.json;
}
