import { isLoopback } from '../cli/is-loopback.ts';
import type { ApiDocument } from '../description/document.ts';
import { keyPlacesOf } from '../description/key-places.ts';
import type { VerifyTarget } from '../verify/options.ts';

type Permissions = {
  readOnly: boolean;
  allowWrites: boolean;
  /** Undefined leaves it to where the target is. */
  probeLimits?: boolean | undefined;
};

/** The keys of a twin that was started without others: two of the free plan and a roomy one. */
export const demoKeys = [
  { plan: 'free', secret: 'demo-free' },
  { plan: 'free', secret: 'demo-free-2' },
  { plan: 'enterprise', secret: 'demo-enterprise' },
];

/** Whether some operation of a document asks for a key. */
export function needsKey({ operations }: Pick<ApiDocument, 'operations'>): boolean {
  return operations.some((operation) => keyPlacesOf(operation).length > 0);
}

/** A deployment as a target: on loopback everything is tried, beyond it only what was allowed. */
export function toDeployment(
  url: string,
  { keys, readOnly, allowWrites, probeLimits }: Permissions & Pick<VerifyTarget, 'keys'>,
): VerifyTarget {
  const loopback = isLoopback(url);
  return {
    name: 'target',
    url,
    keys,
    writes: !readOnly && (loopback || allowWrites),
    probeLimits: probeLimits ?? loopback,
    fill: loopback,
  };
}

/** A twin as a target: it is there to be tried. */
export function toTwin(
  url: string,
  {
    keys,
    readOnly,
    probeLimits,
    isTemporary,
  }: Omit<Permissions, 'allowWrites'> & Pick<VerifyTarget, 'keys'> & { isTemporary: boolean },
): VerifyTarget {
  return {
    name: 'twin',
    url,
    keys,
    writes: !readOnly,
    probeLimits: probeLimits ?? true,
    fill: true,
    isTemporary,
  };
}
