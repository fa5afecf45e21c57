import type { OutputUnit } from '@cfworker/json-schema';

/** An error of the validator that a person can act on. */
export type SchemaError = Pick<
  OutputUnit,
  'keyword' | 'keywordLocation' | 'instanceLocation' | 'error'
>;

/** Keywords that only report that a nested value is wrong, whose own error follows. */
const wrappers = [
  '$ref',
  '$recursiveRef',
  'allOf',
  'if',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'dependentSchemas',
  'dependencies',
];

/** Keywords of an alternative that the value was not meant to be. */
const identities = ['type', 'const', 'enum', 'false'];

/** Returns the index of the alternative that the value names where an error is; undefined if none. */
export type FindNamed = (error: SchemaError) => string | undefined;

/**
 * The errors that say what is wrong: for alternatives, the errors of the one that was intended, and
 * for a fault with two errors, the clearer one.
 */
export function chooseErrors(errors: readonly OutputUnit[], findNamed: FindNamed): SchemaError[] {
  return withoutDoubles(toLeaves(errors, findNamed));
}

function toLeaves(errors: readonly OutputUnit[], findNamed: FindNamed): SchemaError[] {
  const leaves: SchemaError[] = [];
  for (let at = 0; at < errors.length; ) {
    const error = errors[at] as OutputUnit;
    let end = at + 1;
    while (end < errors.length && isWithin(errors[end] as OutputUnit, error)) end += 1;
    const inner = errors.slice(at + 1, end);
    const { keyword } = error;
    if (keyword === 'anyOf' || keyword === 'oneOf')
      leaves.push(...chooseAlternative(error, inner, findNamed));
    else if (wrappers.includes(keyword) && inner.length > 0)
      leaves.push(...toLeaves(inner, findNamed));
    else if (keyword !== 'if') leaves.push(error);
    at = end;
  }
  return leaves;
}

/** The errors of the only alternative that has the type and the constants of the value. */
function chooseAlternative(
  error: OutputUnit,
  inner: readonly OutputUnit[],
  findNamed: FindNamed,
): SchemaError[] {
  const { keyword, keywordLocation } = error;
  const depth = keywordLocation.split('/').length;
  const groups = Map.groupBy(inner, (one) => one.keywordLocation.split('/')[depth]);
  if (keyword === 'oneOf' && !error.error.includes('(0 matches)')) {
    // A value that fits several is of the one that it names (OpenAPI, "Discriminator Object").
    const named = findNamed(error);
    return named === undefined || groups.has(named) ? [error] : [];
  }
  const alternatives = [...groups.values()].map((one) => toLeaves(one, findNamed));
  const isOfType = ({ keyword: of, instanceLocation }: SchemaError) =>
    instanceLocation !== error.instanceLocation || !identities.includes(of);
  const ofType = alternatives.filter((leaves) => leaves.every(isOfType));
  const distinguished = ofType.filter((leaves) =>
    leaves.every(({ keyword: of }) => of !== 'const' && of !== 'enum'),
  );
  const [one, ...others] = ofType.length > 1 ? distinguished : ofType;
  return one && others.length === 0 ? one : [error];
}

/** Whether another error replaces an error. */
function isWithin(error: OutputUnit, outer: OutputUnit): boolean {
  const isInside =
    error.instanceLocation === outer.instanceLocation ||
    error.instanceLocation.startsWith(`${outer.instanceLocation}/`);
  return (
    isInside &&
    (error.keywordLocation.startsWith(`${outer.keywordLocation}/`) || error.keyword === 'false')
  );
}

/** A value outside an `enum` needs no further error about its type. */
function withoutDoubles(errors: readonly SchemaError[]): SchemaError[] {
  const placeOf = ({ instanceLocation, keywordLocation }: SchemaError) =>
    `${instanceLocation} ${keywordLocation.slice(0, keywordLocation.lastIndexOf('/'))}`;
  const isList = ({ keyword }: SchemaError) => keyword === 'const' || keyword === 'enum';
  const listed = new Set(errors.filter(isList).map(placeOf));
  return errors.filter((error) => error.keyword !== 'type' || !listed.has(placeOf(error)));
}
