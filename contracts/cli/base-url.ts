import { UsageError } from './usage-error.ts';

/**
 * The base URL of a target, without a slash at its end: absolute, ending in the document's base
 * path. Throws {@link UsageError}.
 */
export function parseBaseUrl(text: string, basePath: string): string {
  const hasScheme = text.includes('://');
  const url = URL.parse(hasScheme ? text : `http://${text}`);
  const path = url?.pathname.replace(/\/+$/, '') ?? '';
  const isBase = hasScheme || path.endsWith(basePath) || text.includes('@');
  if (!url || !isBase)
    throw new UsageError(
      `The target "${text}" is not a URL. Give one like https://host${basePath}.`,
    );
  if (url.username || url.password)
    throw new UsageError(
      'The target must not contain a user name or password. Give its key with --key.',
    );
  const base = `${url.protocol}//${url.host}${path}`;
  const isHttp = /^https?:$/.test(url.protocol);
  if (!isHttp || !path.endsWith(basePath)) {
    const hint = isHttp && path === '' ? ` Did you mean ${base}${basePath}?` : '';
    throw new UsageError(
      `The target "${base}" must be an http or https URL that ends in ${basePath}.${hint}`,
    );
  }
  // What is in a query may be a key, so it is not repeated.
  if (!hasScheme || url.search || url.hash)
    throw new UsageError(
      `The target must ${hasScheme ? 'have no query or fragment' : 'begin with http:// or https://'}. Did you mean ${base}?`,
    );
  return `${url.origin}${path}`;
}
