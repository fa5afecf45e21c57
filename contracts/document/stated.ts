import { isJsonMedia } from '../../common/media-type.ts';
import { isSuccess } from '../../common/success.ts';
import type {
  Api,
  Operation,
  PageSize,
  Resource,
  ResponseDescription,
  Schema,
} from '../../openapi/index.ts';
import {
  chooseContent,
  isJsonContent,
  mediaTypesOf,
  withoutContent,
} from '../../openapi/model/content.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { findIn } from '../../openapi/model/responses.ts';

/**
 * Tells whether an interface is described in prose, and its document words the clauses: what such a
 * document leaves open is a silence. Of others, the document is all that there is.
 */
export function isInProse({ clauses }: Pick<Api, 'clauses'>): boolean {
  return clauses.length > 0;
}

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

/**
 * The stated responses of an error; the body of a 429 is not stated, nor is that of a default which
 * describes a success.
 */
export function statedErrors(operation: Operation): ResponseDescription[] {
  const shown = operation.responses.filter(isSuccess).map(({ schema }) => schema);
  return statedResponses(operation).filter(
    ({ status, schema }) =>
      (status !== '429' && /^[45](\d\d|XX)$/i.test(status)) ||
      (/^default$/i.test(status) && (schema === undefined || !shown.includes(schema))),
  );
}

/** Whether a status is a stated error; the body of a 429 is not stated. */
export function isStatedError(operation: Operation, status: number): boolean {
  return status >= 400 && status !== 429 && findIn(statedErrors(operation), status) !== undefined;
}

/** Whether an operation lists an error by its own status, not in a range or as any other. */
export function listsError(operation: Operation, status: number): boolean {
  return statedErrors(operation).some((one) => one.status === `${status}`);
}

/** Whether the body of a status is that of a stated error: of a 429, only prose says nothing. */
export function isStatedErrorBody(
  document: Pick<Api, 'clauses'>,
  operation: Operation,
  status: number,
): boolean {
  if (status !== 429 || isInProse(document)) return isStatedError(operation, status);
  return operation.responses.some((one) => one.status === '429');
}

/** Returns the parameter of an operation for the ETag of the version that it may change. */
export function ifMatchOf({ parameters }: Operation): Operation['parameters'][number] | undefined {
  return parameters.find(
    ({ name, in: place }) => place === 'header' && name.toLowerCase() === 'if-match',
  );
}

/** Whether If-Match may prevent what an operation does (RFC 9110 §13.1.1, RFC 6585 §3). */
export function describesPrecondition(operation: Operation): boolean {
  return (
    ifMatchOf(operation) !== undefined || listsError(operation, 412) || listsError(operation, 428)
  );
}

/**
 * Returns the schema of a stated response with content. If the answer has a described JSON type,
 * its own schema is used.
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

/** A method that the document does not describe for the path of an operation. */
export function unusedMethod({ operations }: Api, { path }: Operation): string | undefined {
  const used = operations.filter((other) => other.path === path).map(({ method }) => method);
  return ['DELETE', 'PUT', 'PATCH'].find((method) => !used.includes(method));
}

/** Whether a response has JSON as its content, also by the suffix of its media type. */
export function isJson(response: ResponseDescription): boolean {
  return mediaTypesOf(response).some(isJsonMedia);
}

/** The page size of a list, where the document gives both of its bounds. */
export function boundedPageSize({
  operations: { list },
}: Resource): (PageSize & { min: number; max: number }) | undefined {
  const { pageSize } = listRulesOf(list);
  const { min, max } = pageSize ?? {};
  return pageSize && min !== undefined && max !== undefined ? { ...pageSize, min, max } : undefined;
}

/** How many items a list shows at most without a limit; 0 and less often stand for all items. */
export function defaultPageSize({ operations: { list } }: Resource): number | undefined {
  const { default: size = 0 } = listRulesOf(list).pageSize ?? {};
  return size > 0 ? size : undefined;
}
