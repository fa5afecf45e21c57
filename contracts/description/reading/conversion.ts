import type { RawDocument } from '../schema.ts';

/** Where a part of a Swagger document goes while it is converted. */
export type Conversion = {
  moves: Map<string, string>;
  consumes: readonly string[];
  produces: readonly string[];
  /** The part that a local reference leads to, in the document as it was. */
  follow: (part: RawDocument) => RawDocument;
};
