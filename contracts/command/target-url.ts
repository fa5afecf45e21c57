import { UsageError } from '../cli/usage-error.ts';

/**
 * The base URL of a target: absolute, ending in the document's base path. Throws {@link
 * UsageError}.
 */
export function toBaseUrl(
  target: string,
  basePath: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const variable = { production: 'BASE_URL', staging: 'STAGING_BASE_URL' }[target];
  const given = variable ? env[variable] : target;
  if (variable && !given)
    throw new UsageError(
      `--target ${target} takes its address from ${variable}, which is not set.`,
    );
  const hasScheme = given?.includes('://') === true;
  const url = URL.parse(hasScheme ? (given as string) : `http://${given}`);
  const path = url?.pathname.replace(/\/+$/, '') ?? '';
  const isBase = hasScheme || path.endsWith(basePath) || given?.includes('@');
  if (!url || !isBase)
    throw new UsageError(
      `The target "${given}" is not a URL. Give one like https://host${basePath}.`,
    );
  if (url.username || url.password)
    throw new UsageError(
      'The target must not contain a user name or password. Give its key with --key.',
    );
  const base = `${url.protocol}//${url.host}${path}`;
  if (!/^https?:$/.test(url.protocol) || !path.endsWith(basePath))
    throw new UsageError(
      `The target "${base}" must be an http or https URL that ends in ${basePath}.`,
    );
  // What is in a query may be a key, so it is not repeated.
  if (!hasScheme || url.search || url.hash)
    throw new UsageError(
      `The target must ${hasScheme ? 'have no query or fragment' : 'begin with http:// or https://'}. Did you mean ${base}?`,
    );
  return `${url.origin}${path}`;
}
