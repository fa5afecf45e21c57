import type { Api, Operation, Parameter } from '../../openapi/index.ts';
import { isDescribed } from '../../openapi/model/responses.ts';
import { isInProse, isStatedError, listsError, statedSuccesses } from '../document/stated.ts';
import type { Case } from './case.ts';

/** The outcomes that the document and a case allow, whatever else was called. */
export type Outcomes = {
  /** The statuses to be answered, as the document writes them; empty where it states none. */
  expected: readonly string[];
  isExpected(status: number): boolean;
  /**
   * Whether another status may be right: a deployment may refuse a valid call for a reason that no
   * schema gives. An interface in prose would give that of a create. Of what a call without a kind
   * needs, too little is known to call a described refusal or a missing item wrong.
   */
  isOpen(status: number): boolean;
};

type PlannedCase = Pick<Case, 'operation' | 'purpose' | 'isMadeUp'>;

/** Returns the outcomes of a case. */
export function outcomesOf(document: Api, planned: PlannedCase): Outcomes {
  const expected = expectedOf(planned);
  return {
    expected,
    isExpected: (status) =>
      expected.some((one) => [`${status}`, `${`${status}`[0]}XX`].includes(one.toUpperCase())),
    isOpen: (status) => isOpen(document, planned, status),
  };
}

function expectedOf({ operation, purpose }: PlannedCase): string[] {
  if (!operation) return [];
  switch (purpose.kind) {
    case 'unknown-id':
      return [404, 410].filter((one) => isStatedError(operation, one)).map(String);
    case 'invalid-create':
      return [400, 422].filter((one) => listsError(operation, one)).map(String);
    default:
      return statedSuccesses(operation).map(({ status }) => status);
  }
}

/** Statuses of a change that is refused for what else there is, or for what a caller may do. */
const refusedChanges = [400, 403, 409, 412, 422, 428];

function isOpen(
  document: Api,
  { operation, purpose, isMadeUp }: PlannedCase,
  status: number,
): boolean {
  if (!operation) return true;
  const isOfValue = isMadeUp === true && isRefusal(status);
  switch (purpose.kind) {
    case 'unknown-id': {
      // What a caller may not see need not be told from what is not there (RFC 9110 §15.5.4), and a
      // schema may leave no room for an id that nothing has.
      const isOfForm = [400, 422].includes(status) && isStatedError(operation, status);
      return !isInProse(document) && ([403, 404].includes(status) || isOfForm);
    }
    case 'invalid-create':
      // A value that breaks its schema may name what is not there, or be in conflict.
      return !isInProse(document) && [404, 409].includes(status) && listsError(operation, status);
    case 'create':
      return isOfValue || (!isInProse(document) && isRefusedContent(operation, status));
    case 'change':
      return isOfValue || refusedChanges.includes(status);
    case 'call':
      return (
        isOfValue ||
        isDescribed(operation, status) ||
        (operation.path.includes('{') && [404, 410].includes(status))
      );
    default:
      return isOfValue;
  }
}

/** Whether a deployment may know a reason to refuse values that the run made up. */
function isRefusedContent(operation: Operation, status: number): boolean {
  const isFailure = status >= 500 && isDescribed(operation, status);
  return isFailure || (isRefusal(status) && ![401, 405].includes(status));
}

/** Returns the parameters that an operation requires and a request does not have. */
export function missingParameters(
  { parameters }: Operation,
  { path, headers }: { path: string; headers: Readonly<Record<string, string>> },
): string[] {
  const sent = new URLSearchParams(path.split('?')[1]);
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const isSent = ({ name, in: place }: Parameter) =>
    place === 'path' ||
    (place === 'query' && sent.has(name)) ||
    (place === 'header' && names.includes(name.toLowerCase())) ||
    (place === 'cookie' && names.includes('cookie'));
  return parameters.filter((one) => one.required && !isSent(one)).map(({ name }) => name);
}

/** Whether a status says that a call is wrong. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}
