import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import { toJsonAnswer } from '../answers/answer.ts';
import { isRemoved } from '../call/deprecation.ts';
import type { AdminHandlers } from './admin.ts';

/** The operations of the API, in the order of the document. */
export type ApiOperationsView = { operations: ApiOperationView[] };

export type ApiOperationView = {
  id: string;
  method: string;
  /** Below the base path, with its parameters in braces. */
  path: string;
  deprecated: boolean;
  /** When a deprecated operation is removed, as ISO 8601; null where the document gives no date. */
  sunset: string | null;
  /** Whether it is removed by the sandbox's clock. */
  removed: boolean;
};

/** List the operations of the API, with what changes as the clock moves. */
export function createOperationHandlers({ operations }: ApiDocument): AdminHandlers {
  return {
    listApiOperations({ sandbox }) {
      const now = sandbox.clock.now();
      const view: ApiOperationsView = { operations: operations.map((one) => toView(one, now)) };
      return toJsonAnswer(view);
    },
  };
}

function toView(operation: Operation, now: number): ApiOperationView {
  const { id, method, path, deprecated, sunset } = operation;
  return {
    id,
    method,
    path,
    deprecated,
    sunset: deprecated && sunset !== undefined ? new Date(sunset).toISOString() : null,
    removed: isRemoved(operation, now),
  };
}
