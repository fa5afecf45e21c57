import { type Case, isUnsafe } from '../cases/case.ts';
import { ifMatchOf, listsError } from '../document/stated.ts';
import { type Exchange, headerValue, isAnswered } from '../transcript/exchange.ts';
import { withoutQuery } from '../transcript/items.ts';

/**
 * Returns the header that names the version of what a path shows, for an operation that asks for it:
 * the ETag that an answer at that path had last.
 */
export function versionHeader(
  exchanges: readonly Exchange[],
  { operation, purpose }: Case,
  path: string,
): Record<string, string> {
  if (!operation || !isUnsafe(operation) || purpose.kind === 'precondition') return {};
  const { name = 'If-Match', required = false } = ifMatchOf(operation) ?? {};
  if (!required && !listsError(operation, 428)) return {};
  const at = withoutQuery(path);
  const last = exchanges.findLast(
    (one) => isAnswered(one) && one.response.status < 300 && withoutQuery(one.request.path) === at,
  );
  const tag = last && isAnswered(last) ? headerValue(last, 'ETag') : undefined;
  return tag === undefined ? {} : { [name]: tag };
}
