import { StoreUnavailableError } from '../../state/store.ts';
import type { Connection } from './connection.ts';
import type { SandboxKeys } from './keys.ts';
import { appendScript, commitScript, createScript, enterScript, loadScript } from './scripts.ts';
import { createStagedChanges, type FieldChange } from './staged-changes.ts';
import { makeTag } from './tag.ts';
import type { Fields } from './usage.ts';

/**
 * What this process knows of a sandbox that it shares: the epoch, which is another after a reset; the
 * control state; and the version of its items. A version is known by its tip, which is another for
 * each change: after a failover that lost changes, the same number may stand for something else.
 */
export type Known = { epoch: string; control: string; version: number; tip: string };

/** What follows the shared state in the memory of this process. */
export interface Follower {
  /** What a sandbox begins with that nobody has made yet; `seeds` says what its items are. */
  initialControl(): Promise<{ clock: string; control: string; seeds: string }>;
  /** Follows a change of items, given as its text. */
  apply(change: string): void;
  /**
   * Reads another control state, of a sandbox that began with these seeds, and that is another one
   * with `isNew`; what it gives makes the change seen. Rejects where this process has other seeds.
   */
  prepareControl(control: string, seeds: string, isNew: boolean): Promise<() => void>;
  /** Holds the seeds, with what these fields say of items. */
  loadItems(fields: Fields): void;
  /** Is called before a sandbox is made that was not there; what it gives, once it was made. */
  onCreate(): Promise<() => Promise<void>>;
  /** The server's time in Unix milliseconds, as it was a moment ago. */
  onTime(system: number): void;
}

/** Follows a sandbox that several processes share, and changes it. */
export interface SharedState {
  readonly known: Readonly<Known>;
  /**
   * Brings the follower up to date, and gives the decision on a call, if there are arguments for
   * one. They are asked for anew where the control state was another.
   */
  enter(toLimitArgs?: () => readonly string[]): Promise<readonly string[]>;
  /**
   * Appends a change of items and applies it, or brings the follower up to date where others were
   * made before.
   */
  append(change: string, fields: readonly FieldChange[]): Promise<'appended' | 'behind'>;
  /**
   * Runs commands for whoever holds the lock, see scripts/commit.lua; `next` is what is known
   * afterwards, and `follow` makes it seen.
   */
  commit(
    token: string,
    commands: readonly Command[],
    next: Partial<Known>,
    follow?: () => void,
  ): Promise<void>;
  /** Loads the control state again at the next use. */
  forgetControl(): void;
}

/** A command on a key, with its arguments. */
export type Command = readonly [name: string, key: string, ...args: string[]];

export type SharedStateOptions = {
  connection: Connection;
  keys: SandboxKeys;
  /**
   * After how many milliseconds without use the sandbox is gone, 0 for never; undefined for one that
   * does not make room for others either.
   */
  idle?: number | undefined;
  /** How much of the last changes is retained for others to follow: bytes, and changes. */
  logBytes?: number;
  logLength?: number;
};

/** How often to begin again where others change a sandbox faster than it can be read. */
const maxAttempts = 20;

/** How many fields are read at once, so that the server is not blocked for long. */
const fieldsAtOnce = '1000';

