import type { Extra } from '../extra.ts';

/** Pins: the twin behaves as a deployment was seen to where the interface is silent. */
export const pins: Extra = async ({ served }) => {
  if (!served.pins) return {};
  const { toPinnedParts } = await import('./late-calls.ts');
  return toPinnedParts(served.pins, served.document);
};
