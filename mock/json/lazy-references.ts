import type { Ajv } from 'ajv';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js';
import { walkDocument } from '../../contracts/description/reading/parts.ts';
import type { RawDocument } from '../../contracts/description/schema.ts';

/** Above this number of schemas, compiling all that one of them leads to takes too long for a call. */
const maxEager = 100;

/**
 * Whether what schemas of a document refer to should be compiled when a value gets there: where
 * they are many, which often lead to one another, and none asks what another has evaluated.
 */
export function suitsLazyReferences(raw: RawDocument): boolean {
  if (Object.keys(raw.components?.schemas ?? {}).length <= maxEager) return false;
  let asks = false;
  walkDocument(raw, (part, { kind }) => {
    if (kind !== 'schema' || typeof part !== 'object' || part === null) return;
    asks ||= 'unevaluatedProperties' in part || 'unevaluatedItems' in part;
  });
  return !asks;
}

/** Lets an Ajv compile what a `$ref` leads to when a value gets there. */
export function useLazyReferences(
  ajv: Ajv2020,
  compileReference: ($ref: string) => ValidateFunction,
): void {
  const known = new Map<string, ValidateFunction>();
  ajv.removeKeyword('$ref');
  ajv.addKeyword({
    keyword: '$ref',
    schemaType: 'string',
    compile($ref: string) {
      const followed: DataValidateFunction = (value: unknown, place?: DataValidationCxt) => {
        let validate = known.get($ref);
        if (!validate) known.set($ref, (validate = compileReference($ref)));
        const fits = validate(value, place);
        followed.errors = validate.errors ?? [];
        return fits;
      };
      return followed;
    },
  });
}

/**
 * Lets a validator find equal items (`uniqueItems`) by their text. Ajv compares each with each
 * where they are objects: one MiB of them took minutes.
 */
export function useFastUniqueItems(ajv: Ajv): void {
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isUnique: boolean, items: unknown[]) =>
      !isUnique || new Set(items.map(toComparedText)).size === items.length,
    error: { message: 'must not have two equal items' },
  });
}

/**
 * The same text for equal values of JSON (JSON Schema §4.2.2): the order of properties does not
 * matter.
 */
function toComparedText(value: unknown): string {
  return JSON.stringify(value, (_, inner) => {
    if (typeof inner === 'number' && !Number.isFinite(inner)) return `${inner}`;
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)),
    );
  });
}
