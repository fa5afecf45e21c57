import { createHash } from 'node:crypto';
import { readOwn } from '../../../common/look/read-own.ts';

/** A script in Lua, with the hash by which a server that has it is asked to run it. */
export type Script = { text: string; hash: string };

/** Reads a script from the files beside this one, behind what all of them share. */
function readScript(name: string): Script {
  const read = (file: string) => readOwn(new URL(`scripts/${file}.lua`, import.meta.url));
  const text = `${read('sandbox')}\n${read(name)}`;
  return { text, hash: createHash('sha1').update(text).digest('hex') };
}

/** A step of a sandbox, see scripts/step.lua. */
export const stepScript = readScript('step');

/** Reads a sandbox, see scripts/load.lua. */
export const loadScript = readScript('load');

/** Removes a sandbox, see scripts/remove.lua. */
export const removeScript = readScript('remove');

/** Appends exchanges to a journal, see scripts/record.lua. */
export const recordScript = readScript('record');

/** Empties a journal, see scripts/clear-journal.lua. */
export const clearJournalScript = readScript('clear-journal');
