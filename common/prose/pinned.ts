import { DocumentError } from '../cli/usage-error.ts';
import type { JsonObject } from '../json.ts';

/** An answer to a silence that a deployment was seen to give. */
export type Pin = {
  /** The answer of the deployment; its form depends on the silence. */
  answer: unknown;
  /** The answer in words. */
  summary?: string;
  /** The exchanges that show it, a line each. */
  evidence: readonly string[];
  /** How often it was seen. */
  times?: number;
  confidence?: string;
};

/** The deployment that silences are pinned to, and since when. */
export type PinnedTarget = { target: string; at: string };

/** Reads an `x-pin`. Throws {@link DocumentError}. */
export function toPin(node: JsonObject, silence: string): Pin {
  const { answer, summary, evidence = [], times, confidence } = node ?? {};
  if (answer === undefined) throw new DocumentError(`x-pin of ${silence} has no answer`);
  if (!Array.isArray(evidence)) throw new DocumentError(`x-pin.evidence of ${silence} is no list`);
  return { answer, summary, evidence: evidence.map(String), times, confidence };
}

/** Reads an `x-pinned`. Throws {@link DocumentError}. */
export function toPinned(node: JsonObject): PinnedTarget {
  const { target, at } = node ?? {};
  if (typeof target !== 'string' || typeof at !== 'string')
    throw new DocumentError('x-pinned must have a target and an instant (at), both as text');
  return { target, at };
}

/** Describes in a line the deployment that a document is pinned to. */
export function describePinned({
  silences,
  pinned: { target, at } = { target: 'nothing', at: '' },
}: {
  silences: readonly { pin?: Pin }[];
  pinned?: PinnedTarget;
}): string {
  const count = silences.filter(({ pin }) => pin !== undefined).length;
  return `${count} ${count === 1 ? 'pin' : 'pins'} of ${target}, ${at.slice(0, 10)}`;
}
