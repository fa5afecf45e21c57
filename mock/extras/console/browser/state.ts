import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Admin } from '../../pages/browser/admin.ts';

/**
 * The value read last, and the reason for a failed reading; both are undefined before the first
 * response.
 */
export type Reading<T> = { value?: T; problem?: string };

/** A value that is kept by its name, and what changes it. */
type KeptValue<T> = [value: T, set: (value: T) => void];

/** The state from which a panel, a function of it, is drawn. */
export interface PanelState {
  /** The value of a path of the admin, which is read every so many milliseconds while it is drawn. */
  read<T>(path: string, every?: number): T | undefined;
  /** The same with its problem, for a part that shows the problem itself. */
  reading<T>(path: string, every?: number): Reading<T>;
  /** A value until another panel is opened. */
  keep<T>(name: string, initial: T): KeptValue<T>;
  /** A value until the page is closed. */
  remember<T>(name: string, initial: T): KeptValue<T>;
  /** The result of the last action in the panel. */
  readonly said: string;
  readonly say: (text: string) => void;
}

type Entry = {
  reading: Reading<unknown>;
  text?: string;
  every: number;
  /** How often the parts that were drawn last want it; undefined if none does. */
  wanted?: number | undefined;
  /** Whether the part that reads it shows its problem. */
  isOwn: boolean;
  turn: number;
  timer?: ReturnType<typeof setTimeout>;
};

/**
 * The state of the console of a sandbox: reads what its parts are drawn from, and again whenever
 * something is changed through the page. What was read outlives a failed reading.
 */
export class ConsoleState implements PanelState {
  readonly admin: Admin;
  readonly #redraw: () => void;
  readonly #entries = new Map<string, Entry>();
  readonly #kept = new Map<string, unknown>();
  readonly #remembered = new Map<string, unknown>();
  readonly #leave: () => void;
  #panel = '';

  constructor(admin: Admin, redraw: () => void) {
    this.admin = admin;
    this.#redraw = redraw;
    this.#leave = admin.onChange(() => {
      for (const [path, entry] of this.#entries) void this.#load(path, entry);
    });
  }

  /** Draws a panel; paths that are not read meanwhile are not read any more. */
  draw<T>(panel: string, view: () => T): T {
    if (panel !== this.#panel) this.#kept.clear();
    this.#panel = panel;
    for (const entry of this.#entries.values()) entry.wanted = undefined;
    const drawn = view();
    for (const [path, entry] of this.#entries) {
      const { every, wanted } = entry;
      entry.every = wanted ?? every;
      if (wanted === undefined) this.#forget(path);
      else if (wanted < every) void this.#load(path, entry);
    }
    return drawn;
  }

  /** Why a part that shows no problem itself could not be read, if any. */
  get problem(): string | undefined {
    const shown = [...this.#entries.values()].find(
      ({ isOwn, reading }) => !isOwn && reading.problem,
    );
    return shown?.reading.problem;
  }

  read<T>(path: string, every?: number): T | undefined {
    return this.#entryOf(path, { every, isOwn: false }).reading.value as T | undefined;
  }

  reading<T>(path: string, every?: number): Reading<T> {
    return this.#entryOf(path, { every, isOwn: true }).reading as Reading<T>;
  }

  keep<T>(name: string, initial: T): KeptValue<T> {
    return this.#valueOf(this.#kept, name, initial);
  }

  remember<T>(name: string, initial: T): KeptValue<T> {
    return this.#valueOf(this.#remembered, name, initial);
  }

  get said(): string {
    return this.keep('said', '')[0];
  }

  readonly say = (text: string): void => this.keep('said', '')[1](text);

  close(): void {
    this.#leave();
    for (const path of this.#entries.keys()) this.#forget(path);
  }

  #valueOf<T>(values: Map<string, unknown>, name: string, initial: T): KeptValue<T> {
    const set = (value: T) => {
      values.set(name, value);
      this.#redraw();
    };
    if (!values.has(name)) values.set(name, initial);
    return [values.get(name) as T, set];
  }

  #entryOf(path: string, { every = 1000, isOwn }: { every?: number | undefined; isOwn: boolean }) {
    let entry = this.#entries.get(path);
    if (!entry) {
      entry = { reading: {}, every, isOwn, turn: 0 };
      this.#entries.set(path, entry);
      void this.#load(path, entry);
    }
    entry.wanted = Math.min(every, entry.wanted ?? every);
    return entry;
  }

  async #load(path: string, entry: Entry): Promise<void> {
    clearTimeout(entry.timer);
    entry.turn += 1;
    const { turn } = entry;
    const result = await this.admin.call({ method: 'GET', path });
    if (turn !== entry.turn) return;
    const { reading, text } = entry;
    // The same state is not drawn again.
    if (!result.ok && reading.problem !== result.message)
      entry.reading = { ...reading, problem: result.message };
    if (result.ok && (text !== result.text || reading.problem !== undefined))
      Object.assign(entry, { reading: { value: result.value }, text: result.text });
    if (entry.reading !== reading) this.#redraw();
    if (Number.isFinite(entry.every))
      entry.timer = setTimeout(() => void this.#load(path, entry), entry.every);
  }

  #forget(path: string): void {
    const entry = this.#entries.get(path);
    if (!entry) return;
    clearTimeout(entry.timer);
    entry.turn += 1;
    this.#entries.delete(path);
  }
}

/** The state around the controls of panels. */
export const ConsoleContext = createContext<ConsoleState | undefined>(undefined);

/** The admin that controls call, and what says the results. */
export function useConsole(): Pick<ConsoleState, 'admin' | 'say'> {
  const state = useContext(ConsoleContext);
  if (!state) throw new Error('There is no console around this component');
  return state;
}
