import { isIP } from 'node:net';
import { builtInDocument } from '../common/built-in-document.ts';
import type { Environment } from '../common/cli/create-command.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import type { Api } from '../openapi/index.ts';

type BasedDocument = Pick<Api, 'basePath' | 'file'>;

/**
 * Returns the path that the base URL of every deployment must end in; empty where none is stated.
 */
export function requiredEnd({ basePath, file }: BasedDocument): string {
  return file === builtInDocument ? basePath : '';
}

/**
 * The base URL of a target of a document, without a slash at its end. That of the Pet Store Service
 * has to end in its base path; a deployment of another document may be anywhere. Throws {@link
 * UsageError}, which calls it `name`.
 */
export function parseBaseUrl(text: string, document: BasedDocument, name = 'target'): string {
  return parseUrl(text, { end: requiredEnd(document), basePath: document.basePath, name });
}

/** The base URL of a mock, which ends in the document's base path. Throws {@link UsageError}. */
export function parseMockUrl(text: string, { basePath }: BasedDocument): string {
  return parseUrl(text, { end: basePath, basePath, name: 'mock URL' });
}

/** Parses a base URL. Error messages omit the text, since its query or user name may hold a key. */
function parseUrl(
  text: string,
  { end, basePath, name }: { end: string; basePath: string; name: string },
): string {
  const url = URL.parse(text);
  const path = url?.pathname.replace(/\/+$/, '') ?? '';
  if (!url || !/^https?:$/.test(url.protocol) || !path.endsWith(end))
    throw new UsageError(
      `The ${name} must be an http or https URL${end && ` that ends in ${end}`}, such as https://host${basePath}.`,
    );
  if (url.username || url.password || url.search || url.hash)
    throw new UsageError(
      `The ${name} must have no user name, password, query or fragment. Give its key with --key.`,
    );
  return `${url.origin}${path}`;
}

/**
 * The base URL of a target that is given as a URL or as the name of an environment, whose address
 * is in a variable; `option` is where it was given. Throws {@link UsageError}.
 */
export function toBaseUrl(
  target: string,
  document: BasedDocument,
  env: Environment,
  option = '--target',
): string {
  const variable = { production: 'BASE_URL', staging: 'STAGING_BASE_URL' }[target];
  const name = option === '--target' ? 'target' : 'base URL';
  const address = variable ? env[variable] : target;
  if (!address)
    throw new UsageError(
      `${option} ${target} takes its address from ${variable}, which is not set.`,
    );
  return parseBaseUrl(address, document, name);
}

/** Whether an address is this machine's own. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}

/** The base URL of a deployment that was recorded. Throws a {@link UsageError}. */
export function toRecordedUrl(given: string | undefined, document: Api): string {
  if (given !== undefined) return parseBaseUrl(given, document, 'base URL');
  throw new UsageError(
    `Name the deployment of the recording: --base-url URL, such as https://host${document.basePath}.`,
  );
}
