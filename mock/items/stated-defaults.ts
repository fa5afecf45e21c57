import {
  type ApiDocument,
  resolveSchema,
  type Schema,
} from '../../contracts/description/document.ts';
import { isMarked } from '../../contracts/description/marks.ts';
import { compilerOf } from '../json/compile-once.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { parseExact } from '../json/exact-json.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The defaults that schemas of properties state, but for those that do not fit their own schema;
 * undefined where none is stated. They are checked at first need.
 */
export function createStatedDefaults(
  document: ApiDocument,
  schemas: readonly (readonly [name: string, schema: Schema])[],
): (() => Fields) | undefined {
  const stated = schemas.flatMap(([name, schema]) => {
    if (isMarked(document.raw, schema, 'writeOnly')) return [];
    const { default: value } = resolveSchema(document, schema);
    return value === undefined ? [] : [{ name, schema, value }];
  });
  if (stated.length === 0) return undefined;
  let fitting: Fields | undefined;
  return () => {
    fitting ??= Object.fromEntries(
      stated
        .filter(({ schema, value }) => fits(document, schema, value))
        .map(({ name, value }) => [name, value]),
    );
    return fitting;
  };
}

function fits(document: ApiDocument, schema: Schema, value: unknown): boolean {
  try {
    return !compilerOf(document)(schema, 'writeOnly')(parseExact(stringifyExact(value)).doubles);
  } catch {
    // What cannot be checked is taken as it is.
    return true;
  }
}
