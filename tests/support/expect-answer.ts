import { expect } from 'vitest';

/** Expects an answer of a status, and JSON that has at least these members, if they are given. */
export function expectAnswer(answer: object, status: number, ...json: [json?: unknown]): void {
  expect(answer).toMatchObject({ status, ...(json.length > 0 && { json: json[0] }) });
}

/** Expects an error of a status and a code, whose message has a text or matches a pattern. */
export function expectError(
  answer: object,
  status: number,
  code: string,
  message: string | RegExp = '',
): void {
  const matching =
    typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message);
  expectAnswer(answer, status, { code, message: matching });
}
