import {
  type ApiDocument,
  findResource,
  type Operation,
  type Resource,
  type ResponseDescription,
} from '../../contracts/description/document.ts';
import { describeShown } from '../../contracts/description/marks.ts';
import { withAt } from '../../contracts/description/property-path.ts';
import { generateValue } from '../../fixtures/generate.ts';
import { toItemId } from '../items/item-ids.ts';

/**
 * Makes the JSON content of a response of an operation: its first example, else a value of its
 * schema, of which examples and defaults of the schema are taken first. `dynamic` makes up all of
 * it. The same for the same seed (0 to 2^32 - 1); undefined where no JSON is described.
 */
export type MakeContent = (
  response: ResponseDescription,
  options: { seed: number; dynamic?: boolean },
) => unknown;

/** Items of a list get ids of their own, as made ones would meet. */
export function createMakeContent(operation: Operation, document: ApiDocument): MakeContent {
  const resource = findResource(document, operation);
  return ({ examples, schema }, { seed, dynamic = false }) => {
    const [example] = Object.values(examples);
    if (!dynamic && example !== undefined) return example;
    if (!schema) return undefined;
    const value = generateValue(schema, {
      seed,
      describe: (inner) => describeShown(document, inner),
      own: !dynamic,
    });
    return resource && Array.isArray(value)
      ? value.map((item, index) => withId(item, index + 1, resource))
      : value;
  };
}

function withId(item: object, n: number, { idProperty, idSchema }: Resource): object {
  return withAt(item as Readonly<Record<string, unknown>>, idProperty, toItemId(n, idSchema));
}
