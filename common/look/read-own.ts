import { existsSync, readFileSync } from 'node:fs';

/** A text file of the project; undefined where there is none. The package has all in one file. */
export const findOwn = createFindOwn(new URL('../../', import.meta.url));

/** A text file of the project. Throws where there is none. */
export function readOwn(url: URL): string {
  const text = findOwn(url);
  if (text === undefined) throw new Error(`There is no file ${url}.`);
  return text;
}

function createFindOwn(root: URL): (url: URL) => string | undefined {
  let packed: Readonly<Record<string, string>> | undefined;
  return (url) => {
    packed ??= JSON.parse(readIfThere(new URL('own-files.json', root)) ?? '{}');
    return packed?.[url.href.slice(root.href.length)] ?? readIfThere(url);
  };
}

function readIfThere(url: URL): string | undefined {
  return existsSync(url) ? readFileSync(url, 'utf8') : undefined;
}
