import {
  byNames,
  maxSnapshots,
  parseSavedText,
  type SnapshotSummary,
  type Snapshots,
  toSavedText,
  toSummary,
} from '../../sandboxes/snapshots.ts';
import type { Connection } from './connection.ts';

/** The snapshots of a sandbox at a key: a hash with two fields for each, what it is and its state. */
export function createSharedSnapshots(connection: Connection, key: string): Snapshots {
  const [summaryOf, stateOf] = [(name: string) => `about ${name}`, (name: string) => `of ${name}`];
  const read = async (fields: readonly string[]) =>
    (await connection.send('HMGET', key, ...fields)) as (string | null)[];
  const namesOf = async () => {
    const fields = (await connection.send('HKEYS', key)) as string[];
    return fields.filter((field) => field.startsWith('of ')).map((field) => field.slice(3));
  };
  return {
    async get(name) {
      const [summary, state] = await read([summaryOf(name), stateOf(name)]);
      if (!summary || !state) return undefined;
      const { createdAt }: SnapshotSummary = JSON.parse(summary);
      return { name, createdAt, state: parseSavedText(state) };
    },
    async put(snapshot) {
      const { name, state } = snapshot;
      const names = await namesOf();
      if (names.length >= maxSnapshots && !names.includes(name)) return false;
      const summary = JSON.stringify(toSummary(snapshot));
      await connection.send(
        ...['HSET', key, summaryOf(name), summary, stateOf(name), toSavedText(state)],
      );
      return true;
    },
    delete: async (name) =>
      Number(await connection.send('HDEL', key, summaryOf(name), stateOf(name))) > 0,
    clear: async () => void (await connection.send('DEL', key)),
    async list() {
      const names = await namesOf();
      const found = names.length > 0 ? await read(names.map(summaryOf)) : [];
      const there = found.filter((summary) => summary !== null);
      return there.map((summary): SnapshotSummary => JSON.parse(summary)).toSorted(byNames);
    },
    held: () => [],
  };
}
