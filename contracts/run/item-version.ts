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
  const last = lastSuccessAt(exchanges, path);
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
  const pairs = query.split('&').map((pair) => {
    const [name = ''] = pair.split('=');
    const plain = toPlainName(unescaped(name));
    if (!asked.some((one) => toPlainName(one.name) === plain)) return pair;
    const valueIn = (one: Answer) =>
      Object.entries(itemIn(one) ?? {}).find(([own]) => toPlainName(own) === plain)?.[1];
    const last = lastSuccessAt(exchanges, path, (one) => valueIn(one) !== undefined);
    const value = last && valueIn(last);
    const isPlain = ['string', 'number', 'bigint'].includes(typeof value);
    return isPlain ? `${name}=${encodeURIComponent(String(value))}` : pair;
  });
  return `${at}?${pairs.join('&')}`;
}

/** The last success at a path that passes a test. */
function lastSuccessAt(
  exchanges: readonly Exchange[],
  path: string,
  has: (one: Answer) => boolean = () => true,
): Answer | undefined {
  const at = withoutQuery(path);
  return exchanges.findLast(
    (one): one is Answer =>
      withoutQuery(one.request.path) === at &&
      isAnswered(one) &&
      one.response.status < 300 &&
      has(one),
  );
}
