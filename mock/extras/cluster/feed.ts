import { stringifyExact } from '../../../common/json.ts';
import type { Call } from '../../behaviours/behaviour.ts';
import type { Clock } from '../../clock.ts';
import { type Fields, fieldsOf } from '../../items/stored-item.ts';
import { type ByteText, toByteText } from '../../json/exact-json.ts';
import { BoundedMap, type BoundedMapOptions, Budget } from '../../state/budget.ts';

/** A change of an object, and the object afterwards. */
export type Change = { type: 'ADDED' | 'MODIFIED' | 'DELETED'; collection: string; object: Fields };

/** How many changes those who watch can catch up with. */
const maxChanges = 1000;

type NotedChange = Omit<Change, 'object'> & { json: ByteText; version: number; number: number };

/** How far somebody follows the changes: those after a version, and after the number of a change that was seen. */
export type Position = { version: number; number: number };

type FeedCall = Pick<Call, 'clock' | 'sandbox'>;

/** The changes of the objects of a sandbox, and the versions that count them. */
class Feed {
  readonly #clock: Clock;
  readonly #changes: BoundedMap<NotedChange>;
  readonly #listeners = new Set<() => void>();
  /** The last change that is forgotten. */
  #forgotten: Position;
  #last: number;
  #count = 0;

  constructor({ clock, sandbox }: FeedCall) {
    this.#clock = clock;
    this.#last = clock.now();
    this.#forgotten = { version: this.#last - 1, number: 0 };
    const options: BoundedMapOptions<NotedChange> = {
      max: maxChanges,
      onDrop: (change) => (this.#forgotten = change),
    };
    this.#changes = sandbox?.kept('changes', options) ?? new BoundedMap(new Budget(), options);
  }

  /** The version of the last change. */
  get version(): number {
    return this.#last;
  }

  /** A version above all before; those of a twin that starts again go on above, too. */
  next(): string {
    this.#last = Math.max(this.#last + 1, this.#clock.now());
    return String(this.#last);
  }

  note({ object, ...change }: Change): void {
    const json = toByteText(stringifyExact(object));
    const number = (this.#count += 1);
    this.#changes.set(
      String(number),
      { ...change, json, version: this.#last, number },
      json.length,
    );
    for (const listener of this.#listeners) listener();
  }

  /**
   * Returns the first change after a position, and the next position. Without a `change` if there
   * is none yet; undefined if older changes are lost.
   */
  after({ version, number }: Position): { change?: Change; position: Position } | undefined {
    const isForgotten =
      number === 0 ? version < this.#forgotten.version : number < this.#forgotten.number;
    if (isForgotten) return undefined;
    const found = this.#changes
      .values()
      .find((one) => one.version > version && one.number > number);
    if (!found) return { position: { version, number } };
    const { json, ...change } = found;
    return {
      change: { ...change, object: fieldsOf(json) },
      position: { version, number: found.number },
    };
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export type { Feed };

const feeds = new WeakMap<Clock, Feed>();

/** The feed of a sandbox, which its clock tells from others. */
export function feedOf(call: FeedCall): Feed {
  const feed = feeds.get(call.clock) ?? new Feed(call);
  feeds.set(call.clock, feed);
  return feed;
}
