import { UsageError } from './usage-error.ts';

/**
 * The address of published pages, as links to them begin: a folder, with a slash at its end, or an
 * HTML page. `name` is what a person calls it. Throws {@link UsageError}, which repeats nothing that
 * may be a secret.
 */
export function parsePagesUrl(text: string, name: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `${name} must be an http or https URL, such as https://docs.example.com/petstore/.`,
    );
  if (url.username || url.password)
    throw new UsageError(`${name} must not contain a user name or password, as reports repeat it.`);
  const folder = `${url.origin}${url.pathname}`;
  const base = /\/$|\.html?$/.test(folder) ? folder : `${folder}/`;
  if (url.search || url.hash)
    throw new UsageError(`${name} must have no query or fragment. Did you mean ${base}?`);
  return base;
}
