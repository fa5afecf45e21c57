import { textOf } from '../../common/text-of.ts';
import type { Operation, ResponseDescription } from './operation.ts';

/** The response of a status: by the status itself, by its range, or by default. */
export function findIn(
  responses: readonly ResponseDescription[],
  status: number,
): ResponseDescription | undefined {
  return [textOf(status), `${Math.floor(status / 100)}XX`, 'DEFAULT']
    .map((name) => responses.find((response) => response.status.toUpperCase() === name))
    .find((response) => response !== undefined);
}

/**
 * Whether the document describes a status for an operation, as stated or as assumed; one without
 * responses may answer anything.
 */
export function isDescribed({ responses }: Operation, status: number): boolean {
  return responses.length === 0 || findIn(responses, status) !== undefined;
}
