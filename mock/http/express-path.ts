import { toErrorAnswer } from '../answers/answer.ts';

/** A path such as `/pets/{petId}` in the syntax of Express, with special characters escaped. */
export function toExpressPath(template: string): string {
  return template
    .split(/(\{[^{}]+\})/)
    .map((part) =>
      part.startsWith('{')
        ? `:${JSON.stringify(part.slice(1, -1))}`
        : part.replace(/[\\()[\]?+!*:{}]/g, '\\$&'),
    )
    .join('');
}

/** The answer to a path that is not valid percent-encoding. */
export const undecodable = toErrorAnswer(
  'malformed_request',
  'The path of the URL is not valid percent-encoded UTF-8.',
);

/** Whether Express could not decode a path parameter. */
export function isUndecodable(error: unknown): boolean {
  const { status, message } = error as { status?: number; message?: string };
  return (
    error instanceof URIError ||
    (status === 400 && message?.startsWith('Failed to decode') === true)
  );
}
