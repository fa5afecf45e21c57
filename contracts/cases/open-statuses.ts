import type { Api, Operation } from '../../openapi/index.ts';
import { isDescribed } from '../../openapi/model/responses.ts';
import { isInProse } from '../document/stated.ts';
import type { Case } from './case.ts';

/** Statuses of a change that is refused for what else there is, or for what a caller may do. */
const refusedChanges = [400, 403, 409, 412, 422, 428];

/**
 * Whether a valid case may be answered with a status that is no success: a deployment may refuse it for
 * a reason that no schema gives. An interface in prose would give that of a create. Of what a call
 * without a kind needs, too little is known to call a described refusal or a missing item wrong.
 */
export function isOpenStatus(
  document: Api,
  { operation, purpose }: Pick<Case, 'operation' | 'purpose'>,
  status: number,
): boolean {
  if (!operation) return true;
  switch (purpose.kind) {
    case 'create':
      return !isInProse(document) && isRefusedContent(operation, status);
    case 'change':
      return refusedChanges.includes(status);
    case 'call':
      return (
        isDescribed(operation, status) ||
        (operation.path.includes('{') && [404, 410].includes(status)) ||
        (purpose.isMadeUp === true && isRefusal(status))
      );
    default:
      return false;
  }
}

/** Whether a deployment may know a reason to refuse values that the run made up. */
function isRefusedContent(operation: Operation, status: number): boolean {
  const isFailure = status >= 500 && isDescribed(operation, status);
  return isFailure || (isRefusal(status) && ![401, 405].includes(status));
}

/** Whether a status says that a call is wrong. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}
