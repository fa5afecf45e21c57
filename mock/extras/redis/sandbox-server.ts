import { randomBytes } from 'node:crypto';
import type { Journal, LocalJournal } from '../../journal/journal.ts';
import type { CloseReason } from '../../sandboxes/sandbox-backend.ts';
import type { HeldSandbox, MirroredState, Reply, Step } from '../../sandboxes/sandbox-log.ts';
import {
  createTextSnapshots,
  type Snapshots,
  type SnapshotTexts,
} from '../../sandboxes/snapshots.ts';
import type { Collections } from '../../state/store.ts';
import { type Change, Table } from '../../state/table.ts';
import { tableOf } from '../../state/tables.ts';
import type { Connection } from './connection.ts';
import { type Keys, toKeys } from './keys.ts';
import { loadScript, removeScript, stepScript } from './scripts.ts';
import { type SharedJournal, shareJournal } from './shared-journal.ts';

/** The reply of scripts/step.lua. */
type StepReply = [
  status: 'absent' | 'behind' | 'done',
  system: number,
  items: string,
  state: string,
  changes: string[] | null,
  text: string | null,
  leaving: EvictedSandbox[],
];

/** A sandbox that made room for others, and why. */
export type EvictedSandbox = [name: string, reason: 'idle' | 'max'];

export type SandboxServerOptions = {
  connection: Connection;
  /** How many sandboxes there may be, and after how many milliseconds one goes; 0 for never. */
  max: number;
  idle: number;
  /** The names of sandboxes that were used since that was stored. */
  used: Set<string>;
  /** The server's time in Unix milliseconds, as it was a moment ago. */
  onTime: (system: number) => void;
  /** Is told which sandboxes made room, and why. */
  onLeave: (leaving: readonly EvictedSandbox[]) => void;
};

/** How many changes go as such; a step with more stores all items anew. */
const maxChanges = 500;

/** How many fields are written at once, and how long they wait to be used, in milliseconds. */
const [fieldsAtOnce, stagedFor] = [500, '60000'];

/** How many milliseconds longer than other scripts the server may take to give all items. */
const loadTime = 5000;

/**
 * A sandbox at a server that several processes share. Its version is two tips, of the items and of
 * the state: each store of either makes another.
 */
export class SandboxServer implements HeldSandbox {
  readonly isShared = true;
  readonly snapshots: Snapshots;
  readonly #name: string;
  readonly #options: SandboxServerOptions;
  readonly #keys: Keys;
  #journal: SharedJournal | undefined;

