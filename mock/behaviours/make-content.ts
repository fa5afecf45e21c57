import {
  type ApiDocument,
  describeSchema,
  type Operation,
  type Resource,
  type Schema,
} from '../../contracts/description/document.ts';
import { generateValue } from '../../fixtures/generate.ts';
import { idOf } from '../items/stored-item.ts';

/**
 * Makes the content of an operation's success from its schema, the same for the same seed (0 to
 * 2^32 - 1).
 */
export type MakeContent = (schema: Schema, seed: number) => unknown;

/** Items of a list get ids of their own, as made ones would meet. */
export function createMakeContent(operation: Operation, document: ApiDocument): MakeContent {
  const resource = document.resources.find(({ name }) => name === operation.resource);
  return (schema, seed) => {
    const value = generateValue(schema, { seed, describe: (one) => describeSchema(document, one) });
    return resource && Array.isArray(value)
      ? value.map((item, index) => withId(item, index + 1, resource))
      : value;
  };
}

function withId(item: object, n: number, { idProperty, idSchema }: Resource): object {
  return { [idProperty]: undefined, ...item, [idProperty]: idOf(n, idSchema) };
}
