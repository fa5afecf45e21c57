import type { SnapshotTexts } from '../../sandboxes/snapshots.ts';
import type { Connection } from './connection.ts';

/**
 * Returns the snapshots at a key: a hash with two fields for each, its description and its state.
 */
export function snapshotsAt(key: string, { send }: Connection): SnapshotTexts {
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
