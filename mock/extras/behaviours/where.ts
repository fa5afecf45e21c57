import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folders of the twin's own code. */
const own = [
  '../../../mock/',
  '../../../contracts/',
  '../../../package/',
  '../../../node_modules/',
].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** The file and line in code of the user that an error comes from; undefined where it comes from none. */
export function whereIs(error: unknown): string | undefined {
  const { stack = '' } = error instanceof Error ? error : {};
  for (const line of stack.split('\n')) {
    const [, place = '', number] =
      /\(?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+)(?::\d+)?\)?$/.exec(line) ?? [];
    const file = place.startsWith('file:')
      ? fileURLToPath(place.replace(/\?.*/, ''))
      : place.replace(/\?.*/, '');
    const isOfUser = file !== '' && !/[\\/]node_modules[\\/]/.test(file);
    if (isOfUser && !own.some((folder) => file.startsWith(folder)))
      return `${toShown(file)}:${number}`;
  }
  return undefined;
}

/** A file as messages name it. */
export function toShown(file: string): string {
  const near = relative('.', file);
  return near.startsWith('..') ? file : near;
}
