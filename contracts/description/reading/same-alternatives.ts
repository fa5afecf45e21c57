import { follow, type RawDocument } from '../schema.ts';
import type { Fault } from './fault.ts';
import { isRecord, type Place } from './walk.ts';

/** Keywords that say nothing of a value. */
const annotations = new Set(
  '$comment default deprecated description example examples externalDocs readOnly title writeOnly xml'.split(
    ' ',
  ),
);

/** Keywords that hold schemas by names, which are no keywords. */
const named = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);

/** How deep references are followed; what differs only below is taken to differ. */
const maxDepth = 12;

/**
 * Finds alternatives of which a value never fits one alone, as two ask for the same. They are read
 * as `anyOf`.
 */
export function findSameAlternatives(
  part: RawDocument,
  { pointer }: Place,
  { root, moves }: { root: RawDocument; moves: Map<string, string> },
): Fault[] {
  const { oneOf, anyOf } = part;
  if (!Array.isArray(oneOf) || anyOf !== undefined) return [];
  const second = oneOf.findIndex((right, index) =>
    oneOf.slice(0, index).some((left) => asksTheSame(root, left, right, maxDepth)),
  );
  if (second === -1) return [];
  return [
    {
      pointer: `${pointer}/oneOf/${second}`,
      problem:
        'it asks for the same as an alternative before it, so that no value fits one alone; ' +
        'oneOf is read as anyOf',
      mend: () => {
        part.anyOf = oneOf;
        delete part.oneOf;
        moves.set(`${pointer}/anyOf`, `${pointer}/oneOf`);
      },
    },
  ];
}

function asksTheSame(root: RawDocument, left: unknown, right: unknown, depth: number): boolean {
  if (!isRecord(left) || !isRecord(right)) return isSameValue(left, right);
  if (typeof left.$ref === 'string' && left.$ref === right.$ref) return true;
  if (depth === 0) return false;
  const [first, second] = [left, right].map((one) =>
    typeof one.$ref === 'string' ? follow(root, one.$ref) : one,
  );
  if (first !== left || second !== right) return asksTheSame(root, first, second, depth - 1);
  const keywords = [left, right].map((one) =>
    Object.keys(one).filter((key) => !annotations.has(key) && !key.startsWith('x-')),
  ) as [string[], string[]];
  if (keywords[0].length !== keywords[1].length) return false;
  return keywords[0].every((key) => {
    const [one, other] = [left[key], right[key]];
    if (other === undefined) return false;
    if (named.has(key) && isRecord(one) && isRecord(other)) {
      const names = Object.keys(one);
      if (names.length !== Object.keys(other).length) return false;
      return names.every((name) => asksTheSame(root, one[name], other[name], depth - 1));
    }
    if (Array.isArray(one) && Array.isArray(other) && one.some(isRecord))
      return (
        one.length === other.length &&
        one.every((inner, index) => asksTheSame(root, inner, other[index], depth - 1))
      );
    return isRecord(one) ? asksTheSame(root, one, other, depth - 1) : isSameValue(one, other);
  });
}

function isSameValue(left: unknown, right: unknown): boolean {
  return left === right || (typeof left === 'object' && toText(left) === toText(right));
}

function toText(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner));
}
