import { isObject } from '../common/json.ts';
import { fromFragmentToken } from '../common/json-pointer.ts';
import type { Operation } from './model/operation.ts';
import { nodeOf } from './operation-node.ts';
import { type RawDocument, resolve } from './schema.ts';

/** A link that a response describes (OpenAPI 3.1 §4.8.20): its values are runtime expressions or constants. */
export type ResponseLink = {
  name: string;
  /** The status of the response, as the document writes it. */
  status: string;
  /** The operation that it leads to. */
  to: Operation;
  /** The values of parameters by their names, which may begin with a place, such as `path.id`. */
  parameters: Readonly<Record<string, unknown>>;
};

/** The links of an operation to operations of the same document, but for those of other servers. */
export function linksOf(
  raw: RawDocument,
  operations: readonly Operation[],
  operation: Operation,
): ResponseLink[] {
  const responses = Object.entries<RawDocument>(nodeOf(raw, operation).responses ?? {});
  return responses.flatMap(([status, response]) =>
    Object.entries<RawDocument>(resolve(raw, response)?.links ?? {}).flatMap(([name, node]) => {
      const { operationId, operationRef, parameters, server } = resolve(raw, node) ?? {};
      const to = server ? undefined : findTarget(operations, { operationId, operationRef });
      return to ? [{ name, status, to, parameters: isObject(parameters) ? parameters : {} }] : [];
    }),
  );
}

function findTarget(
  operations: readonly Operation[],
  { operationId, operationRef }: { operationId?: unknown; operationRef?: unknown },
): Operation | undefined {
  if (operationId !== undefined) return operations.find(({ id }) => id === operationId);
  const [, path = '', method = ''] =
    /^#\/paths\/([^/]+)\/([^/]+)$/.exec(String(operationRef)) ?? [];
  if (!URL.canParse(`x:${path}`)) return undefined;
  const template = fromFragmentToken(path);
  return operations.find((one) => one.path === template && one.method === method.toUpperCase());
}
