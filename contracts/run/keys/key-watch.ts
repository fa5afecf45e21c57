import type { Case } from '../../cases/case.ts';
import { isUnsafe } from '../../cases/unsafe-methods.ts';
import type { Exchange } from '../../transcript/exchange.ts';
import type { Budget } from './budget.ts';

/** A key that was accepted and is not any more, and the call before it was refused. */
type KeyLoss = { keyName: string; before?: Exchange };

type Call = (one: Case, budget: Budget) => Promise<Exchange | undefined>;

/** Notices that a key which was accepted is not any more. */
export interface KeyWatch {
  /** Notes the case by which a key was accepted. */
  prove(budget: Budget, one: Case): void;
  /** Asks once for each operation that refuses a key whether the key is still accepted. */
  ask(budget: Budget, refused: Exchange): Promise<void>;
  /** What happened, in a sentence; undefined while every key is accepted. */
  readonly loss: string | undefined;
}

export function createKeyWatch(exchanges: Exchange[], call: Call): KeyWatch {
  const proofs = new Map<Budget, Case>();
  const asked = new Set<string>();
  let loss: KeyLoss | undefined;
  return {
    prove: (budget, one) => proofs.set(budget, one),
    async ask(budget, { case: { id, operation } }) {
      const proof = proofs.get(budget);
      const name = operation?.id ?? '';
      if (!proof || loss || asked.has(name)) return;
      asked.add(name);
      const again = await call({ ...proof, id: `${proof.id}, after ${id}` }, budget);
      if (again?.response?.status === 401) loss ??= toKeyLoss(exchanges, budget.key.name);
    },
    get loss() {
      return loss && toSentence(loss);
    },
  };
}

/** How many calls may have been under way when the key was lost. */
const maxUnderWay = 8;

/**
 * Finds the call after which a key was refused, a change if there is one. The refusals since then
 * are those of a key that is not valid, so no check judges them.
 */
function toKeyLoss(exchanges: Exchange[], keyName: string): KeyLoss {
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
function toSentence({ keyName, before }: KeyLoss): string {
  const { method = '', path = '' } = before?.request ?? {};
  const what = before
    ? `${method} ${path} was answered ${before.response?.status ?? 'with nothing'}`
    : 'it was accepted';
  return `key ${keyName} stopped working after ${what}: every call since then gets 401, so the run ended there and nothing after it is judged`;
}
