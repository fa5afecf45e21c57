import { parseMockUrl } from '../cli/base-url.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { ApiDocument } from '../description/document.ts';
import { explainUnknownName } from '../verify/selection.ts';
import type { Options } from './options.ts';
import { toBaseUrl } from './target-url.ts';
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
  const addresses = {
    url: target === undefined ? undefined : toBaseUrl(target, document, env),
    mockUrl: mockUrl === undefined ? undefined : parseMockUrl(mockUrl, document),
  };
  checkNames(options, document);
  checkKeys(options, document, addresses.url);
  return addresses;
}

function checkNames({ only, skip }: Options, document: ApiDocument): void {
  const unknown = explainUnknownName(document, [...only, ...skip]);
  if (unknown !== undefined)
    throw new UsageError(`${unknown} --list-clauses shows checks and sections.`);
}

function checkKeys(
  { key: keys, mock }: Options,
  document: ApiDocument,
  url: string | undefined,
): void {
  if (url !== undefined && keys.length === 0 && needsKey(document))
    throw new UsageError(
      'A target needs a key. Give --key KEY, or --key PLAN=KEY if you know its plan.',
    );
  if (url === undefined && !mock)
    throw new UsageError('There is nothing to verify: --no-mock needs a --target.');
  if (url === undefined && keys.length > 0)
    throw new UsageError('--key is the key of a --target; give that too.');
  refuseUnknownPlans(keys, document);
}

/**
 * Refuses a key of a plan that the document does not have, and a plan without a key, as a variable
 * that is not set leaves it. Throws {@link UsageError}.
 */
export function refuseUnknownPlans(keys: Options['key'], document: ApiDocument): void {
  const plans = Object.keys(document.plans);
  const unknown = keys.find(({ plan }) => plan !== undefined && !plans.includes(plan));
  const empty = keys.find(({ secret }) =>
    plans.some((plan) => secret.toLowerCase() === `${plan}=`),
  );
  if (empty)
    throw new UsageError(
      `--key ${empty.secret} has no key after its =. Is the variable set that holds it?`,
    );
  if (unknown)
    throw new UsageError(
      plans.length === 0
        ? 'A --key has a plan before its =, but the document has no plans. Give only the key.'
        : `A --key has an unknown plan before its =. Plans are ${plans.join(', ')}; give only the key if you do not know its plan.`,
    );
}
