import { createHash } from 'node:crypto';
import { readOwn } from '../../../contracts/look/read-own.ts';

/** A script in Lua, with the hash by which a server that has it is asked to run it. */
export type Script = { text: string; hash: string };

/** Reads a script from the files beside this one; several files make one script. */
export function readScript(...files: string[]): Script {
  const text = files.map((file) => readOwn(new URL(`scripts/${file}`, import.meta.url))).join('\n');
  return { text, hash: createHash('sha1').update(text).digest('hex') };
}
