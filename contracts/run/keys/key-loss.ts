import { isUnsafe } from '../../cases/unsafe-methods.ts';
import type { Exchange } from '../../transcript/exchange.ts';

/** A key that was accepted and is not any more, and the call before it was refused. */
export type KeyLoss = { keyName: string; before?: Exchange };

/** How many calls may have been under way when the key was lost. */
const maxUnderWay = 8;

/**
 * Finds the call after which a key was refused, a change if there is one. The refusals since then
 * are those of a key that is not valid, so no check judges them.
 */
export function toKeyLoss(exchanges: Exchange[], keyName: string): KeyLoss {
  const isOfKey = ({ case: { credential }, request }: Exchange) =>
    credential === 'valid' && request.keyName === keyName;
  const isRefused = ({ response }: Exchange) => response?.status === 401;
  const ofKey = exchanges.filter(isOfKey);
  const lastAccepted = ofKey.findLastIndex((one) => !isRefused(one));
  const refused = new Set(ofKey.slice(lastAccepted + 1));
  for (const [index, one] of exchanges.entries())
    if (refused.has(one))
      exchanges[index] = { ...one, case: { ...one.case, purpose: { kind: 'refused-key' } } };
  const latest = ofKey.slice(Math.max(0, lastAccepted + 1 - maxUnderWay), lastAccepted + 1);
  const before = latest.findLast(({ case: one }) => isUnsafe(one)) ?? latest.at(-1);
  return { keyName, ...(before && { before }) };
}

/** What happened, in a sentence. */
export function toSentence({ keyName, before }: KeyLoss): string {
  const { method = '', path = '' } = before?.request ?? {};
  const what = before
    ? `${method} ${path} was answered ${before.response?.status ?? 'with nothing'}`
    : 'it was accepted';
  return `key ${keyName} stopped working after ${what}: every call since then gets 401, so the run ended there and nothing after it is judged`;
}
