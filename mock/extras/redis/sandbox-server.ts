import type { Collections } from '../../state/store.ts';
import type { Change } from '../../state/table.ts';
import type { Connection } from './connection.ts';
import { allFields, readFields, toFields } from './item-fields.ts';
import { toKeys } from './keys.ts';
import { loadScript, removeScript, stepScript } from './scripts.ts';

/** What is to be stored with a step; what is left out stays as it is. */
export type Step = {
  text?: string | undefined;
  changes?: readonly Change[];
  /** All items. */
  collections?: Collections | undefined;
  /** To make the sandbox, or to store it whatever is there. */
  how?: 'new' | 'any';
  isStart?: boolean;
  isUse?: boolean;
  hasOptions?: boolean;
};

/** What the server answers, see scripts/step.lua. */
export type Reply = [
  status: 'absent' | 'behind' | 'done',
  system: number,
  items: string,
  state: string,
  changes: string[] | null,
  text: string | null,
  leaving: Leaving[],
];

/** A sandbox that made room for others, and why. */
export type Leaving = [name: string, reason: 'idle' | 'max'];

/** What a step goes on from, and the tip of what it stores. */
export type StepBasis = {
  items: string;
  state: string;
  tip: string;
  lastSerialOf: (collection: string) => number;
};

export type SandboxServerOptions = {
  connection: Connection;
  /** How many sandboxes there may be, and after how many milliseconds one goes; 0 for never. */
  max: number;
  idle: number;
};

/** How many fields are written at once, and how long they wait to be used, in milliseconds. */
const [fieldsAtOnce, stagedFor] = [500, '60000'];

/** How many milliseconds longer than other scripts the server may take to give all items. */
const loadTime = 5000;

/** A sandbox as it is at the server. */
export class SandboxServer {
  readonly #name: string;
  readonly #options: SandboxServerOptions;

  constructor(name: string, options: SandboxServerOptions) {
    this.#name = name;
    this.#options = options;
  }

  async step(step: Step, { items, state, tip, lastSerialOf }: StepBasis): Promise<Reply> {
    const { text = '', changes = [], collections, how = '', hasOptions } = step;
    const { connection, max, idle } = this.#options;
    const args = [connection.prefix, this.#name, String(idle), String(max)];
    args.push(how, items, state, tip, text);
    let staged: string | undefined;
    if (collections) {
      staged = await this.#stage(collections, tip);
      args.push('all', staged);
    } else args.push(changes.length > 0 ? 'some' : '', JSON.stringify(changes));
    args.push(step.isStart ? '1' : '');
    args.push(hasOptions === undefined ? '' : String(Number(hasOptions)), step.isUse ? '1' : '');
    if (changes.length > 0 && !collections) args.push(...toFields(changes, lastSerialOf).flat());
    const reply = (await connection.run(stepScript, args)) as Reply;
    if (staged && reply[0] !== 'done') await connection.send('UNLINK', staged);
    return reply;
  }

  /** All of it; undefined where it does not exist. */
  async load() {
    const { connection } = this.#options;
    const args = [connection.prefix, this.#name];
    const loaded = (await connection.run(loadScript, args, loadTime)) as
      | [items: string, state: string, text: string, fields: string[]]
      | null;
    if (!loaded) return undefined;
    const [items, state, text, fields] = loaded;
    return { items, state, text, collections: readFields(fields) };
  }

  async remove(): Promise<void> {
    const { connection } = this.#options;
    await connection.run(removeScript, [connection.prefix, this.#name]);
  }

  /** Writes all items where they wait to be put in place of others. */
  async #stage(collections: Collections, tip: string): Promise<string> {
    const { connection } = this.#options;
    const key = toKeys(connection.prefix).stagedOf(this.#name, tip);
    const fields = [...allFields(collections)].flat();
    // One after another, as no command may wait long.
    for (let at = 0; at < fields.length; at += 2 * fieldsAtOnce)
      await Promise.all([
        connection.send('HSET', key, ...fields.slice(at, at + 2 * fieldsAtOnce)),
        connection.send('PEXPIRE', key, stagedFor),
      ]);
    return key;
  }
}
