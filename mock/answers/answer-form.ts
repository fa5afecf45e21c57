import { stringifyExact } from '../../common/json.ts';
import { noBytes, toByteText } from '../json/exact-json.ts';
import { type Answer, type AnswerForm, isJsonType } from './answer.ts';
import type { ErrorBody } from './errors.ts';

/** An answer in another form; `error` is the Error that it holds, if any. */
export function toForm(answer: Answer, form: AnswerForm, error: ErrorBody | undefined): Answer {
  const status = form.status ?? answer.status;
  const { mediaType } = form;
  const json = contentOf(answer, form, error, status);
  if (mediaType === undefined) return { ...answer, status, json };
  return { ...answer, status, json, overrides: { 'Content-Type': mediaType, ...answer.overrides } };
}

/** Returns a completely pinned answer; one of 400 or more without content is an Error. */
export function toPinnedPayload(form: AnswerForm): Answer {
  const { status = 200, json, text } = form;
  const isError = status >= 400 && json === undefined && text === undefined;
  const error: ErrorBody = { code: 'invalid_parameter', message: 'Refused.', status };
  return toForm({ status, json: noBytes }, form, isError ? error : undefined);
}

function contentOf(
  answer: Answer,
  { code, message, members, json, text, mediaType = '' }: AnswerForm,
  error: ErrorBody | undefined,
  status: number,
): Answer['json'] {
  if (text !== undefined) return text === '' ? noBytes : toByteText(harmless(text, mediaType));
  if (json !== undefined) return toByteText(stringifyExact(json));
  if (!error) return answer.json;
  const own = { ...error, status, ...(code && { code }), ...(message && { message }) };
  return toByteText(stringifyExact({ ...own, ...members }));
}

/**
 * Escapes markup in a text that a browser could run. A page of a deployment must not run as one of
 * the mock, where it could call the admin. Other headers would differ from the deployment's.
 */
function harmless(text: string, mediaType: string): string {
  const isPlain = isJsonType(mediaType) || /^text\/plain\s*(;|$)/i.test(mediaType);
  return isPlain ? text : text.replaceAll('<', '&lt;');
}
