import type { Operation } from '../model/operation.ts';
import { flatten, type RawDocument, type Schema } from '../schema.ts';
import { allTypesOf } from './schema-types.ts';
import { sentSchemaOf } from './success.ts';

/** In how many bodies a text of the call is at least. */
const minBodies = 8;

/** In the bodies of which part of the operations it is at least. */
const minShare = 0.9;

/**
 * Marks in operations the texts that the bodies of nearly all of them have, of those that read too,
 * such as `client_id` and `secret`.
 */
export function markOfCall(raw: RawDocument, operations: readonly Operation[]): void {
  const least = Math.max(minBodies, operations.length * minShare);
  const sent = operations.map((one) => flatten(raw, sentSchemaOf(one)).properties);
  const counts = Map.groupBy(sent.flatMap(Object.keys), (name) => name);
  const isText = (schema: Schema | undefined) => allTypesOf(raw, schema).includes('string');
  for (const [index, properties] of sent.entries()) {
    const isOfCall = (name: string) =>
      isText(properties[name]) && (counts.get(name)?.length ?? 0) >= least;
    const names = Object.keys(properties).filter(isOfCall);
    if (names.length > 0) (operations[index] as Operation).ofCall = names;
  }
}
