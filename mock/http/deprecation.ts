import type { ApiDocument, Operation } from '../../contracts/document.ts';
import type { Clock } from '../clock.ts';
import { type Answer, toErrorAnswer } from './answer.ts';

/** The headers of a deprecated operation, and its answer once it is removed. */
export type Deprecation = { headers: Readonly<Record<string, string>>; refusal: () => Answer | undefined };

/** 2024-12-05, in Unix seconds; the interface gives no date (x-silences, deprecation-date). */
const deprecatedSince = 1_733_356_800;

/**
 * Deprecation (RFC 9745), Sunset (RFC 8594) and a Link to the successor (RFC 8288): the list of the same resource. From
 * the sunset on, by the twin's clock, the operation is gone.
 */
export function createDeprecation(operation: Operation, document: ApiDocument, clock: Clock): Deprecation | undefined {
  if (!operation.deprecated) return undefined;
  const { id, sunset } = operation;
  const resource = document.resources.find(({ name }) => name === operation.resource);
  const list = resource?.operations.list;
  const successor = list && list !== operation ? `${document.basePath}${list.path}` : undefined;
  const headers = {
    Deprecation: `@${deprecatedSince}`,
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
    ...(successor && { Link: `<${successor}>; rel="successor-version"` }),
  };
  const instead = successor ? ` Use GET ${successor} instead.` : '';
  const gone =
    sunset === undefined
      ? undefined
      : toErrorAnswer(
          'operation_removed',
          `${id} was removed on ${new Date(sunset).toISOString().slice(0, 10)}.${instead}`,
          headers,
        );
  return { headers, refusal: () => (sunset !== undefined && clock.now() >= sunset ? gone : undefined) };
}
