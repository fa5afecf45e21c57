import { parseMockUrl } from '../cli/base-url.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { ApiDocument } from '../description/document.ts';
import { toKeyPlace } from '../description/key-places.ts';
import { definedSchemes, isBearer } from '../description/security.ts';
import type { VerifyTarget } from '../verify/options.ts';
import { explainUnknownName } from '../verify/selection.ts';
import type { GivenKey, Options } from './options.ts';
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
  if (options.noKey && options.key.length > 0)
    throw new UsageError('--no-key and --key are opposites. Leave one of them out.');
  narrowSecurity(document, { isOpen: options.noKey, keys: options.key });
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
      'A target needs a key. Give --key KEY, or --key PLAN=KEY if you know its plan.',
    );
  if (url === undefined && !mock)
    throw new UsageError('There is nothing to verify: --no-mock needs a --target.');
  if (url === undefined && keys.length + headers.length > 0)
    throw new UsageError(
      `--${keys.length > 0 ? 'key is the key' : 'header is sent'} ${keys.length > 0 ? 'of' : 'to'} a --target; give that too.`,
    );
  refuseUnknownPlans(
    keys.filter((key) => schemeOf(key, document) === undefined),
    document,
  );
}

/** The keys of a target, each with its plan or with the security scheme that it is for. */
export function toGivenKeys(keys: Options['key'], document: ApiDocument): VerifyTarget['keys'] {
  return keys.map((key) => {
    const scheme = schemeOf(key, document);
    if (scheme === undefined) return key;
    const place = definedSchemes(document.raw).flatMap((one) =>
      one.name === scheme ? (toKeyPlace(one) ?? []) : [],
    )[0];
    return {
      secret: key.secret,
      scheme,
      ...(place && { place: { ...place, schemeName: scheme } }),
    };
  });
}

/** The security scheme that stands before a key; a plan of the same name comes first. */
function schemeOf({ plan: name }: GivenKey, { plans, raw }: ApiDocument): string | undefined {
  if (name === undefined || Object.hasOwn(plans, name)) return undefined;
  return definedSchemes(raw).find((one) => one.name.toLowerCase() === name)?.name;
}

/**
 * Leaves of the ways in that operations describe those that the user has keys for, or none where the
 * target asks for no key (`isOpen`).
 */
function narrowSecurity(
  document: ApiDocument,
  { keys, isOpen }: { keys: Options['key']; isOpen: boolean },
): void {
  const schemes = keys.flatMap((key) => schemeOf(key, document) ?? []);
  for (const operation of document.operations) {
    const ways = operation.waysIn.filter((way) =>
      way.every(({ scheme }) => schemes.includes(scheme.name)),
    );
    const keyed = ways.filter(({ length }) => length > 0);
    if (isOpen) Object.assign(operation, { waysIn: [], secured: false });
    else if (keyed.length > 0) {
      const secured = keyed.every((way) => way.some(({ scheme }) => isBearer(scheme)));
      Object.assign(operation, { waysIn: keyed, secured });
    }
  }
}

function schemesOf({ raw }: ApiDocument): string {
  const names = definedSchemes(raw).map(({ name }) => name);
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
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
        ? `A --key has ${unknown.plan} before its =, which is neither a plan nor a security scheme of the document${schemesOf(document)}. Give only the key.`
        : `A --key has an unknown plan before its =. Plans are ${plans.join(', ')}; give only the key if you do not know its plan.`,
    );
}
