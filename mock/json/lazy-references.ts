import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js';
import { maxErrors } from './problems.ts';

/**
 * Makes Ajv compile a referenced schema when a value first reaches it. Each part of a value is
 * validated once, as shared alternatives would multiply with each level.
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
