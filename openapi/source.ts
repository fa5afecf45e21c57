import type { RawDocument } from './schema.ts';

/** Where a compiled document keeps what it was compiled of, for the modules of this folder alone. */
export const source: unique symbol = Symbol('source');

/** What a document was compiled of. */
export type Source = {
  /** As OpenAPI 3.1 or 3.2, without what cannot be used. */
  raw: RawDocument;
  /** The same for readers: with integers that a double cannot hold as bigints. */
  exact: RawDocument;
};

/** A compiled document, or a part of one. */
export type Sourced = { readonly [source]: Source };
