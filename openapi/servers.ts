import type { RawDocument } from './schema.ts';

/** Returns the URL of a server, with the defaults of its variables. */
export function toServerUrl({ url, variables }: RawDocument): string {
  return String(url).replace(/\{(.+?)\}/g, (_, name) => variables?.[name]?.default ?? name);
}

/** Returns the paths that the servers of a part end with. */
export function basePathsOf({ servers = [] }: RawDocument): string[] {
  return servers.map((server: RawDocument) =>
    new URL(toServerUrl(server), 'http://localhost').pathname.replace(/\/+$/, ''),
  );
}
