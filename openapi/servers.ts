import type { RawDocument } from './schema.ts';

/** Returns the URL of a server, with the defaults of its variables. */
export function toServerUrl({ url, variables }: RawDocument): string {
  return String(url).replace(/\{(.+?)\}/g, (_, name) => variables?.[name]?.default ?? name);
}

/** The maximum number of URLs that the variables of a server make. */
const maxUrls = 100;

/** Returns the paths that the servers of a part end with, also with other values of their variables. */
export function basePathsOf({ servers = [] }: RawDocument): string[] {
  const paths = servers.flatMap(toServerUrls).map(toPath);
  return [...new Set<string>(paths)];
}

function toServerUrls(server: RawDocument): string[] {
  const urls = Object.entries<RawDocument>(server.variables ?? {}).reduce(
    (made, [name, variable]) =>
      made
        .flatMap((one) =>
          [variable?.enum ?? []].flat().map((value) => one.replaceAll(`{${name}}`, String(value))),
        )
        .concat(made),
    [String(server.url)],
  );
  return [server.url, ...urls.slice(0, maxUrls)].map((url) => toServerUrl({ ...server, url }));
}

function toPath(url: string): string {
  return new URL(url, 'http://localhost').pathname.replace(/\/+$/, '');
}
