import type { Purpose } from '../cases/case.ts';
import { hasOtherFault } from '../checks/key-only-faults.ts';
import {
  type ApiDocument,
  describeSchema,
  findResource,
  resolveSchema,
} from '../description/document.ts';
import { toJson } from '../json.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { idAsked, idOf } from '../transcript/ids.ts';
import { itemsIn } from '../transcript/items.ts';
import type { Call } from './to-call.ts';

/** What earlier traffic showed: which values are in use, and when each item was seen first. */
export interface Memory {
  note(call: Call): void;
  /** Whether an item was seen before an instant. */
  wasSeen(resource: string, id: string, before: number): boolean;
  /** Whether an item of the resource has a value of a property. */
  isInUse(resource: string, property: string, value: unknown): boolean;
  /** In how many bodies and items a text was seen. */
  uses(text: string): number;
}

const maxEntries = 20_000;

/** Longer texts are not retained: they are doubtful, whoever else has them. */
const maxText = 200;

export function createMemory(document: ApiDocument): Memory {
  const [ids, values, texts] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ];
  const put = (map: Map<string, number>, key: string, value: number) => {
    if (key.length > maxText) return;
    const [oldest] = map.keys();
    if (map.size >= maxEntries && !map.has(key) && oldest !== undefined) map.delete(oldest);
    map.set(key, value);
  };
  return {
    note({ exchange, sent }) {
      const resource = findResource(document, exchange.case.operation);
      if (!resource) return;
      const { name, idProperty } = resource;
      for (const text of Object.values(sent ?? {}))
        if (typeof text === 'string') put(texts, text, (texts.get(text) ?? 0) + 1);
      if (!isAnswered(exchange) || exchange.response.status >= 300) return;
      for (const item of itemsIn(exchange)) {
        const id = idOf(item, idProperty);
        const key = `${name} ${id}`;
        if (id === undefined || ids.has(key)) continue;
        put(ids, key, exchange.endedAt);
        for (const [property, value] of Object.entries(item)) {
          put(values, `${name} ${property} ${toJson(value)}`, 1);
          if (typeof value === 'string') put(texts, value, (texts.get(value) ?? 0) + 1);
        }
      }
    },
    wasSeen: (resource, id, before) =>
      (ids.get(`${resource} ${id}`) ?? Number.POSITIVE_INFINITY) < before,
    isInUse: (resource, property, value) => values.has(`${resource} ${property} ${toJson(value)}`),
    uses: (text) => texts.get(text) ?? 0,
  };
}

/** When calls of an operation with a key succeeded, and when they were refused for the key. */
type Standing = { succeeded: number[]; refused: number[]; gaps: number };

/** How often a key must be refused between successes before no person can have switched it. */
const minGaps = 2;

/**
 * Decides, of calls that were judged together, which keys were valid and what each call was for, in
 * order of sending. A purpose that the interface leaves open is `observed`.
 */
export function settle(
  calls: readonly Call[],
  { document, memory }: { document: ApiDocument; memory: Memory },
): Exchange[] {
  const sorted = calls.toSorted(
    (left, right) =>
      left.exchange.sentAt - right.exchange.sentAt || left.exchange.number - right.exchange.number,
  );
  const standings = readStandings(sorted);
  const proven = new Set(
    [...standings].flatMap(([key, { succeeded }]) =>
      succeeded.length > 0 ? [key.slice(0, key.indexOf(' '))] : [],
    ),
  );
  const shut = findShut(standings, proven);
  const isRefusedByMistake = ({ exchange }: Call) => {
    if (exchange.response?.status === 401 && shut.has(operationOf(exchange))) return true;
    const standing = standings.get(standingOf(exchange));
    const at = exchange.sentAt;
    return (
      standing !== undefined &&
      standing.gaps >= minGaps &&
      standing.succeeded.some((one) => one < at) &&
      standing.succeeded.some((one) => one > at)
    );
  };
  return sorted.map((call) => {
    const { exchange, credential } = call;
    const { keyName } = exchange.request;
    const status = exchange.response?.status;
    const isRefused = status === 401 || status === 403;
    const to = (form: Exchange['case']['credential'], purpose: Purpose): Exchange => ({
      ...exchange,
      case: { ...exchange.case, credential: form, purpose },
    });
    const { operation, purpose } = exchange.case;
    const isValid =
      credential.form === 'token' &&
      keyName !== undefined &&
      proven.has(keyName) &&
      (!isRefused || isRefusedByMistake(call));
    if (!operation)
      return to(isValid ? 'valid' : 'unclear', isValid ? purpose : { kind: 'observed' });
    if (!operation.secured) return to('valid', settlePurpose(call, { document, memory }));
    if (isValid) return to('valid', settlePurpose(call, { document, memory }));
    if (credential.form === 'token') {
      const isCase = credential.isLowerCase && status === 401 && proven.has(keyName ?? '');
      return isCase
        ? to('lower-case-scheme', { kind: 'credential', form: 'lower-case-scheme' })
        : to('unclear', { kind: 'observed' });
    }
    if (credential.form === 'unclear')
      return to(
        'unclear',
        status !== undefined && status < 300
          ? settlePurpose(call, { document, memory })
          : { kind: 'observed' },
      );
    return to(credential.form, toCredentialPurpose(call, credential.form, { document, memory }));
  });
}

