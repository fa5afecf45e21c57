import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { quotaOf } from '../transcript/limits/quota.ts';
import type { Call } from './to-call.ts';

/** Which keys calls show to be valid, whatever the deployment answers now and then. */
export interface KeyValidity {
  /** Whether some call with a key succeeded. */
  isProven(keyName: string | undefined): boolean;
  /** Whether a call with a valid key was refused for the key, or with a status that says so. */
  isRefusedByMistake(exchange: Exchange): boolean;
}

/** When calls of an operation with a key succeeded, and when they were refused for the key. */
type KeyUse = {
  keyName: string;
  operation: string;
  succeeded: number[];
  refused: number[];
  /** How often it was refused between successes. */
  gaps: number;
};

/** How often a key must be refused between successes before no person can have switched it. */
const minGaps = 2;

/** How many valid keys an operation must refuse where one may not be meant for it. */
const minKeys = 2;

/** Reads calls in order of sending. */
export function readKeyValidity(sorted: readonly Call[]): KeyValidity {
  const uses = readUses(sorted);
  const proven = new Set(
    [...uses.values()].flatMap(({ keyName, succeeded }) => (succeeded.length > 0 ? [keyName] : [])),
  );
  const shut = findShut([...uses.values()], proven);
  const isForLimit = findRefusedForLimit(sorted);
  return {
    isProven: (keyName) => keyName !== undefined && proven.has(keyName),
    isRefusedByMistake(exchange) {
      if (exchange.response?.status === 401 && shut.has(operationOf(exchange))) return true;
      const use = uses.get(useOf(exchange));
      const at = exchange.sentAt;
      if (isForLimit(exchange)) return use?.succeeded.some((one) => one < at) === true;
      return (
        use !== undefined &&
        use.gaps >= minGaps &&
        use.succeeded.some((one) => one < at) &&
        use.succeeded.some((one) => one > at)
      );
    },
  };
}

/**
 * Finds what refuses a key by its limit, although with a status about the key: the same window had
 * nothing left at a call that succeeded. After a 429 it may be a ban, which the interface leaves open.
 */
function findRefusedForLimit(sorted: readonly Call[]): (exchange: Exchange) => boolean {
  const spent = new Set<string>();
  const limited = new Set<string | undefined>();
  for (const { exchange } of sorted) {
    const status = exchange.response?.status ?? 0;
    if (status === 429) limited.add(exchange.request.keyName);
    const window = spentWindowOf(exchange);
    if (window !== undefined && status < 300) spent.add(window);
  }
  return (exchange) => {
    const window = spentWindowOf(exchange);
    return window !== undefined && spent.has(window) && !limited.has(exchange.request.keyName);
  };
}

/** The key and the window of an answer that shows no requests left. */
function spentWindowOf(exchange: Exchange): string | undefined {
  if (!isAnswered(exchange)) return undefined;
  const { limit, remaining, reset } = quotaOf(exchange);
  return remaining === 0 && reset !== undefined
    ? `${exchange.request.keyName} ${limit} ${reset}`
    : undefined;
}

function useOf(exchange: Exchange): string {
  return `${exchange.request.keyName} ${operationOf(exchange)}`;
}

function operationOf({ case: { operation, method } }: Exchange): string {
  return operation?.id ?? method;
}

/** The operations that refuse every key, although other operations accept several of them. */
function findShut(uses: readonly KeyUse[], proven: ReadonlySet<string>): Set<string> {
  const isShut = (all: readonly KeyUse[]) =>
    all.every(({ succeeded }) => succeeded.length === 0) &&
    all.filter(({ keyName, refused }) => refused.length > 0 && proven.has(keyName)).length >=
      minKeys;
  const byOperation = Map.groupBy(uses, ({ operation }) => operation);
  return new Set([...byOperation].flatMap(([id, all]) => (isShut(all) ? [id] : [])));
}

function readUses(sorted: readonly Call[]): Map<string, KeyUse> {
  const uses = new Map<string, KeyUse & { isRefused: boolean }>();
  for (const { exchange, credential } of sorted) {
    const { response, request, sentAt } = exchange;
    if (!response || credential.form !== 'token' || request.keyName === undefined) continue;
    const id = useOf(exchange);
    const use = uses.get(id) ?? {
      keyName: request.keyName,
      operation: operationOf(exchange),
      succeeded: [],
      refused: [],
      gaps: 0,
      isRefused: false,
    };
    uses.set(id, use);
    if (response.status < 300) {
      if (use.isRefused && use.succeeded.length > 0) use.gaps += 1;
      use.isRefused = false;
      use.succeeded.push(sentAt);
    } else if (response.status === 401 || response.status === 403) {
      use.isRefused = true;
      use.refused.push(sentAt);
    }
  }
  return uses;
}
