import type { Differences } from '../state/differences.ts';
import type { Connection } from './connection.ts';
import { toItemFields } from './item-fields.ts';
import type { SandboxKeys } from './keys.ts';
import type { Command } from './shared-state.ts';

/** How many fields are written at once, so that the server is not blocked for long. */
const fieldsAtOnce = 500;

/** How long items wait to be used, in milliseconds. */
const stagedFor = '60000';

/**
 * Writes the items of a whole state where they wait for it, and gives the commands that put them in
 * place.
 */
export async function stageItems(
  connection: Connection,
  { items }: SandboxKeys,
  differences: Differences,
  token: string,
): Promise<Command[]> {
  const fields = Object.entries(toItemFields(differences));
  if (fields.length === 0) return [];
  const staged = `${items}:${token}`;
  for (let at = 0; at < fields.length; at += fieldsAtOnce) {
    const some = fields.slice(at, at + fieldsAtOnce).flat();
    await connection.send(staged, 'HSET', staged, ...some);
    await connection.send(staged, 'PEXPIRE', staged, stagedFor);
  }
  return [
    ['PERSIST', staged],
    ['RENAME', staged, items],
  ];
}