function standingOf(exchange: Exchange): string {
  return `${exchange.request.keyName} ${operationOf(exchange)}`;
}

function operationOf({ case: { operation, method } }: Exchange): string {
  return operation?.id ?? method;
}

/** How many valid keys an operation must refuse where one may not be meant for it. */
const minKeys = 2;

/** The operations that refuse every key, although other operations accept several of them. */
function findShut(
  standings: ReadonlyMap<string, Standing>,
  proven: ReadonlySet<string>,
): Set<string> {
  const byOperation = Map.groupBy(standings, ([key]) => key.slice(key.indexOf(' ') + 1));
  const isShut = (all: [string, Standing][]) =>
    all.every(([, { succeeded }]) => succeeded.length === 0) &&
    all.filter(
      ([key, { refused }]) => refused.length > 0 && proven.has(key.slice(0, key.indexOf(' '))),
    ).length >= minKeys;
  return new Set([...byOperation].flatMap(([id, all]) => (isShut(all) ? [id] : [])));
}

function readStandings(sorted: readonly Call[]): Map<string, Standing> {
  const standings = new Map<string, Standing & { isRefused: boolean }>();
  for (const { exchange, credential } of sorted) {
    const { response, request, sentAt } = exchange;
    if (!response || credential.form !== 'token' || request.keyName === undefined) continue;
    const key = standingOf(exchange);
    const standing = standings.get(key) ?? {
      succeeded: [],
      refused: [],
      gaps: 0,
      isRefused: false,
    };
    standings.set(key, standing);
    if (response.status < 300) {
      if (standing.isRefused && standing.succeeded.length > 0) standing.gaps += 1;
      standing.isRefused = false;
      standing.succeeded.push(sentAt);
    } else if (response.status === 401 || response.status === 403) {
      standing.isRefused = true;
      standing.refused.push(sentAt);
    }
  }
  return standings;
}

type Context = { document: ApiDocument; memory: Memory };

/** What a call with a valid key was for, as far as the interface decides what must follow. */
function settlePurpose({ exchange, sent }: Call, { document, memory }: Context): Purpose {
  const { operation, purpose } = exchange.case;
  const { request, response, sentAt } = exchange;
  const status = response?.status ?? 0;
  if (status < 300 || status === 429) return purpose;
  const resource = findResource(document, operation)?.name ?? '';
  switch (purpose.kind) {
    case 'read': {
      const id = idAsked(request.path.split('?')[0] ?? '');
      if (status === 404 && memory.wasSeen(resource, id, sentAt)) return purpose;
      return /^-|^0$/.test(id) ? { kind: 'observed' } : { kind: 'unknown-id' };
    }
    case 'create':
      return isAnswered(exchange) &&
        hasOtherFault(exchange) &&
        (purpose.mayRefuse || isDoubtful(sent, { document, memory, exchange }))
        ? { kind: 'observed' }
        : purpose;
    case 'invalid-create':
      return status === 413 || String(request.body).length > maxSure
        ? { kind: 'observed' }
        : purpose;
    default:
      return purpose;
  }
}

/** A body longer than this may be refused for its size. */
const maxSure = 1000;

/** A name that nobody has a reason to refuse: it has letters, and no more than a few words. */
const plainText = /^(?=.*\p{L})[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .'-]{1,48}$/u;

/**
 * Whether a deployment may have a reason of its own to refuse a valid body: a value that no item has,
 * such as of a category, or a text that another item has.
 */
function isDoubtful(
  sent: Record<string, unknown> | undefined,
  { document, memory, exchange }: Context & { exchange: Exchange },
): boolean {
  const { operation } = exchange.case;
  const resource = findResource(document, operation);
  if (!operation?.body || !resource || !sent || String(exchange.request.body).length > maxSure)
    return true;
  const { properties } = describeSchema(document, operation.body.schema);
  return Object.entries(sent).some(([name, value]) => {
    const { enum: values } = resolveSchema(document, properties[name] ?? {});
    if (Array.isArray(values)) return false;
    if (typeof value === 'string') return !plainText.test(value) || memory.uses(value) > 1;
    return !memory.isInUse(resource.name, name, value);
  });
}

/** What a call without a valid key was for: which of two faults is reported is not stated. */
function toCredentialPurpose(
  call: Call,
  form: Extract<Purpose, { kind: 'credential' }>['form'],
  context: Context,
): Purpose {
  const { purpose } = call.exchange.case;
  if (form === 'unclear') return { kind: 'observed' };
  const { exchange, sent } = call;
  // A status that is not about content answers to the key alone.
  const mayHaveOtherFault =
    isAnswered(exchange) &&
    hasOtherFault(exchange) &&
    ((purpose.kind === 'create' && purpose.mayRefuse) ||
      isDoubtful(sent, { ...context, exchange }));
  const isSound =
    purpose.kind === 'list' ||
    purpose.kind === 'read' ||
    purpose.kind === 'call' ||
    (purpose.kind === 'create' && !mayHaveOtherFault);
  if (isSound) return { kind: 'credential', form };
  return {
    kind: 'silence',
    silence: 'credentials-first',
    probe: `without a key, ${purpose.kind === 'silence' ? purpose.probe : 'wrong in another way'}`,
  };
}
