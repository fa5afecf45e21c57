import { isObject } from '../../common/json.ts';
import { follow, type RawDocument } from '../schema.ts';
import { type LinkedSchema, listOf } from './endless-schemas.ts';
import { type Fault, removal } from './fault.ts';

/** A schema that looks at the same value as another one, and its place. */
type SchemaPart = { schema: RawDocument; pointer: string };

/**
 * Finds schemas that forbid by `additionalProperties: false` what schemas beside them describe or
 * require: no such keyword sees the properties of other parts, so that no value might fit.
 */
export function findClosedSchemas(
  schemas: readonly LinkedSchema[],
  document: RawDocument,
): Fault[] {
  const found = new Map<RawDocument, { part: SchemaPart; needed: Set<unknown> }>();
  const note = (parts: readonly SchemaPart[], names: readonly unknown[]) => {
    for (const part of parts) {
      if (!isClosed(part.schema)) continue;
      const { needed } = found.get(part.schema) ?? {
        needed: new Set<unknown>(namesIn(part.schema)),
      };
      for (const name of names) needed.add(name);
      found.set(part.schema, { part, needed });
    }
  };
  for (const { schema, place } of schemas) {
    const requires = 'required' in schema && ('oneOf' in schema || 'anyOf' in schema);
    if (!('allOf' in schema) && !isClosed(schema) && !requires) continue;
    const whole = { schema, pointer: place.pointer };
    const always = partsOf(document, whole, ['allOf']);
    const all = partsOf(document, whole, listKeywords);
    if (!all.some((part) => isClosed(part.schema))) continue;
    note(
      always,
      all.flatMap((part) => namesIn(part.schema)),
    );
    // An alternative may forbid what others describe, but nothing that every value must have.
    const isOther = ({ schema }: SchemaPart) => always.every((part) => part.schema !== schema);
    note(
      all.filter(isOther),
      always.flatMap((part) => listOf(part.schema.required)),
    );
  }
  return [...found.values()].flatMap(({ part, needed }) => {
    const isEnough = needed.isSubsetOf(new Set(namesIn(part.schema)));
    return [...(isEnough ? [] : [toOpened(part)]), ...findImpossible(part, needed)];
  });
}

/** The keywords that apply schemas to the same value. */
const listKeywords = ['allOf', 'oneOf', 'anyOf'];

function isClosed({ additionalProperties, patternProperties }: RawDocument): boolean {
  return additionalProperties === false && patternProperties === undefined;
}

function namesIn({ properties }: RawDocument): string[] {
  return isObject(properties) ? Object.keys(properties) : [];
}

/** Returns a schema and those that keywords with lists of schemas lead to from it. */
function partsOf(
  document: RawDocument,
  whole: SchemaPart,
  keywords: readonly string[],
): SchemaPart[] {
  const found = new Map<RawDocument, SchemaPart>();
  const add = (schema: unknown, pointer: string): void => {
    if (!isObject(schema) || found.has(schema)) return;
    found.set(schema, { schema, pointer });
    const { $ref } = schema;
    const target = typeof $ref === 'string' ? follow(document, $ref) : undefined;
    if (target !== undefined) add(target, decodeURIComponent($ref.slice(1)));
    for (const keyword of keywords)
      for (const [index, one] of listOf(schema[keyword]).entries())
        add(one, `${pointer}/${keyword}/${index}`);
  };
  add(whole.schema, whole.pointer);
  return [...found.values()];
}

function toOpened({ schema, pointer }: SchemaPart): Fault {
  return {
    pointer: `${pointer}/additionalProperties`,
    problem: 'it forbids properties that schemas of the same value describe, and is ignored',
    mend: removal(schema, 'additionalProperties'),
  };
}

function findImpossible({ schema, pointer }: SchemaPart, described: ReadonlySet<unknown>): Fault[] {
  return listOf(schema.required).flatMap((name, index) => {
    if (described.has(name)) return [];
    const problem = `"${name}" is required, and additionalProperties forbids it; it is read as optional`;
    return [
      { pointer: `${pointer}/required/${index}`, problem, mend: removal(schema.required, index) },
    ];
  });
}
