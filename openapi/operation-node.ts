import { isObject } from '../common/json.ts';
import { toToken } from '../common/json-pointer.ts';
import type { Operation } from './model/operation.ts';
import { type RawDocument, resolve } from './schema.ts';

type Place = { path: string; method: string };

/** Returns what a document has at the place of an operation. */
export function nodeOf(raw: RawDocument, { path, method }: Place): RawDocument {
  const item = resolve(raw, raw.paths?.[path] ?? {}) ?? {};
  return item[method.toLowerCase()] ?? item.additionalOperations?.[method] ?? {};
}

/** Tells whether a text stands anywhere in the description of an operation. */
export function mentions(raw: RawDocument, place: Place, text: string): boolean {
  return JSON.stringify(nodeOf(raw, place)).includes(text);
}

/** Tells whether a document names a media type for the body of an operation itself. */
export function namesMediaType(raw: RawDocument, place: Place, mediaType: string): boolean {
  const { requestBody = {} } = nodeOf(raw, place);
  const { content = {} } = resolve(raw, requestBody) ?? {};
  return Object.keys(content).some((type) => type.toLowerCase() === mediaType);
}

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
      const to = operations.find(({ id, path, method }) =>
        operationId === undefined
          ? operationRef === `#/paths/${toToken(path)}/${method.toLowerCase()}`
          : operationId === id,
      );
      const values = isObject(parameters) ? parameters : {};
      return to && !server ? [{ name, status, to, parameters: values }] : [];
    }),
  );
}
