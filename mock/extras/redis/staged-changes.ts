import type { Connection } from './connection.ts';
import { cleared } from './item-fields.ts';
import type { SandboxKeys } from './keys.ts';
import { makeTag } from './tag.ts';

/** A field of the items, and its value; an empty one removes the field. */
export type FieldChange = readonly [name: string, value: string];

/** How the fields of a change get to a script: as its arguments, or in a hash that it reads. */
export type SentFields = {
  keys: readonly string[];
  args: readonly string[];
  /** How long the script may take for them, in milliseconds beyond the usual. */
  extraTime: number;
};

/**
 * Sends the fields of a large change before the script that makes them at one moment, as no command
 * can have so many arguments. What was sent stays for the next attempt, so another process that is
 * faster again and again does not matter.
 */
export interface StagedChanges {
  send(fields: readonly FieldChange[]): Promise<SentFields>;
  /** What was sent was used up, or is no longer of use. */
  forget(): void;
}

/** So many fields can be arguments of a script. */
const maxArguments = 2000;

/** How many fields are sent at once, so that the server is not blocked for long. */
const fieldsAtOnce = 1000;

/** How long fields wait to be used, in milliseconds. */
const stagedFor = '60000';

/** How long the server may take for a field, in milliseconds: ten times of what it takes. */
const timeOfField = 0.04;

/** The same for all fields of a collection, of which nobody knows how many there are. */
const timeOfCollection = 10_000;

/** Sends the changes of a sandbox's items, one change at a time. */
export function createStagedChanges(connection: Connection, { items }: SandboxKeys): StagedChanges {
  let staged: { key: string; sent: Map<string, string> } | undefined;

  const write = async (key: string, command: 'HSET' | 'HDEL', list: readonly string[][]) => {
    for (let at = 0; at < list.length; at += fieldsAtOnce) {
      await connection.send(key, command, key, ...list.slice(at, at + fieldsAtOnce).flat());
      await connection.send(key, 'PEXPIRE', key, stagedFor);
    }
  };
  return {
    async send(fields) {
      if (fields.length <= maxArguments) {
        const hasCollection = fields.some(([, value]) => value === cleared);
        const extraTime = hasCollection ? timeOfCollection : 0;
        return { keys: [], args: fields.flat(), extraTime };
      }
      const next = new Map(fields);
      const { key, sent } = staged ?? { key: `${items}:staged:${makeTag()}`, sent: new Map() };
      // What is there after a failure is not known.
      staged = undefined;
      const isNew = ([name, value]: FieldChange) => sent.get(name) !== value;
      await write(
        key,
        'HSET',
        fields.filter(isNew).map((field) => [...field]),
      );
      const isOutdated = (name: string) => !next.has(name);
      await write(
        key,
        'HDEL',
        [...sent.keys()].filter(isOutdated).map((name) => [name]),
      );
      staged = { key, sent: next };
      return { keys: [key], args: [String(next.size)], extraTime: next.size * timeOfField };
    },
    forget() {
      staged = undefined;
    },
  };
}
