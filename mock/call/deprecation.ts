import type { Api, Operation } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { type Answer, toErrorAnswer } from '../answers/answer.ts';

/**
 * The headers that a deprecated operation adds to its answers, by the prefix of its paths, and its
 * answer once it is removed.
 */
export type Deprecation = {
  headers: (prefix: string) => Readonly<Record<string, string>>;
  refusal: (now: number, prefix: string) => Answer | undefined;
};

/**
 * Deprecation (RFC 9745) where the document says since when, Sunset (RFC 8594), and a Link to the
 * successor (RFC 8288): the list of the same resource. From the sunset on, the operation is gone.
 */
export function createDeprecation(operation: Operation, document: Api): Deprecation | undefined {
  if (!operation.deprecated) return undefined;
  const { id, deprecatedSince, sunset } = operation;
  const resource = findResource(document, operation);
  const list = resource?.operations.list;
  const successor = list && list !== operation ? `${document.basePath}${list.path}` : undefined;
  const fixed = {
    ...(deprecatedSince !== undefined && { Deprecation: `@${Math.floor(deprecatedSince / 1000)}` }),
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
  };
  const headers = (prefix: string) =>
    successor ? { ...fixed, Link: `<${prefix}${successor}>; rel="successor-version"` } : fixed;
  return {
    headers,
    refusal(now, prefix) {
      if (sunset === undefined || !isRemoved(operation, now)) return undefined;
      const instead = successor ? ` Use GET ${prefix}${successor} instead.` : '';
      const message = `${id} was removed on ${new Date(sunset).toISOString().slice(0, 10)}.${instead}`;
      return toErrorAnswer('operation_removed', message, headers(prefix));
    },
  };
}

/** Whether an operation is removed at an instant, in Unix milliseconds: from its sunset on. */
export function isRemoved({ deprecated, sunset }: Operation, now: number): boolean {
  return deprecated && sunset !== undefined && now >= sunset;
}