  constructor(name: string, options: SandboxServerOptions) {
    const { connection } = options;
    this.#name = name;
    this.#options = options;
    this.#keys = toKeys(connection.prefix);
    this.snapshots = createTextSnapshots(snapshotsAt(this.#keys.snapshotsOf(name), connection));
  }

  async step(step: Step, { version, tables }: MirroredState): Promise<Reply | undefined> {
    const { text, changes = [], isStart = false } = step;
    if (isStart) await this.#journal?.settle();
    let { collections } = step;
    if (changes.length > maxChanges) {
      const after = tables.fork();
      for (const change of changes) after.apply(change);
      collections = after.save();
    }
    const { max, idle, used, onTime, onLeave } = this.#options;
    const [knownItems = '', knownState = ''] = version.split(' ');
    const tip = randomBytes(9).toString('base64url');
    const isUse = used.delete(this.#name) || isStart;
    const args = [String(idle), String(max), step.how ?? '', knownItems, knownState, tip];
    args.push(text ?? '');
    const staged = collections && (await this.#stage(collections, tip));
    const what = staged ? 'all' : changes.length > 0 ? 'some' : '';
    args.push(what, staged ?? JSON.stringify(changes), isStart ? '1' : '');
    const { hasOptions } = step;
    args.push(hasOptions === undefined ? '' : String(Number(hasOptions)), isUse ? '1' : '');
    if (what === 'some')
      args.push(...toFields(changes, (name) => tables.find(name)?.lastSerial ?? 0).flat());
    const reply = (await this.#run(stepScript, args)) as StepReply;
    const [status, system, items, state, lacking, lackingText, leaving] = reply;
    const isDone = status === 'done';
    if (staged && !isDone) await this.#options.connection.send('UNLINK', staged);
    onTime(system);
    if (status === 'absent') return undefined;
    if (leaving.length > 0) onLeave(leaving);
    const loaded = lacking ? undefined : await this.#load();
    if (!lacking && !loaded) return undefined;
    const toVersion = ({ items, state }: { items: string; state: string }) =>
      `${isDone && what !== '' ? tip : items} ${isDone && text !== undefined ? tip : state}`;
    return {
      isDone,
      version: toVersion(loaded ?? { items, state }),
      news: [
        ...(lackingText === null ? [] : ['state' as const]),
        ...(lacking?.length === 0 ? [] : ['items' as const]),
      ],
      text: isDone && text !== undefined ? undefined : (loaded?.text ?? lackingText ?? undefined),
      changes: (lacking ?? []).flatMap((entry) => JSON.parse(entry.slice(entry.indexOf(' ') + 1))),
      collections: loaded?.collections,
    };
  }

  readonly journal = (local: LocalJournal): Journal => {
    const { connection } = this.#options;
    this.#journal = shareJournal(local, { name: this.#name, connection, keys: this.#keys });
    return this.#journal;
  };

  async close(reason: CloseReason): Promise<void> {
    if (reason === 'deleted') await this.#run(removeScript, []);
  }

  /** All of it; undefined where it does not exist any more. */
  async #load() {
    const loaded = (await this.#run(loadScript, [], loadTime)) as
      | [items: string, state: string, text: string, fields: string[]]
      | null;
    if (!loaded) return undefined;
    const [items, state, text, fields] = loaded;
    return { items, state, text, collections: readFields(fields) };
  }

  #run(script: typeof stepScript, args: readonly string[], extraTime?: number): Promise<unknown> {
    const { connection } = this.#options;
    return connection.run(script, [connection.prefix, this.#name, ...args], extraTime);
  }

  /** Writes all items to a temporary key, before they replace the others. */
  async #stage(collections: Collections, tip: string): Promise<string> {
    const { connection } = this.#options;
    const key = this.#keys.stagedOf(this.#name, tip);
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

/**
 * Returns the snapshots at a key: a hash with two fields for each, its description and its state.
 */
function snapshotsAt(key: string, { send }: Connection): SnapshotTexts {
  const fieldsOf = (name: string) => [`about ${name}`, `of ${name}`] as const;
  const read = async (fields: readonly string[]) =>
    (await send('HMGET', key, ...fields)) as (string | null)[];
  return {
    async get(name) {
      const [summary, state] = await read(fieldsOf(name));
      return summary && state ? { summary, state } : undefined;
    },
    async put(name, summary, state) {
      const [about, of] = fieldsOf(name);
      await send('HSET', key, about, summary, of, state);
    },
    delete: async (name) => Number(await send('HDEL', key, ...fieldsOf(name))) > 0,
    clear: async () => void (await send('DEL', key)),
    async summaries() {
      const fields = (await send('HKEYS', key)) as string[];
      const about = fields.filter((field) => field.startsWith('about '));
      const found = about.length > 0 ? await read(about) : [];
      return found.filter((summary) => summary !== null);
    },
  };
}

/** A field of the hash of items, and its value; an empty value removes the field. */
type Field = readonly [name: string, value: string];

/** Of no item, so that a hash without items is there too. */
const marker: Field = ['all', '1'];

/**
 * The fields that changes mean: one for a collection, `"NAME"`, with its next number and the last
 * serial number, and one for an item, `"NAME" SERIAL`. Names and ids are JSON texts, as halves of
 * surrogate pairs would be all alike in UTF-8.
 */
function toFields(changes: readonly Change[], lastSerialOf: (name: string) => number) {
  const fields = new Map<string, string>();
  const lastSerials = new Map<string, number>();
  for (const { collection, serial, next, put } of changes) {
    const name = JSON.stringify(collection);
    const last = Math.max(serial, lastSerials.get(collection) ?? lastSerialOf(collection));
    lastSerials.set(collection, last);
    fields.set(name, JSON.stringify([next, last]));
    fields.set(`${name} ${serial}`, put ? JSON.stringify([put.id, put.json, put.filters]) : '');
  }
  return [...fields];
}

/** The fields of all items. */
function* allFields(collections: Collections): Generator<Field> {
  yield marker;
  for (const [collection, contents] of Object.entries(collections)) {
    const table = tableOf(contents);
    const name = JSON.stringify(collection);
    yield [name, JSON.stringify([table.next, table.lastSerial])];
    for (const { serial, item } of table.entries())
      yield [`${name} ${serial}`, JSON.stringify([item.id, item.json, item.filters])];
  }
}

/** Reads the fields of all items, names and values in turn. */
function readFields(list: readonly string[]): Collections {
  const tables = new Map<string, { table: Table; about: string }>();
  const items: [name: string, serial: number, text: string][] = [];
  for (let at = 0; at < list.length; at += 2) {
    const [field, value] = [list[at] as string, list[at + 1] as string];
    if (field === marker[0]) continue;
    const end = field.lastIndexOf('"') + 1;
    const name = field.slice(0, end);
    if (end === field.length) tables.set(name, { table: new Table(), about: value });
    else items.push([name, Number(field.slice(end)), value]);
  }
  for (const [name, serial, text] of items.toSorted((left, right) => left[1] - right[1])) {
    const [id, json, filters] = JSON.parse(text);
    tables.get(name)?.table.put({ item: { id, json, filters }, serial, next: 1 });
  }
  return Object.fromEntries(
    [...tables].map(([name, { table, about }]) => {
      const [next, lastSerial] = JSON.parse(about);
      return [JSON.parse(name), Object.assign(table, { next, lastSerial })];
    }),
  );
}
