import type { ApiDocument } from '../../contracts/description/document.ts';
import { keyPlacesOf } from '../../contracts/description/key-places.ts';
import { usedSchemes } from '../../contracts/description/security.ts';
import { findUnchecked } from '../documented/answer-source.ts';
import { asksForKeysAlone } from './create-security.ts';
import { toExpected } from './describe-ways.ts';

/** How callers of a document say who they are, for people. */
export type Access = {
  /** Whether any operation needs a key. */
  asksForKeys: boolean;
  /** The schemes with what is sent for each, unless that is a bearer token alone. */
  schemes: { name: string; expected: string }[];
  /** What is asked for and cannot be checked. */
  unchecked: string[];
};

/** How callers say who they are. */
export function describeAccess(document: ApiDocument): Access {
  const { operations } = document;
  const checked = usedSchemes(operations).filter(
    ({ type }) => type !== 'mutualTLS' && type !== 'unknown',
  );
  return {
    asksForKeys: operations.some((operation) => keyPlacesOf(operation).length > 0),
    schemes: asksForKeysAlone(document)
      ? []
      : checked.map((scheme) => ({ name: scheme.name, expected: toExpected(scheme) })),
    unchecked: findUnchecked(document),
  };
}
