import { parseBaseUrl } from '../cli/base-url.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { ApiDocument } from '../description/document.ts';

/**
 * The base URL of a target that is given as a URL or as the name of an environment, whose address
 * is in a variable; `option` is where it was given. Throws {@link UsageError}.
 */
export function toBaseUrl(
  target: string,
  document: Pick<ApiDocument, 'basePath' | 'file'>,
  env: Readonly<Record<string, string | undefined>>,
  option = '--target',
): string {
  const variable = { production: 'BASE_URL', staging: 'STAGING_BASE_URL' }[target];
  const name = option === '--target' ? 'target' : 'base URL';
  if (!variable) return parseBaseUrl(target, document, name);
  const address = env[variable];
  if (!address)
    throw new UsageError(
      `${option} ${target} takes its address from ${variable}, which is not set.`,
    );
  return parseBaseUrl(address, document, name);
}
