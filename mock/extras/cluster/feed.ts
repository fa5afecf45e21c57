import { stringifyExact } from '../../../contracts/json-text.ts';
import type { Call } from '../../behaviours/behaviour.ts';
import type { Clock } from '../../clock.ts';
import { type Fields, fieldsOf } from '../../items/stored-item.ts';
import { type ByteText, toByteText } from '../../json/exact-json.ts';
import { Budget, Kept, type KeptOptions } from '../../state/budget.ts';

/** What became of an object, and how it is then. */
export type Change = { type: 'ADDED' | 'MODIFIED' | 'DELETED'; collection: string; object: Fields };

/** How many changes those who watch can catch up with. */
const maxChanges = 1000;

type NotedChange = Omit<Change, 'object'> & { json: ByteText; version: number };

type FeedCall = Pick<Call, 'clock' | 'sandbox'>;

/** The changes of the objects of a sandbox, and the versions that count them. */
class Feed {
  readonly #clock: Clock;
  readonly #changes: Kept<NotedChange>;
  readonly #listeners = new Set<() => void>();
  /** The version of the last change that is forgotten. */
  #forgotten: number;
  #last: number;
  #count = 0;

  constructor({ clock, sandbox }: FeedCall) {
    this.#clock = clock;
    this.#last = clock.now();
    this.#forgotten = this.#last - 1;
    const options: KeptOptions<NotedChange> = {
      max: maxChanges,
      onDrop: ({ version }) => (this.#forgotten = version),
    };
    this.#changes = sandbox?.kept('changes', options) ?? new Kept(new Budget(), options);
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
    const noted = { ...change, json: toByteText(stringifyExact(object)), version: this.#last };
    this.#changes.set(String((this.#count += 1)), noted, noted.json.length);
    for (const listener of this.#listeners) listener();
  }

  /** The changes after a version; undefined where some of them are forgotten. */
  since(version: number): Change[] | undefined {
    if (version < this.#forgotten) return undefined;
    return this.#changes
      .values()
      .filter((change) => change.version > version)
      .map(({ json, ...change }) => ({ ...change, object: fieldsOf(json) }));
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
