import { resolve } from 'node:path';
import { builtInDocument } from '../../common/built-in-document.ts';
import type { Api } from '../../openapi/index.ts';
import { keyPlacesOf } from '../../openapi/model/key-places.ts';
import { isLoopback } from '../base-url.ts';
import { twinName } from '../transcript/exchange.ts';
import type { VerifyTarget } from '../verify/options.ts';

type Permissions = {
  /** Whether the document is the built-in one. */
  isBuiltIn: boolean;
  readOnly: boolean;
  allowWrites: boolean;
  /** Undefined leaves it to where the target is. */
  probeLimits?: boolean | undefined;
};

type Access = Pick<VerifyTarget, 'keys' | 'headers'>;

/** The keys of a twin that was started without others: two of the free plan and a roomy one. */
export const demoKeys = [
  { plan: 'free', secret: 'demo-free' },
  { plan: 'free', secret: 'demo-free-2' },
  { plan: 'enterprise', secret: 'demo-enterprise' },
];

/** Whether some operation of a document asks for a key. */
export function needsKey({ operations }: Pick<Api, 'operations'>): boolean {
  return operations.some((operation) => keyPlacesOf(operation).length > 0);
}

/** Whether a document is the Pet Store Service's own, whose creates do no more than create. */
export function isBuiltIn({ file }: Pick<Api, 'file'>): boolean {
  return resolve(file) === builtInDocument;
}

/**
 * A deployment as a target. On loopback everything is tried, beyond it only what was allowed; a
 * create of another document may send mail, so it must be allowed anywhere.
 */
export function toDeployment(
  url: string,
  { isBuiltIn, readOnly, allowWrites, probeLimits, keys, headers }: Permissions & Access,
): VerifyTarget {
  const loopback = isLoopback(url);
  return {
    name: 'target',
    url,
    keys,
    ...(headers && { headers }),
    writes: !readOnly && ((loopback && isBuiltIn) || allowWrites),
    probeLimits: probeLimits ?? loopback,
    fill: loopback,
  };
}

/** A twin as a target: one that ends with the run is there to be tried. */
export function toTwin(
  url: string,
  { keys, isTemporary, ...allowed }: Permissions & Access & { isTemporary: boolean },
): VerifyTarget {
  const { isBuiltIn, readOnly, allowWrites, probeLimits = true } = allowed;
  return {
    name: twinName,
    url,
    keys,
    writes: !readOnly && (isTemporary || isBuiltIn || allowWrites),
    probeLimits,
    fill: true,
    isTemporary,
  };
}
