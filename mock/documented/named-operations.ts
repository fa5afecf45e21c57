import { didYouMean } from '../../common/cli/nearest-name.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { quote } from '../json/quote.ts';

/**
 * The operations that a name in `source` means: an operationId, or a method and a path, such as
 * `POST /orders/{id}/cancel`. There parameters may have any names, and `*` stands for anything.
 * Throws {@link UsageError} where it means none.
 */
export function findNamedOperations(
  { operations, basePath }: Api,
  name: string,
  source: string,
): Operation[] {
  const byId = operations.filter(({ id }) => id === name);
  if (byId.length > 0) return byId;
  const pattern = toPlainPath(name).split('*').map(RegExp.escape).join('.*');
  const named = new RegExp(`^${pattern}$`);
  const found = operations.filter(({ method, path }) =>
    [path, basePath + path].some((one) => named.test(toPlainPath(`${method} ${one}`))),
  );
  if (found.length > 0) return found;
  const isPath = name.includes('/');
  const names = operations.map(({ id, method, path }) => (isPath ? `${method} ${path}` : id));
  throw new UsageError(
    `${source} names ${quote(name)}, which is no operation of the document.${didYouMean(name, names)} ` +
      'Names are operationIds, or such as "POST /orders/{id}/cancel" and "GET /store/*".',
  );
}

/** A path whose parameters have no names, as they may be called anything. */
function toPlainPath(path: string): string {
  return path.trim().replace(/\{[^{}]*\}/g, '{}');
}
