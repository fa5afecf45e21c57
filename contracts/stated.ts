import type { Operation, ResponseDescription, Schema } from './document.ts';

/** The responses that the interface states; those that the document only assumes bind nobody. */
function statedResponses({ responses }: Operation): ResponseDescription[] {
  return responses.filter(({ assumed, status }) => assumed === undefined && /^\d{3}$/.test(status));
}

/** The stated success status. */
export function statedSuccess(operation: Operation): number | undefined {
  const success = statedResponses(operation).find(({ status }) => status.startsWith('2'));
  return success && Number(success.status);
}

/** Whether a status is a stated error; the body of a 429 is not stated. */
export function isStatedError(operation: Operation, status: number): boolean {
  return status >= 400 && status !== 429 && statedResponses(operation).some((response) => response.status === String(status));
}

/** Whether the document describes a status for an operation, as stated or as assumed. */
export function isDescribed({ responses }: Operation, status: number): boolean {
  const names = [String(status), `${Math.floor(status / 100)}XX`, 'default'];
  return responses.some((response) => names.includes(response.status));
}

/** The schema of a stated response. */
export function statedSchema(operation: Operation, status: number): Schema | undefined {
  return statedResponses(operation).find((response) => response.status === String(status))?.schema;
}
