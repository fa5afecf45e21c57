import { textOf } from '../common/text-of.ts';
import type { RawDocument } from './schema.ts';

/** Returns the URL of a server, with the defaults of its variables. */
export function toServerUrl({ url, variables }: RawDocument): string {
  return textOf(url).replace(/\{(.+?)\}/g, (_, name) => variables?.[name]?.default ?? name);
}

/** The maximum number of URLs that the variables of a server make. */
const maxUrls = 100;

/**
 * Returns the paths that the servers of a part end with: also with other values of their variables,
 * with `{name}` for one that may have any, and with the slash that their URL ends with.
 */
export function basePathsOf({ servers = [] }: RawDocument): string[] {
  const paths: string[] = servers.flatMap(toServerUrls).map((url: string) => {
    const { pathname } = new URL(url, 'http://localhost');
    return pathname.replace(/%7B(.+?)%7D/gi, '{$1}');
  });
  const ended = paths.filter((path) => path.length > 1 && path.endsWith('/'));
  return [...new Set([...paths.map((path) => path.replace(/\/+$/, '')), ...ended])];
}

function toServerUrls({ url: given, variables }: RawDocument): string[] {
  const url = textOf(given);
  // Only the path of a request tells servers apart.
  const path = /^([^/]*\/\/)?[^/]*/.exec(url)?.[0].length ?? 0;
  return [...url.matchAll(/\{(.+?)\}/g)].reduce(
    (made, { 0: found, 1: name = '', index }) => {
      const { enum: listed, default: byDefault = name } = variables?.[name] ?? {};
      const values = [byDefault, listed ?? (index > path ? found : [])].flat();
      const toUrls = (one: string) => values.map((value) => one.replaceAll(found, textOf(value)));
      return made.flatMap(toUrls).slice(0, maxUrls);
    },
    [url],
  );
}