/** Follows a sandbox at these keys. */
export function createSharedState(follower: Follower, options: SharedStateOptions): SharedState {
  const { connection, keys, idle = '' } = options;
  const { logBytes = 4_000_000, logLength = 1000 } = options;
  const process = makeTag();
  const staged = createStagedChanges(connection, keys);
  let appended = 0;
  let known: Known = { epoch: '', control: '', version: 0, tip: '' };
  let loading: Promise<void> | undefined;

  const tooFast = () =>
    new StoreUnavailableError(
      `Other processes change the sandbox at ${connection.shown} faster than this one can follow.`,
    );

  /** Applies changes that follow a version; whether the follower is at the last one then. */
  const follow = (sent: Known, version: number, tip: string, changes: string[] | null): boolean => {
    // Without changes the server may have lost some, and then its version is lower.
    if (known.epoch !== sent.epoch || !changes) return false;
    let at = sent.version;
    for (const text of changes) {
      at += 1;
      if (at <= known.version) continue;
      const [next = '', before] = text.split(' ', 2);
      if (at !== known.version + 1 || before !== known.tip) return false;
      follower.apply(text.slice(next.length + known.tip.length + 2));
      known = { ...known, version: at, tip: next };
    }
    return known.version > version || (known.version === version && known.tip === tip);
  };

  const create = async () => {
    const onCreated = await follower.onCreate();
    const { clock, control, seeds } = await follower.initialControl();
    const isMade = await connection.run(
      createScript,
      [keys.head, keys.control, keys.items, keys.log, keys.usage, keys.faults, keys.snapshots],
      [makeTag(), makeTag(), clock, seeds, control],
    );
    if (isMade === 1) await onCreated();
  };
  const readItems = async (): Promise<Fields> => {
    const fields: Fields = {};
    let cursor = '0';
    do {
      const [next, found] = (await connection.send(
        keys.items,
        ...['HSCAN', keys.items, cursor, 'COUNT', fieldsAtOnce],
      )) as [string, string[]];
      for (let at = 0; at < found.length; at += 2)
        fields[found[at] as string] = found[at + 1] as string;
      cursor = next;
    } while (cursor !== '0');
    return fields;
  };
  const load = async (hasItems: boolean) => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const loaded = (await connection.run(loadScript, [keys.head, keys.control], [])) as
        | [
            epoch: string,
            control: string,
            version: string,
            tip: string,
            seeds: string,
            text: string,
          ]
        | null;
      if (!loaded) {
        await create();
        continue;
      }
      const [epoch, control, version, tip, seeds, text] = loaded;
      const before = known;
      const isNew = epoch !== before.epoch;
      const isOther = isNew || control !== before.control;
      if (!isNew && !hasItems) {
        if (!isOther) return;
        const follow = await follower.prepareControl(text, seeds, false);
        if (known.epoch !== epoch || known.control !== before.control) continue;
        follow();
        known = { ...known, control };
        return;
      }
      // What changes meanwhile is in some fields already; the changes since are applied again.
      const fields = await readItems();
      const reply = (await enterOnce({ epoch, control, version: Number(version), tip })) as Reply;
      const [status, , lastVersion, lastTip, changes] = reply;
      if (status !== 'same' || changes === null) continue;
      const followControl = isOther ? await follower.prepareControl(text, seeds, isNew) : undefined;
      // A change of this process came first.
      if (known !== before) continue;
      followControl?.();
      follower.loadItems(fields);
      known = { epoch, control, version: Number(version), tip };
      if (follow(known, lastVersion, lastTip, changes)) return;
    }
    throw tooFast();
  };
  /** One load at a time; those who ask for it meanwhile look again afterwards. */
  const loadOnce = (hasItems: boolean) => {
    loading ??= load(hasItems).finally(() => (loading = undefined));
    return loading;
  };

  const enterOnce = async (sent: Known, limitArgs: readonly string[] = []) => {
    const reply = (await connection.run(
      enterScript,
      [keys.head, keys.log, keys.usage],
      [sent.epoch, sent.control, String(sent.version), sent.tip, String(idle), ...limitArgs],
    )) as Reply | [status: 'absent' | 'other', system: number];
    follower.onTime(reply[1]);
    return reply;
  };
  const enter = async (toLimitArgs?: () => readonly string[]) => {
    let decision: readonly string[] | undefined;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const sent = known;
      const reply = await enterOnce(sent, decision ? [] : toLimitArgs?.());
      if (reply[0] !== 'same') {
        await loadOnce(false);
        continue;
      }
      const [, , version, tip, changes, taken] = reply;
      decision ??= taken;
      if (follow(sent, version, tip, changes)) return decision;
      if (known === sent) await loadOnce(true);
    }
    throw tooFast();
  };

  return {
    get known() {
      return known;
    },
    enter,
    async append(change, fields) {
      const sent = known;
      const tip = `${process}.${++appended}`;
      const text = `${tip} ${sent.tip} ${change}`;
      const { keys: stagedKeys, args, extraTime } = await staged.send(fields);
      const [status, version, lastTip, changes] = (await connection.run(
        appendScript,
        [keys.head, keys.log, keys.items, ...stagedKeys],
        [
          ...[sent.epoch, String(sent.version), sent.tip],
          ...[tip, text.length > logBytes ? '' : text, String(logBytes), String(logLength)],
          ...args,
        ],
        { extraTime },
      )) as [status: string, version: number, tip: string, changes: string[] | null];
      if (status === 'appended' || status === 'unstaged') staged.forget();
      if (status === 'appended') {
        // What comes with a call may have been faster.
        if (!follow(sent, version, tip, [text])) await enter();
        return 'appended';
      }
      if (status !== 'behind' || !follow(sent, version, lastTip, changes)) await enter();
      return 'behind';
    },
    async commit(token, commands, next, follow) {
      const scriptKeys: [string, ...string[]] = [keys.head, keys.lock];
      const texts: string[] = [];
      const numbered = commands.map(([name, key, ...args]) => {
        if (!scriptKeys.includes(key)) scriptKeys.push(key);
        // A long text is passed as it is, for it takes time to write and to read as JSON.
        return [
          name,
          scriptKeys.indexOf(key) + 1,
          ...args.map((arg) => (arg.length > 1000 ? texts.push(arg) + 3 : arg)),
        ];
      });
      const status = await connection.run(commitScript, scriptKeys, [
        token,
        known.epoch,
        JSON.stringify(numbered),
        ...texts,
      ]);
      if (status !== 'done')
        throw new StoreUnavailableError(
          `The change was not stored at ${connection.shown}, as it took too long and another process changed the sandbox.`,
        );
      known = { ...known, ...next };
      follow?.();
    },
    forgetControl() {
      known = { ...known, control: '' };
    },
  };
}

type Reply = [
  status: 'same',
  system: number,
  version: number,
  tip: string,
  changes: string[] | null,
  decision: string[],
];
