import { nearestName } from '../../../contracts/cli/nearest-name.ts';
import { UsageError } from '../../../contracts/cli/usage-error.ts';
import type { Operation } from '../../../contracts/description/document.ts';

/**
 * The operations that names mean: an operationId, or a method and a path, where `*` stands for
 * anything: `GET /store/*`. Throws {@link UsageError} where one means none.
 */
export function chooseOperations(
  names: readonly string[],
  operations: readonly Operation[],
): ReadonlySet<Operation> {
  return new Set(
    names.flatMap((name) => {
      const pattern = new RegExp(`^${name.split('*').map(RegExp.escape).join('.*')}$`);
      const found = operations.filter(
        ({ id, method, path }) => id === name || pattern.test(`${method} ${path}`),
      );
      if (found.length > 0) return found;
      const known = operations.flatMap(({ id, method, path }) => [id, `${method} ${path}`]);
      const nearest = nearestName(name, known);
      throw new UsageError(
        `--forward-operations names "${name}", which is no operation of the document. ` +
          (nearest === undefined
            ? `Give an operationId, or a method and a path, such as 'GET /store/*'.`
            : `Did you mean "${nearest}"?`),
      );
    }),
  );
}
