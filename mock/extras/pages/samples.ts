import { toCurl, toFetch } from '../../curl/to-curl.ts';
import type { OperationView } from './operation-view.ts';

/**
 * Lines that call an operation. `about` says which ones, beside the button that copies them.
 */
export type Sample = { name: string; label: string; about: string; text: string };

/** What is shown where {@link toSamples} has none. */
export const noSamples =
  'There is no example: no query or body could be generated that the mock accepts.';

/** How an operation is called at a base URL; empty where there is no call that succeeds. */
export function toSamples(
  { call, keys, trust, ...operation }: OperationView,
  base: string,
): Sample[] {
  if (!call) return [];
  const key = keys[0]?.key;
  const toSample = (name: string, text: string): Sample => ({
    name,
    label: `${name}: ${operation.id}`,
    about: `the ${name} of ${operation.id}`,
    text,
  });
  return [
    toSample('curl', toCurl(operation, call, { base, key: key ?? '$KEY', trust })),
    toSample('fetch', toFetch(operation, call, { base, key })),
  ];
}
