import { fromFragmentToken } from '../../common/json-pointer.ts';
import type { Api, Operation } from '../../openapi/index.ts';

/** Returns the links of the responses of an operation: those to operations of the document. */
export function linksOf(
  { operations }: Api,
  { responses }: Operation,
): { to: Operation; parameters: Readonly<Record<string, unknown>> }[] {
  return responses
    .flatMap(({ links = [] }) => links)
    .flatMap(({ to, parameters }) => {
      const [, path, method = ''] = to.split('/').slice(1).map(fromFragmentToken);
      const found = operations.find(
        (one) => one.id === to || (one.path === path && one.method === method.toUpperCase()),
      );
      return found ? [{ to: found, parameters }] : [];
    });
}
