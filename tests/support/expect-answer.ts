import { expect } from 'vitest';

/** Expects an answer of a status, and JSON that has at least these members, if they are given. */
export function expectAnswer(answer: object, status: number, ...json: [json?: unknown]): void {
  expect(answer).toMatchObject({ status, ...(json.length > 0 && { json: json[0] }) });
}
