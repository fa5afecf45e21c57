import type { Clock } from '../../clock.ts';
import type { Fields } from '../../items/stored-item.ts';
import { oncePer } from '../../json/once-per.ts';

/** What became of an object, and how it is then. */
export type Change = { type: 'ADDED' | 'MODIFIED' | 'DELETED'; collection: string; object: Fields };

/** How many changes those who watch can catch up with. */
const maxChanges = 1000;

/** The changes of the objects of a sandbox, and the versions that count them. */
class Feed {
  readonly #clock: Clock;
  readonly #changes: (Change & { version: number })[] = [];
  readonly #listeners = new Set<() => void>();
  /** The version of the last change that is forgotten. */
  #forgotten: number;
  #last: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#last = clock.now();
    this.#forgotten = this.#last - 1;
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

  note(change: Change): void {
    this.#changes.push({ ...change, version: this.#last });
    if (this.#changes.length > maxChanges)
      this.#forgotten = this.#changes.shift()?.version ?? this.#forgotten;
    for (const listener of this.#listeners) listener();
  }

  /** The changes after a version; undefined where some of them are forgotten. */
  since(version: number): Change[] | undefined {
    if (version < this.#forgotten) return undefined;
    return this.#changes.filter((change) => change.version > version);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export type { Feed };

/** The feed of a sandbox, which its clock tells from others. */
export const feedOf = oncePer((clock: Clock) => new Feed(clock));
