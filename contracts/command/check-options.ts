import { parseMockUrl, toBaseUrl } from '../cli/base-url.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { ApiDocument } from '../description/document.ts';
import { explainUnknownName } from '../verify/selection.ts';
import { refuseUnknownPlans, schemeOf } from './given-keys.ts';
import type { Options } from './options.ts';
import { needsKey } from './verify-target.ts';

/** The base URLs that are called, where they are given. */
export type Addresses = { url: string | undefined; mockUrl: string | undefined };

/**
 * Reads the addresses of a run, and holds the other options against the document. Throws {@link
 * UsageError}.
 */
export function checkOptions(
  options: Options,
  document: ApiDocument,
  env: Readonly<Record<string, string | undefined>>,
): Addresses {
  const { target, mockUrl } = options;
  if (options.noKey && options.key.length > 0)
    throw new UsageError('--no-key and --key are opposites. Leave one of them out.');
  const addresses = {
    url: target === undefined ? undefined : toBaseUrl(target, document, env),
    mockUrl: mockUrl === undefined ? undefined : parseMockUrl(mockUrl, document),
  };
  checkNames(options, document);
  checkKeys(options, document, addresses.url);
  return addresses;
}

function checkNames({ only, skip, call }: Options, document: ApiDocument): void {
  const unknown = explainUnknownName(document, [...only, ...skip]);
  if (unknown !== undefined)
    throw new UsageError(`${unknown} --list-clauses shows checks and sections.`);
  const notThere = call.find((name) => document.operations.every(({ id }) => id !== name));
  if (notThere !== undefined)
    throw new UsageError(`--call ${notThere} is not an operation of the document.`);
}

function checkKeys(
  { key: keys, mock, header: headers }: Options,
  document: ApiDocument,
  url: string | undefined,
): void {
  if (url !== undefined && keys.length === 0 && needsKey(document))
    throw new UsageError(
      'A target needs a key. Give --key KEY, or --key NAME=KEY with its plan or security scheme.',
    );
  if (url === undefined && !mock)
    throw new UsageError('There is nothing to verify: --no-mock needs a --target.');
  if (url === undefined && keys.length > 0)
    throw new UsageError('--key is the key of a --target; give that too.');
  if (url === undefined && headers.length > 0)
    throw new UsageError('--header is sent to a --target; give that too.');
  refuseUnknownPlans(
    keys.filter((key) => schemeOf(key, document) === undefined),
    document,
  );
}
