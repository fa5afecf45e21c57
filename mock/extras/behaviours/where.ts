import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folders of the twin's own code. */
const own = [
  '../../../mock/',
  '../../../contracts/',
  '../../../package/',
  '../../../node_modules/',
].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** Matches the place in a stack line: a file URL or path, and its line. */
const frame = /(?:^|\(|at (?:async )?)((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+)(?::\d+)?\)?$/;

/** The file and line in code of the user that an error comes from; undefined where it comes from none. */
export function whereIs(error: unknown): string | undefined {
  const { stack = '' } = error instanceof Error ? error : {};
  for (const one of stack.split('\n')) {
    const [, place = '', line] = frame.exec(one.trim()) ?? [];
    const plain = place.replace(/\?.*/, '');
    const file = plain.startsWith('file:') ? fileURLToPath(plain) : plain;
    const isOwn =
      /[\\/]node_modules[\\/]/.test(file) || own.some((folder) => file.startsWith(folder));
    if (file !== '' && !isOwn) return `${toShown(file)}:${line}`;
  }
  return undefined;
}

/** A file as messages name it. */
export function toShown(file: string): string {
  const near = relative('.', file);
  return near.startsWith('..') ? file : near;
}
