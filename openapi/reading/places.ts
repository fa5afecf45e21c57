import { fromToken, toToken } from '../../common/json-pointer.ts';
import type { RawDocument } from '../schema.ts';

/** A part that says where it is when it is asked. */
type Pointed = { readonly pointer: string };

/**
 * The places of parts before they were moved: a JSON pointer without `#`, or with one after the
 * file that they come from. The parts below a part move with it.
 */
export class Places {
  readonly #known = new WeakMap<object, string | Pointed>();

  /** Notes where a part was written, unless it is known. */
  note(part: unknown, place: string | Pointed): void {
    if (typeof part === 'object' && part !== null && !this.#known.has(part))
      this.#known.set(part, place);
  }

  /** Notes the places of all that a part holds. */
  noteAll(part: unknown, place = ''): void {
    if (typeof part !== 'object' || part === null) return;
    const own = this.#placeOf(part) || place;
    this.note(part, own);
    for (const [key, inner] of Object.entries(part)) this.noteAll(inner, `${own}/${toToken(key)}`);
  }

  /** Gives what stands for a part the place of this. */
  move(part: object, to: object): void {
    const place = this.#known.get(part);
    if (place !== undefined) this.note(to, place);
  }

  /** Finds the place where the part at a pointer of the document was written. */
  find(document: RawDocument, pointer: string): string {
    let part: unknown = document;
    let place = '';
    for (const token of pointer.split('/').slice(1)) {
      part = (part as RawDocument | undefined)?.[fromToken(token)];
      place = this.#placeOf(part) || `${place}/${token}`;
    }
    return place;
  }

  #placeOf(part: unknown): string | undefined {
    const known = typeof part === 'object' && part !== null ? this.#known.get(part) : undefined;
    return typeof known === 'object' ? known.pointer : known;
  }
}
