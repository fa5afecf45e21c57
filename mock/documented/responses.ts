import { valueIn } from '../../common/property-path.ts';
import { isSuccess } from '../../common/success.ts';
import type { Content, Operation, ResponseDescription } from '../../openapi/index.ts';
import { isJsonContent, textExampleOf } from '../../openapi/model/content.ts';
import { findIn } from '../../openapi/model/responses.ts';

/**
 * The response that an operation documents for a status: by the status itself, by its range, or by
 * default.
 */
export function findResponse(
  { responses }: Operation,
  status: number,
): ResponseDescription | undefined {
  return findIn(responses, status);
}

/** The response of an operation's success; undefined where it documents none. */
export function findSuccess({ responses }: Operation): ResponseDescription | undefined {
  const [lowest] = responses
    .filter(isSuccess)
    .toSorted((left, right) => left.status.localeCompare(right.status));
  // Beside a redirection, the default response is that of errors.
  return (
    lowest ??
    (findRedirect(responses) ? undefined : responses.find(({ status }) => status === 'default'))
  );
}

function findRedirect(responses: readonly ResponseDescription[]): ResponseDescription | undefined {
  return responses.find(({ status }) => status.startsWith('3'));
}

/** The response that answers an operation of no known kind: its success, else the first one. */
export function defaultResponse(operation: Operation): ResponseDescription | undefined {
  // A status of 1XX ends no request, and a key was checked before.
  const finals = operation.responses.filter(({ status }) => !status.startsWith('1'));
  const final = finals.find(({ status }) => status !== '401') ?? finals[0];
  return findSuccess(operation) ?? findRedirect(operation.responses) ?? final;
}

/** The response that has an example of a name, the success first. */
export function findExample(operation: Operation, name: string): ResponseDescription | undefined {
  const success = findSuccess(operation);
  const all = [...(success ? [success] : []), ...operation.responses];
  const has = ({ examples }: Pick<ResponseDescription, 'examples'>) =>
    Object.hasOwn(examples, name);
  return all.find((one) => has(one) || one.contents.some(has));
}

/** The status that a response is sent with; for a range, its first one. */
export function statusOf(response: ResponseDescription, operation: Operation): number {
  if (/^\d\d\d$/.test(response.status)) return Number(response.status);
  if (/^\dXX$/i.test(response.status)) return Number(response.status[0]) * 100;
  return response === findSuccess(operation) ? 200 : 500;
}

/** A sentence on the statuses that an operation documents. */
export function documentedStatuses({ id, responses }: Operation): string {
  return `Documented for ${id}: ${responses.map(({ status }) => status).join(', ') || 'no response'}.`;
}

/** The status for an item that is not there. */
export function missingStatusOf(operation: Operation): number {
  return states(operation, 410) && !states(operation, 404) ? 410 : 404;
}

/**
 * The status for a body that breaks its schema: 422 where that is described, and 400 is not, or it
 * alone is described as that of validation.
 */
export function unfitStatusOf(operation: Operation): number {
  const [unfit, bad] = [422, 400].map((status) =>
    operation.responses.find((one) => one.status === String(status)),
  );
  const isOfValidation = (one?: ResponseDescription) => /validat/i.test(one?.description ?? '');
  return unfit && (!bad || (isOfValidation(unfit) && !isOfValidation(bad))) ? 422 : 400;
}

/** The status for an id or a unique value that another item has. */
export function takenStatusOf(operation: Operation): number {
  return [409, 422, 400].find((status) => states(operation, status)) ?? 409;
}

/** Whether an operation documents this very status. */
export function states({ responses }: Pick<Operation, 'responses'>, status: number): boolean {
  return responses.some((one) => one.status === String(status));
}

/** The list that a value has at the keys that lead to it; undefined where there is none. */
export function itemsAt(value: unknown, keys: readonly string[]): unknown[] | undefined {
  const items = valueIn(value, keys);
  return Array.isArray(items) ? items : undefined;
}

/** Returns the operation as if a response of it had this content alone. */
export function withContent(
  operation: Operation,
  response: ResponseDescription,
  content: Content,
): Operation {
  const own = withoutContents(response);
  own.contents = [content];
  const isJson = isJsonContent(content);
  if (isJson || (content.isXml && !textExampleOf(own))) own.examples = content.examples;
  if (isJson && content.schema) own.schema = content.schema;
  const responses = operation.responses.map((one) => (one === response ? own : one));
  return { ...operation, responses };
}

/** Returns a response without its contents, and so without examples and a schema. */
export function withoutContents(response: ResponseDescription): ResponseDescription {
  const { schema: _schema, likeness: _likeness, ...others } = response;
  return { ...others, contents: [], examples: {} };
}
