import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js';
import { maxErrors } from './problems.ts';

/**
 * Lets an Ajv compile what a `$ref` leads to when a value gets there. Each part of a value is held
 * against it once: alternatives that lead to the same schema multiply with each level of the value.
 */
export function useLazyReferences(
  ajv: Ajv2020,
  compileReference: ($ref: string) => ValidateFunction,
): void {
  const known = new Map<string, ValidateFunction>();
  const found = new Map<string, { value: unknown; errors: readonly ErrorObject[] }>();
  let depth = 0;
  ajv.removeKeyword('$ref');
  ajv.addKeyword({
    keyword: '$ref',
    schemaType: 'string',
    compile($ref: string) {
      const look = (value: unknown, place?: DataValidationCxt): readonly ErrorObject[] => {
        const validate = known.get($ref) ?? compileReference($ref);
        known.set($ref, validate);
        depth += 1;
        try {
          return validate(value, place) ? [] : (validate.errors ?? []).slice(0, maxErrors);
        } finally {
          depth -= 1;
        }
      };
      const followed: DataValidateFunction = (value: unknown, place?: DataValidationCxt) => {
        const at = `${$ref} ${place?.instancePath}`;
        const before = found.get(at);
        // The names of properties have the place of their object.
        const errors = before && before.value === value ? before.errors : look(value, place);
        found.set(at, { value, errors });
        if (depth === 0) found.clear();
        followed.errors = [...errors];
        return errors.length === 0;
      };
      return followed;
    },
  });
}
