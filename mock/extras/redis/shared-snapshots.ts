import { parseState, type SavedState, toStateText } from '../../sandboxes/sandbox-state.ts';
import { type SnapshotSummary, type Snapshots, toSummary } from '../../sandboxes/snapshots.ts';
import type { Connection } from './connection.ts';

/** The snapshots of a sandbox at a key: a hash with two fields for each, what it is and its state. */
export function createSharedSnapshots(connection: Connection, key: string): Snapshots {
  const fieldsOf = (name: string) => [`about ${name}`, `of ${name}`] as const;
  const read = async (fields: readonly string[]) =>
    (await connection.send('HMGET', key, ...fields)) as (string | null)[];
  return {
    async get(name) {
      const [summary, state] = await read(fieldsOf(name));
      if (!summary || !state) return undefined;
      const { createdAt }: SnapshotSummary = JSON.parse(summary);
      return { name, createdAt, state: parseState<SavedState>(state) };
    },
    async put(snapshot) {
      const [about, of] = fieldsOf(snapshot.name);
      const summary = JSON.stringify(toSummary(snapshot));
      await connection.send('HSET', key, about, summary, of, toStateText(snapshot.state));
    },
    delete: async (name) => Number(await connection.send('HDEL', key, ...fieldsOf(name))) > 0,
    clear: async () => void (await connection.send('DEL', key)),
    async list() {
      const fields = (await connection.send('HKEYS', key)) as string[];
      const about = fields.filter((field) => field.startsWith('about '));
      const found = about.length > 0 ? await read(about) : [];
      return found.flatMap((summary): SnapshotSummary[] => (summary ? [JSON.parse(summary)] : []));
    },
    held: () => [],
  };
}
