import type { Api } from '../../../openapi/index.ts';
import type { Case } from '../../cases/case.ts';
import type { Exchange } from '../../transcript/exchange.ts';
import type { KeyInfo, RefusedKey } from '../../transcript/transcript.ts';
import { wait } from '../wait.ts';
import { type Budget, createBudget, type Key } from './budget.ts';

type KeyRingOptions = {
  keys: readonly Key[];
  document: Pick<Api, 'plans'>;
  /** The longest wait for a key's quota, in milliseconds. */
  wait: number;
  signal?: AbortSignal | undefined;
};

/** The maximum total wait for quota, as a multiple of the longest wait. */
const waitsInAll = 2;

/** The longest that deleting may take, whatever ended the run, in milliseconds. */
export const tidyingTime = 30_000;

/** The keys of a run, and which of them a call is made with. */
export class KeyRing {
  readonly #options: KeyRingOptions;
  readonly #waits: ReturnType<typeof createPatience>;
  readonly #waitsToTidy = createPatience(tidyingTime);
  #budgets: readonly Budget[];
  /** Whether the document states limits, so that a deployment says itself how much it can take. */
  readonly areLimitsStated: boolean;
  /** The keys that the target refused. */
  readonly refused: RefusedKey[] = [];

  constructor(options: KeyRingOptions) {
    const { plans } = options.document;
    this.#options = options;
    this.#waits = createPatience(options.wait * waitsInAll);
    this.areLimitsStated = Object.keys(plans).length > 0;
    this.#budgets = options.keys.map((key) => createBudget(key, plans));
  }

  /** The keys that are not refused. */
  get budgets(): readonly Budget[] {
    return this.#budgets;
  }

  /** The key whose limit is tried: the first whose plan allows the fewest requests a minute. */
  get probe(): Budget {
    const { plans } = this.#options.document;
    const perMinute = ({ key }: Budget) => {
      const figures = plans[key.plan ?? ''];
      return typeof figures === 'object' ? figures.perMinute : Number.POSITIVE_INFINITY;
    };
    return this.#budgets.toSorted((left, right) => perMinute(left) - perMinute(right))[0] as Budget;
  }

  /** The keys for bulk work: all except the one reserved for limits, unless it is the only one. */
  get bulk(): readonly Budget[] {
    const { probe } = this;
    return this.#budgets.length > 1
      ? this.#budgets.filter((budget) => budget !== probe)
      : this.#budgets;
  }

  /** The keys in use, as the checks may know them. */
  get infos(): KeyInfo[] {
    return this.#budgets.map(({ key }) => toKeyInfo(key));
  }

  /** Stops using a key that the target refuses; `status` is its response. */
  refuse(refused: Budget, status: number): void {
    this.#budgets = this.#budgets.filter((budget) => budget !== refused);
    const { key } = refused;
    this.refused.push({ ...toKeyInfo(key), beginning: beginningOf(key.secret), status });
  }

  /**
   * Takes a call without awaiting anything where a key has one left, so that parallel calls never
   * take more than there is. Undefined where the quota is used up for longer than may be waited.
   */
  async take({ isTidying }: { isTidying: boolean }): Promise<Budget | undefined> {
    const best = this.#choose();
    if (best.available() > 0) return best.take();
    const byTime = this.bulk.toSorted((left, right) => left.readyAt() - right.readyAt());
    const soonest = byTime[0] as Budget;
    const until = soonest.readyAt() - Date.now();
    const { signal } = this.#options;
    if (!(isTidying ? this.#waitsToTidy.allow(until) : this.#mayWait(until))) return undefined;
    await wait(Math.max(0, until) + 50, isTidying ? undefined : signal);
    const isStopped = !isTidying && signal?.aborted;
    return soonest.available() > 0 && !isStopped ? soonest.take() : undefined;
  }

  #mayWait(pause: number): boolean {
    return pause <= this.#options.wait && this.#waits.allow(pause);
  }

  /** Without stated limits, another key is only for what the one before has no calls left for. */
  #choose(): Budget {
    const { bulk } = this;
    const first = this.areLimitsStated ? undefined : bulk.find((one) => one.available() > 0);
    const byLeft = bulk.toSorted((left, right) => right.available() - left.available());
    return first ?? (byLeft[0] as Budget);
  }
}

/** A key as the checks may know it. */
function toKeyInfo({ name, plan }: Key): KeyInfo {
  return { name, ...(plan !== undefined && { plan }) };
}

/** At most a quarter of a key, by which its owner recognizes it. */
function beginningOf(secret: string): string {
  return secret.slice(0, Math.min(4, Math.floor(secret.length / 4)));
}

/** Bounds the time that calls wait in all; calls that wait side by side wait once. */
interface Patience {
  /** Whether a wait from now on, in milliseconds, is within the limit; if so, it counts. */
  allow(pause: number): boolean;
}

export function createPatience(max: number, now: () => number = Date.now): Patience {
  let waited = 0;
  let until = 0;
  return {
    allow(pause) {
      const end = now() + pause;
      const more = Math.max(0, end - Math.max(now(), until));
      if (waited + more > max) return false;
      waited += more;
      until = Math.max(until, end);
      return true;
    },
  };
}

type Call = (one: Case, budget: Budget) => Promise<Exchange | undefined>;

/** Notices that a key which was accepted is not any more. */
interface KeyWatch {
  /** Notes the case by which a key was accepted. */
  prove(budget: Budget, one: Case): void;
  /** Asks once for each operation that refuses a key whether the key is still accepted. */
  ask(budget: Budget, refused: Exchange): Promise<void>;
  /** The loss of a key, in a sentence; undefined while every key is accepted. */
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
