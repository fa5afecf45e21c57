import { createHash } from 'node:crypto';
import type { Collections } from '../state/store.ts';

/**
 * The settings and data that determine a twin's initial items. State is stored as differences from
 * the initial items, so a store with another fingerprint does not fit.
 */
export type Fingerprint = {
  seed: number;
  /** The number of items to begin with, as stores have held it; undefined with data of its own. */
  pets: number | undefined;
  /** A hash of the collections of the document, and of what items of them are. */
  document: string;
  /** A hash of the data of its own, if any. */
  data: string | undefined;
  /** A hash of the items themselves. */
  items: string;
};

/** How many items at either end of a collection are looked at, as there may be millions. */
const looked = 200;

/** A short hash of a text. */
export function hashText(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}:${text}`);
  return hash.digest('base64url').slice(0, 22);
}

/** A hash of the items that a twin begins with. */
export function hashItems(seeds: Collections): string {
  const texts = Object.entries(seeds).flatMap(([name, { items, next }]) => [
    name,
    `${items.length} ${next}`,
    ...[...items.slice(0, looked), ...items.slice(-looked)].map(({ json }) => json),
  ]);
  return hashText(...texts);
}

/**
 * Says what differs between the twin whose state a store holds and another one, and the two ways
 * out; undefined where nothing does. `store` is the store in words.
 */
export function describeMismatch(
  store: string,
  held: Fingerprint,
  now: Fingerprint,
): string | undefined {
  const names = { seed: '--seed', pets: '--items', data: '--data', document: '--spec' } as const;
  const differing = Object.entries(names).filter(
    ([field]) => held[field as keyof typeof names] !== now[field as keyof typeof names],
  );
  if (differing.length === 0 && held.items === now.items) return undefined;
  const list = new Intl.ListFormat('en').format(differing.map(([, name]) => name));
  const reason = list === '' ? 'that begins with other items' : `with other ${list}`;
  // What the document or an overlay of it changed is followed, and the items kept.
  const isOfDocument = differing.every(([field]) => field === 'document');
  const way = `Start as that one${isOfDocument ? ', let a mock that runs follow the change with --watch' : ''}`;
  return `${store} holds the state of a mock ${reason}. ${way}, or discard the state with --reset-store.`;
}
