import type { OutputUnit } from '@cfworker/json-schema';

/**
 * An error of the validator that a person can act on. Where no alternative (`oneOf`, `anyOf`) has
 * the type of the value, one error with the keyword `alternatives` stands for them all, and holds
 * what each of them wanted.
 */
export type SchemaError = Pick<
  OutputUnit,
  'keyword' | 'keywordLocation' | 'instanceLocation' | 'error'
> & {
  inner?: readonly SchemaError[];
};

/** Keywords that only report that a nested value is wrong, whose own error follows. */
const wrappers = [
  '$ref',
  '$recursiveRef',
  'allOf',
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

const identities = ['type', 'const', 'enum', 'false'];

/**
 * The errors that say what is wrong: for alternatives, the errors of the one that was intended, and
 * for a fault with two errors, the clearer one.
 */
export function chooseErrors(errors: readonly OutputUnit[]): SchemaError[] {
  const counted = errors
    .filter(({ keyword }) => keyword === 'minContains' || keyword === 'maxContains')
    .map((error) => ({ ...error, keywordLocation: `${parentOf(error)}/contains` }));
  return withoutDoubles(
    toLeaves(errors.filter((error) => !counted.some((count) => isWithin(error, count)))),
  );
}

function toLeaves(errors: readonly OutputUnit[]): SchemaError[] {
  const leaves: SchemaError[] = [];
  for (let at = 0; at < errors.length; ) {
    const error = errors[at] as OutputUnit;
    let end = at + 1;
    while (end < errors.length && isWithin(errors[end] as OutputUnit, error)) end += 1;
    leaves.push(...toLeavesOf(error, errors.slice(at + 1, end)));
    at = end;
  }
  return leaves;
}

function toLeavesOf(error: OutputUnit, inner: readonly OutputUnit[]): SchemaError[] {
  const { keyword, keywordLocation } = error;
  if (keyword === 'anyOf' || keyword === 'oneOf') return chooseAlternative(error, inner);
  // What its then or else found wrong follows.
  if (keyword === 'if') return [];
  // Where nothing is let through, the validator gives the place in the value for that in the
  // schema.
  if (wrappers.includes(keyword) && inner.length > 0)
    return toLeaves(inner).map((leaf) =>
      leaf.keyword === 'false' ? { ...leaf, keywordLocation } : leaf,
    );
  if (keyword === 'propertyNames')
    return inner.slice(0, 1).map((one) => ({ ...error, instanceLocation: one.instanceLocation }));
  return [error];
}

/**
 * The errors of the alternative that was meant: the only one of the value's type, or with the
 * constants that it has.
 */
function chooseAlternative(error: OutputUnit, inner: readonly OutputUnit[]): SchemaError[] {
  const { keyword, keywordLocation, instanceLocation } = error;
  if (keyword === 'oneOf' && !error.error.includes('(0 matches)')) return [error];
  const depth = keywordLocation.split('/').length;
  const groups = Map.groupBy(inner, (one) => one.keywordLocation.split('/')[depth]);
  const alternatives = [...groups.values()].map(toLeaves);
  const isOfType = (leaves: SchemaError[]) =>
    !leaves.some(
      (leaf) => leaf.instanceLocation === instanceLocation && identities.includes(leaf.keyword),
    );
  const meant = alternatives.filter(isOfType);
  if (meant.length === 0)
    return [
      {
        ...error,
        keyword: 'alternatives',
        inner: alternatives.flatMap((leaves) => leaves.filter(isIdentity)),
      },
    ];
  const distinguished = meant.filter(
    (leaves) => !leaves.some(({ keyword: of }) => of === 'const' || of === 'enum'),
  );
  const [one, ...others] = meant.length > 1 ? distinguished : meant;
  return one && others.length === 0 ? one : [error];
}

function isIdentity({ keyword }: SchemaError): boolean {
  return identities.includes(keyword) && keyword !== 'false';
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
  const listed = new Set(
    errors
      .filter(({ keyword }) => keyword === 'const' || keyword === 'enum')
      .map((error) => `${error.instanceLocation} ${parentOf(error)}`),
  );
  return errors.filter(
    (error) =>
      error.keyword !== 'type' || !listed.has(`${error.instanceLocation} ${parentOf(error)}`),
  );
}

/** Where the schema is that a keyword stands in. */
function parentOf({ keywordLocation }: SchemaError): string {
  return keywordLocation.slice(0, keywordLocation.lastIndexOf('/'));
}
