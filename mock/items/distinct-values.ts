import { uniquePropertiesOf } from '../../contracts/description/collections/unique-properties.ts';
import type { ApiDocument, Resource } from '../../contracts/description/document.ts';
import { describeShown } from '../../contracts/description/marks.ts';
import { generateNamed } from '../../fixtures/generate.ts';
import { stringifyExact } from '../json/exact-integers.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How many other values are tried for a property before it is left out. */
const maxAttempts = 20;

/**
 * Makes what gives each generated item another value of the properties that the document marks as
 * unique; one that has no other value is left out where it may be. Undefined where it marks none.
 */
export function createDistinct(
  document: ApiDocument,
  resource: Resource,
): ((item: Fields, n: number) => Fields) | undefined {
  const names = uniquePropertiesOf(document.raw, resource);
  if (names.length === 0) return undefined;
  const { properties, required } = resource.item;
  const seen = new Set<string>();
  const isNew = (name: string, value: unknown) =>
    seen.size !== seen.add(`${name}:${stringifyExact(value ?? null)}`).size;
  const makeOther = (name: string, n: number): unknown => {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const value = generateNamed(name, properties[name] ?? {}, {
        seed: n * maxAttempts + attempt,
        describe: (schema) => describeShown(document, schema),
      });
      if (isNew(name, value)) return value;
    }
    return undefined;
  };
  return (item, n) => {
    const distinct: Record<string, unknown> = { ...item };
    for (const name of names) {
      if (!Object.hasOwn(item, name) || isNew(name, item[name])) continue;
      const other = makeOther(name, n);
      if (other !== undefined) distinct[name] = other;
      else if (!required.includes(name)) delete distinct[name];
    }
    return distinct;
  };
}
