import type { RawDocument } from './schema.ts';

/** Returns the URL of a server, with the defaults of its variables. */
export function toServerUrl({ url, variables }: RawDocument): string {
  return String(url).replace(/\{(.+?)\}/g, (_, name) => variables?.[name]?.default ?? name);
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

function toServerUrls({ url: given, variables = {} }: RawDocument): string[] {
  const urls = Object.entries<RawDocument>(variables).reduce(
    (made, [name, variable]) =>
      made
        .flatMap((one) =>
          [variable?.enum ?? []].flat().map((value) => one.replaceAll(`{${name}}`, String(value))),
        )
        .concat(made),
    [String(given)],
  );
  return [given, ...urls.slice(0, maxUrls)].flatMap((url: string) => {
    // Only the path of a request tells servers apart.
    const [origin = ''] = /^([^/]*\/\/)?[^/]*/.exec(url) ?? [];
    const path = url
      .slice(origin.length)
      .replace(/\{(.+?)\}/g, (found, name) =>
        variables[name]?.enum ? toServerUrl({ url: found, variables }) : found,
      );
    return [toServerUrl({ url, variables }), toServerUrl({ url: origin, variables }) + path];
  });
}
