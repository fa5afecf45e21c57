import type { Case } from '../../cases/case.ts';
import type { Exchange } from '../../transcript/exchange.ts';
import type { Budget } from './budget.ts';

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
  let loss: string | undefined;
  return {
    prove: (budget, one) => proofs.set(budget, one),
    async ask(budget, { case: { id, operation } }) {
      const proof = proofs.get(budget);
      const name = operation?.id ?? '';
      if (!proof || loss || asked.has(name)) return;
      asked.add(name);
      const again = await call({ ...proof, id: `${proof.id}, after ${id}` }, budget);
      if (again?.response?.status === 401) loss ??= toLoss(exchanges, budget.key.name);
    },
    get loss() {
      return loss;
    },
  };
}

/**
 * Says after which call a key was refused. The refusals since then are those of a key that is not
 * valid, so no check judges them.
 */
function toLoss(exchanges: Exchange[], keyName: string): string {
  const isOfKey = ({ case: { credential }, request }: Exchange) =>
    credential === 'valid' && request.keyName === keyName;
  const ofKey = exchanges.filter(isOfKey);
  const lastAccepted = ofKey.findLastIndex(({ response }) => response?.status !== 401);
  const refused = new Set(ofKey.slice(lastAccepted + 1));
  for (const [index, one] of exchanges.entries())
    if (refused.has(one))
      exchanges[index] = { ...one, case: { ...one.case, purpose: { kind: 'refused-key' } } };
  const { request, response } = ofKey[lastAccepted] ?? {};
  const what = request
    ? `${request.method} ${request.path} was answered ${response?.status ?? 'with nothing'}`
    : 'it was accepted';
  return `key ${keyName} stopped working after ${what}: every call since then gets 401, so the run ended there and nothing after it is judged`;
}
