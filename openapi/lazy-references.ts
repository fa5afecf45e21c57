import { walkDocument } from './reading/parts.ts';
import type { RawDocument } from './schema.ts';

/** Above this number of schemas, compiling all that one of them leads to takes too long for a call. */
const maxEager = 100;

/** The keywords by which several schemas look at one value. */
const choices = ['allOf', 'anyOf', 'oneOf', 'if', 'not', 'dependentSchemas'];

/**
 * Whether what schemas of a document refer to should be compiled when a value gets there: where
 * they are many, which often lead to one another, or have alternatives, and none asks what another
 * has evaluated.
 */
export function suitsLazyReferences(raw: RawDocument): boolean {
  let isLazy = Object.keys(raw.components?.schemas ?? {}).length > maxEager;
  let asks = false;
  walkDocument(raw, (part, { kind }) => {
    if (kind !== 'schema' || typeof part !== 'object' || part === null) return;
    asks ||= 'unevaluatedProperties' in part || 'unevaluatedItems' in part;
    isLazy ||= choices.some((keyword) => keyword in part);
  });
  return isLazy && !asks;
}
