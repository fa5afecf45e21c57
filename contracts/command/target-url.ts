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
  let url: URL;
  try {
    url = new URL(given as string);
  } catch {
    throw new UsageError(
      `The target "${given}" is not a URL. Give one like https://host${basePath}.`,
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (url.username || url.password)
    throw new UsageError(
      'The target must not contain a user name or password. Give its key with --key.',
    );
  if (!/^https?:$/.test(url.protocol) || url.search || url.hash || !path.endsWith(basePath))
    throw new UsageError(
      `The target "${url.origin}${url.pathname}" must be an http or https URL that ends in ${basePath}.`,
    );
  return `${url.origin}${path}`;
}
