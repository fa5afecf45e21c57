import { namesOf } from '../common/words.ts';
import type { RawDocument } from './schema.ts';

/** Above this number of schemas, compiling all that one of them leads to takes too long for a call. */
const maxEager = 100;

/** The keywords by which several schemas look at one value. */
const choices = namesOf('allOf anyOf oneOf if then else not dependentSchemas');

/**
 * Whether what schemas of a document refer to should be compiled when a value gets there: where
 * they are many, which often lead to one another, or several of them look at one value, and none asks
 * what another has evaluated. `linked` are its schemas that lead to others.
 */
export function suitsLazyReferences(
  { components }: RawDocument,
  linked: readonly { schema: RawDocument }[],
): boolean {
  const asks = ({ schema }: { schema: RawDocument }) =>
    'unevaluatedProperties' in schema || 'unevaluatedItems' in schema;
  const isLarge = Object.keys(components?.schemas ?? {}).length > maxEager;
  return !linked.some(asks) && (isLarge || linked.some(({ schema }) => multiplies(schema)));
}

/** Whether several parts of a schema look at the same value, and refer to others. */
function multiplies(schema: RawDocument): boolean {
  if (!choices.some((keyword) => keyword in schema)) return false;
  const others = Object.entries(schema).filter(([keyword]) => !choices.includes(keyword));
  const parts = choices.flatMap((keyword) => {
    const value = schema[keyword];
    const isMany = keyword === 'dependentSchemas' || Array.isArray(value);
    return isMany ? Object.values(value ?? {}) : [value];
  });
  return [...parts, Object.fromEntries(others)].filter(refers).length > 1;
}

function refers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return '$ref' in value || Object.values(value).some(refers);
}
