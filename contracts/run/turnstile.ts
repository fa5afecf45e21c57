/** The share of the timeout that answers may take while more calls are sent beside each other. */
const share = 0.25;

/** After how many calls the pace of a target is known. */
const minMade = 50;

/**
 * Lets as many calls be under way as a target answers well within the timeout: one at first, one more
 * after each such answer, one less after each later one, and one alone since it was too busy.
 */
export class Turnstile {
  readonly #longest: number;
  #most: number;
  #open = 1;
  #inside = 0;
  #made = 0;
  readonly #began = Date.now();
  readonly #waiting: (() => void)[] = [];

  constructor({ timeout, concurrency }: { timeout: number; concurrency: number }) {
    this.#longest = timeout * share;
    this.#most = concurrency;
  }

  /** Makes a call in its turn. */
  async inTurn<Value>(call: () => Promise<Value>): Promise<Value> {
    while (this.#inside >= this.#open)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#inside += 1;
    try {
      return await call();
    } finally {
      this.#inside -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Learns from a call how long it took, in milliseconds, and whether it was too much. */
  learn({ took, isTooMuch }: { took: number; isTooMuch: boolean }): void {
    this.#made += 1;
    if (isTooMuch) this.#most = 1;
    const next = took < this.#longest ? this.#open + 1 : this.#open - 1;
    this.#open = Math.min(Math.max(1, next), this.#most);
    this.#waiting.shift()?.();
  }

  /** How many milliseconds a call takes, with all that is between two, once that is known. */
  perCall(): number | undefined {
    return this.#made < minMade ? undefined : (Date.now() - this.#began) / this.#made;
  }
}
