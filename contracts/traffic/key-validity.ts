import type { Api } from '../../openapi/index.ts';
import { asksForKey } from '../../openapi/model/key-places.ts';
import { isInProse } from '../document/stated.ts';
import { quotaOf } from '../limits/quota.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import type { Call } from './to-call.ts';

/** Which keys calls show to be valid, whatever the deployment answers now and then. */
export interface KeyValidity {
  /** Whether a key succeeded where the same is asked for, or anything where no operation was called. */
  isProven(exchange: Exchange): boolean;
  /** Whether a call with a valid key was refused for the key, or with a status that says so. */
  isRefusedByMistake(exchange: Exchange): boolean;
  /** Whether whoever sent no credential was let in, as the deployment runs without its security. */
  isNoneAsked: boolean;
}

/** When calls of one kind with a key succeeded, and when they were refused for the key. */
type KeyUse = {
  /** The key, and what is asked for. */
  keyName: string;
  scope: string;
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

/**
 * Reads calls in order of sending. Only an interface in prose says that each key may call each
 * operation, and have each item of it.
 */
export function readKeyValidity(
  sorted: readonly Call[],
  document: Pick<Api, 'clauses'>,
): KeyValidity {
  const isWorded = isInProse(document);
  const callOf = ({ case: { operation, method }, request: { path } }: Exchange) =>
    `${operation?.id ?? method}${isWorded ? '' : ` ${path}`}`;
  const uses = readUses(sorted, callOf);
  const proven = new Set(
    [...uses.values()].flatMap(({ keyName, scope, succeeded }) =>
      succeeded.length > 0 ? [keyName, scope] : [],
    ),
  );
  const shut = isWorded ? findShut([...uses.values()], proven) : new Set<string>();
  const isForLimit = findRefusedForLimit(sorted);
  return {
    isNoneAsked: isNoneAsked(sorted),
    isProven(exchange) {
      const { keyName } = exchange.request;
      const asked = exchange.case.operation ? scopeOf(exchange) : keyName;
      return keyName !== undefined && proven.has(asked as string);
    },
    isRefusedByMistake(exchange) {
      if (exchange.response?.status === 401 && shut.has(callOf(exchange))) return true;
      const use = uses.get(`${scopeOf(exchange)} ${callOf(exchange)}`);
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

/** Whether calls without any credential succeeded that must have one, and none was refused for it. */
function isNoneAsked(sorted: readonly Call[]): boolean {
  const statuses = sorted.flatMap(({ exchange, credential }) =>
    credential.form === 'none' && asksForKey(exchange.case.operation)
      ? [exchange.response?.status ?? 500]
      : [],
  );
  const isRefusal = (status: number) => status === 401 || status === 403;
  return statuses.some((status) => status < 300) && !statuses.some(isRefusal);
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

/** A key, and the ways in of the operation that it was sent to. */
function scopeOf({ request: { keyName }, case: { operation } }: Exchange): string {
  const asked = operation?.waysIn.map((way) =>
    way.map(({ scheme, scopes }) => [scheme.name, ...scopes]),
  );
  return `${keyName} ${JSON.stringify(asked)}`;
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

function readUses(
  sorted: readonly Call[],
  callOf: (exchange: Exchange) => string,
): Map<string, KeyUse> {
  const uses = new Map<string, KeyUse & { isRefused: boolean }>();
  for (const { exchange, credential } of sorted) {
    const { response, request, sentAt } = exchange;
    if (!response || credential.form !== 'token' || request.keyName === undefined) continue;
    if (!asksForKey(exchange.case.operation)) continue;
    const scope = scopeOf(exchange);
    const id = `${scope} ${callOf(exchange)}`;
    const use = uses.get(id) ?? {
      keyName: request.keyName,
      scope,
      operation: callOf(exchange),
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
