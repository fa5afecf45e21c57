import { readFile } from 'node:fs/promises';

/** Gives what was made of a file before, as long as the text of the file is the same. */
export function reuseUnchanged<Value>(
  make: (file: string) => Promise<Value>,
): (file: string) => Promise<Value> {
  let last: { file: string; text: string; value: Value } | undefined;
  return async (file) => {
    const text = await readFile(file, 'utf8');
    if (last?.file !== file || last.text !== text) last = { file, text, value: await make(file) };
    return last.value;
  };
}
