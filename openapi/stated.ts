import { isJsonMedia, toEssence } from '../common/media-type.ts';
import { isSuccess } from '../common/success.ts';
import { chooseContent, isJsonContent, withoutContent } from './content.ts';
import type { ApiDocument, Operation, ResponseDescription, Schema } from './document.ts';
import { resolve } from './schema.ts';
import { type Sourced, source } from './source.ts';

/** The responses that the interface states; those that the document only assumes bind nobody. */
function statedResponses({ responses }: Operation): ResponseDescription[] {
  return responses.filter(({ assumed }) => assumed === undefined);
}

/** The stated responses of a success: a status, or all of them (`2XX`). */
export function statedSuccesses(operation: Operation): ResponseDescription[] {
  return statedResponses(operation).filter(isSuccess);
}

/** The first stated success status. */
export function statedSuccess(operation: Operation): number | undefined {
  const success = statedSuccesses(operation).find(({ status }) => /^\d{3}$/.test(status));
  return success && Number(success.status);
}

/** Whether a status is a stated success. */
export function isStatedSuccess(operation: Operation, status: number): boolean {
  return findIn(statedSuccesses(operation), status) !== undefined;
}

/** The stated responses of an error; the body of a 429 is not stated. */
export function statedErrors(operation: Operation): ResponseDescription[] {
  return statedResponses(operation).filter(
    ({ status }) => status !== '429' && /^([45](\d\d|XX)|default)$/i.test(status),
  );
}

/** Whether a status is a stated error; the body of a 429 is not stated. */
export function isStatedError(operation: Operation, status: number): boolean {
  return status >= 400 && status !== 429 && findIn(statedErrors(operation), status) !== undefined;
}

/**
 * Whether the document describes a status for an operation, as stated or as assumed; one without
 * responses may answer anything.
 */
export function isDescribed({ responses }: Operation, status: number): boolean {
  return responses.length === 0 || findIn(responses, status) !== undefined;
}

/**
 * The schema of a stated response, where an answer of the status has content: that of its own media
 * type, if it is one of JSON that the response describes.
 */
export function statedSchema(
  operation: Operation,
  status: number,
  mediaType?: string,
): Schema | undefined {
  if (withoutContent.includes(status)) return undefined;
  return schemaIn(findIn(statedResponses(operation), status), mediaType);
}

/** The schema of the JSON of a response, by the media type of an answer. */
export function schemaIn(
  response: ResponseDescription | undefined,
  mediaType?: string,
): Schema | undefined {
  if (response?.schema === undefined || mediaType === undefined) return response?.schema;
  const content = chooseContent(response.contents, mediaType);
  return content && isJsonContent(content) ? content.schema : response.schema;
}

/** Whether a document names a media type for the body of an operation itself. */
export function namesMediaType(
  { [source]: { raw } }: Sourced,
  { path, method }: Operation,
  mediaType: string,
): boolean {
  const item = resolve(raw, raw.paths?.[path]) ?? {};
  const body = item[method.toLowerCase()]?.requestBody;
  const { content = {} } = (body && resolve(raw, body)) ?? {};
  return Object.keys(content).some((type) => type.toLowerCase() === mediaType);
}

/** A method that the document does not describe for the path of an operation. */
export function unusedMethod({ operations }: ApiDocument, { path }: Operation): string | undefined {
  const used = operations.filter((other) => other.path === path).map(({ method }) => method);
  return ['DELETE', 'PUT', 'PATCH'].find((method) => !used.includes(method));
}

/** The response of a status: by the status itself, by its range, or by default. */
export function findIn(
  responses: readonly ResponseDescription[],
  status: number,
): ResponseDescription | undefined {
  return [String(status), `${Math.floor(status / 100)}XX`, 'DEFAULT']
    .map((name) => responses.find((response) => response.status.toUpperCase() === name))
    .find((response) => response !== undefined);
}

/** Whether a response has JSON as its content, also by the suffix of its media type. */
export function isJson({ mediaTypes }: ResponseDescription): boolean {
  return mediaTypes.some((type) => isJsonMedia(toEssence(type)));
}
