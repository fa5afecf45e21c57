import type { Resource } from '../../contracts/description/document.ts';
import { referenceStatusOf, setsReferences } from '../behaviours/held-references.ts';

/** A property that holds the id of an item of another collection. */
export type ReferenceExplanation = {
  property: string;
  collection: string;
  /** The operations that set it, each with the status that refuses an id that no item has, if any. */
  setBy: readonly { method: string; path: string; refusedWith?: number }[];
};

/** Explains which properties of items refer to other collections, and what holds them. */
export function explainReferences({
  references = [],
  operations,
}: Resource): ReferenceExplanation[] {
  const setBy = Object.values(operations)
    .filter(setsReferences)
    .map((operation) => {
      const { method, path } = operation;
      const refusedWith = referenceStatusOf(operation);
      return { method, path, ...(refusedWith !== undefined && { refusedWith }) };
    });
  return references.map((reference) => ({ ...reference, setBy }));
}

/** The same in a sentence. */
export function describeReference({ property, collection, setBy }: ReferenceExplanation): string {
  const refusing = setBy.filter(({ refusedWith }) => refusedWith !== undefined);
  const accepting = setBy.filter(({ refusedWith }) => refusedWith === undefined);
  const phrases = [
    refusing.length > 0 &&
      `refused by ${refusing.map(({ method, path, refusedWith }) => `${method} ${path} (${refusedWith})`).join(', ')}`,
    accepting.length > 0 &&
      `accepted by ${accepting.map(({ method, path }) => `${method} ${path}`).join(', ')}, as no error of the caller is described`,
  ].filter((one) => one !== false);
  const ofUnknown = phrases.length > 0 ? `; an unknown id is ${phrases.join(', and ')}` : '';
  return `${property} holds the id of an item of ${collection}${ofUnknown}`;
}
