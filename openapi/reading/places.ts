import { fromToken, toToken } from '../../common/json-pointer.ts';
import type { RawDocument } from '../schema.ts';

/** A place below that of the part so many levels above. */
export type Below = { readonly up: number; readonly below: string };

/**
 * The places of parts before they were moved: a JSON pointer without `#`, or with one after the
 * file that they come from. The parts below a part move with it.
 */
export class Places {
  readonly #known = new WeakMap<object, string | Below>();
  readonly #lists = new WeakMap<object, readonly unknown[]>();
  readonly #shared = new WeakSet<object>();

  /** Notes where a part was written, unless it is known. */
  note(part: unknown, place: string | Below): void {
    if (isHeld(part) && !this.#known.has(part) && !this.#shared.has(part))
      this.#known.set(part, place);
  }

  /** Takes a part as one that stands at several places. */
  share(part: object): void {
    this.#shared.add(part);
  }

  /** Notes the places of all that a part holds. */
  noteAll(part: unknown, place = ''): void {
    if (!isHeld(part) || this.#shared.has(part)) return;
    const known = this.#known.get(part);
    const own = typeof known === 'string' && known !== '' ? known : place;
    this.note(part, own);
    for (const [key, inner] of Object.entries(part)) this.noteAll(inner, `${own}/${toToken(key)}`);
  }

  /** Notes the order in which the items of a list were written, others between them. */
  noteOrder(list: object, written: readonly unknown[]): void {
    this.#lists.set(list, written);
  }

  /** Whether it is noted where a part was written. */
  has(part: object): boolean {
    return this.#known.has(part);
  }

  /** Gives what stands for a part the place of this. */
  move(part: object, to: object): void {
    const place = this.#known.get(part);
    if (place !== undefined) this.note(to, place);
  }

  /** Finds the place where the part at a pointer of the document was written. */
  find(document: RawDocument, pointer: string): string {
    let part: unknown = document;
    const above: string[] = [''];
    for (const token of pointer.split('/').slice(1)) {
      const holder = part as RawDocument | undefined;
      part = holder?.[fromToken(token)];
      const known = isHeld(part) ? this.#known.get(part) : undefined;
      const place =
        typeof known === 'object' ? `${above.at(-known.up) ?? ''}${known.below}` : known;
      above.push(place || `${above.at(-1)}/${this.#indexOf(holder, token) ?? token}`);
    }
    return above.at(-1) ?? '';
  }

  /** Returns the index at which an item of a list was written; the same may stand there again. */
  #indexOf(list: unknown, token: string): number | undefined {
    const written = Array.isArray(list) ? this.#lists.get(list) : undefined;
    if (!written) return undefined;
    const own = (list as unknown[])[Number(token)];
    const before = (list as unknown[]).slice(0, Number(token)).filter((one) => one === own).length;
    const found = [...written.keys()].filter((index) => written[index] === own);
    return found[before];
  }
}

function isHeld(part: unknown): part is object {
  return typeof part === 'object' && part !== null;
}
