import { fromToken } from '../../contracts/description/json-pointer.ts';
import { endOfString, endOfValue } from '../../contracts/json-text.ts';

/** Pointers as a tree of their tokens. */
export type WantedPlaces = { pointer?: string; inner: Map<string, WantedPlaces> };

/** Puts JSON pointers (RFC 6901) into a tree, so that one pass over a text finds all of them. */
export function toWantedPlaces(pointers: Iterable<string>): WantedPlaces {
  const root: WantedPlaces = { inner: new Map() };
  for (const pointer of pointers) {
    let place = root;
    for (const token of pointer.split('/').slice(1).map(fromToken)) {
      let next = place.inner.get(token);
      if (!next) place.inner.set(token, (next = { inner: new Map() }));
      place = next;
    }
    place.pointer = pointer;
  }
  return root;
}

/**
 * Where the values of a valid JSON text begin that pointers lead to; one that leads to nothing has
 * the place of what would hold it.
 */
export function locateInJson(text: string, pointers: Iterable<string>): Map<string, number> {
  const offsets = new Map<string, number>();
  const space = /[ \t\n\r]*/y;
  const skipSpace = (at: number): number => {
    space.lastIndex = at;
    space.test(text);
    return space.lastIndex;
  };
  /** Visits the value at a place, and gives where it ends. */
  const visit = (start: number, wanted: WantedPlaces): number => {
    notePlace(wanted, start, offsets);
    const opening = text[start];
    if (wanted.inner.size === 0 || (opening !== '{' && opening !== '['))
      return endOfValue(text, start);
    let at = skipSpace(start + 1);
    for (let index = 0; text[at] !== '}' && text[at] !== ']'; index++) {
      let name = String(index);
      if (opening === '{') {
        const end = endOfString(text, at) + 1;
        name = JSON.parse(text.slice(at, end)) as string;
        at = skipSpace(skipSpace(end) + 1);
      }
      const inner = wanted.inner.get(name);
      at = skipSpace(inner ? visit(at, inner) : endOfValue(text, at));
      if (text[at] === ',') at = skipSpace(at + 1);
    }
    return at + 1;
  };
  visit(skipSpace(0), toWantedPlaces(pointers));
  return offsets;
}

/** Notes a place for all that is wanted there or within, until what is within has its own. */
export function notePlace(wanted: WantedPlaces, at: number, offsets: Map<string, number>): void {
  if (wanted.pointer !== undefined) offsets.set(wanted.pointer, at);
  for (const inner of wanted.inner.values()) notePlace(inner, at, offsets);
}
