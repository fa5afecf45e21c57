import { UsageError } from '../../common/cli/usage-error.ts';
import type { Api } from '../../openapi/index.ts';
import { collectionsOf } from '../../openapi/model/api.ts';
import { toKeyPlace } from '../../openapi/model/key-places.ts';
import type { GivenKey } from '../traffic/key-book.ts';
import type { VerifyTarget } from '../verify/options.ts';
import type { Options } from './options.ts';
import { needsKey } from './verify-target.ts';

/** The keys of a target, each with its plan or with the security scheme that it is for. */
export function toGivenKeys(keys: Options['key'], document: Api): VerifyTarget['keys'] {
  return keys.map((key) => {
    const scheme = schemeOf(key, document);
    if (scheme === undefined) return key;
    const place = document.securitySchemes.flatMap((one) =>
      one.name === scheme ? (toKeyPlace(one) ?? []) : [],
    )[0];
    return {
      secret: key.secret,
      scheme,
      ...(place && { place: { ...place, schemeName: scheme } }),
    };
  });
}

/** The keys of traffic, each with its plan, as calls carry them: without the word before a token. */
export function toTrafficKeys(keys: Options['key'], document: Api): GivenKey[] {
  return toGivenKeys(keys, document).map(({ scheme, place: _, ...key }) =>
    scheme === undefined ? key : { secret: key.secret.replace(/^\S+ /, '') },
  );
}

/** The security scheme that stands before a key; a plan of the same name comes first. */
function schemeOf({ plan: name }: GivenKey, { plans, securitySchemes }: Api): string | undefined {
  if (name === undefined || Object.hasOwn(plans, name)) return undefined;
  return securitySchemes.find((one) => one.name.toLowerCase() === name)?.name;
}

/**
 * Leaves of the ways in that operations describe those that the user has keys for and those without
 * a key, or none where the target asks for no key (`isOpen`).
 */
export function narrowSecurity(
  document: Api,
  { keys, isOpen }: { keys: Options['key']; isOpen: boolean },
): void {
  const schemes = keys.flatMap((key) => schemeOf(key, document) ?? []);
  // Nested collections have operations of their own.
  const ofCollections = collectionsOf(document).flatMap((one) => Object.values(one.operations));
  for (const operation of new Set([...document.operations, ...ofCollections])) {
    const waysIn = operation.waysIn.filter((way) =>
      way.every(({ scheme }) => schemes.includes(scheme.name)),
    );
    if (isOpen) operation.waysIn = [];
    else if (waysIn.some(({ length }) => length > 0)) operation.waysIn = waysIn;
  }
}

function schemesOf({ securitySchemes }: Api): string {
  const names = securitySchemes.map(({ name }) => name);
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
}

/** Ensures that there is a key where one is asked for, and that each is of a known plan. */
export function ensureKey(keys: Options['key'], document: Api, who = 'A target'): void {
  if (keys.length === 0 && needsKey(document))
    throw new UsageError(
      `${who} needs a key. Give --key KEY, or --key NAME=KEY with its plan or security scheme.`,
    );
  refuseUnknownPlans(keys, document);
}

/**
 * Refuses a key of a plan that the document does not have, and a plan without a key, as a variable
 * that is not set leaves it. Throws {@link UsageError}.
 */
export function refuseUnknownPlans(keys: Options['key'], document: Api): void {
  const plans = Object.keys(document.plans);
  const unknown = keys.find(
    (key) =>
      key.plan !== undefined && !plans.includes(key.plan) && schemeOf(key, document) === undefined,
  );
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
