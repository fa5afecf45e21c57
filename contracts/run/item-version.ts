import { unescaped } from '../../common/path-template.ts';
import { toPlainName } from '../../common/words.ts';
import { type Case, isUnsafe } from '../cases/case.ts';
import { ifMatchOf, listsError } from '../document/stated.ts';
import { type Answer, type Exchange, headerValue, isAnswered } from '../transcript/exchange.ts';
import { itemIn, withoutQuery } from '../transcript/items.ts';

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
  const last = successesAt(exchanges, path).at(-1);
  const tag = last && headerValue(last, 'ETag');
  return tag === undefined ? {} : { [name]: tag };
}

/**
 * Returns a path with what an operation requires in its query of the item there, such as its `version`:
 * the value that an answer at that path showed last.
 */
export function withVersion(
  exchanges: readonly Exchange[],
  { operation, purpose }: Case,
  path: string,
): string {
  const isChange = ['replace', 'update', 'delete'].includes(operation?.kind ?? '');
  if (!operation || !isChange || purpose.kind === 'fuzz') return path;
  const asked = operation.parameters.filter((one) => one.in === 'query' && one.required);
  const [at, query] = path.split('?');
  if (asked.length === 0 || query === undefined) return path;
  const shown = successesAt(exchanges, path).flatMap((one) => Object.entries(itemIn(one) ?? {}));
  const pairs = query.split('&').map((pair) => {
    const [name = ''] = pair.split('=');
    const plain = toPlainName(unescaped(name));
    if (!asked.some((one) => toPlainName(one.name) === plain)) return pair;
    const [, value] = shown.findLast(([own]) => toPlainName(own) === plain) ?? [];
    const isPlain = ['string', 'number', 'bigint'].includes(typeof value);
    return isPlain ? `${name}=${encodeURIComponent(String(value))}` : pair;
  });
  return `${at}?${pairs.join('&')}`;
}

/** The answers with a success at a path, in order. */
function successesAt(exchanges: readonly Exchange[], path: string): Answer[] {
  const at = withoutQuery(path);
  return exchanges.filter(
    (one): one is Answer =>
      isAnswered(one) && one.response.status < 300 && withoutQuery(one.request.path) === at,
  );
}
