import { toJson } from '../../common/json.ts';
import type { Api } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { asksForKey } from '../../openapi/model/key-places.ts';
import type { Purpose } from '../cases/case.ts';
import { hasOtherFault } from '../clauses/key-doubts.ts';
import { isInProse } from '../document/stated.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { idAsked, idOf, itemsIn } from '../transcript/items.ts';
import { readKeyValidity } from './key-validity.ts';
import type { Call } from './to-call.ts';

/**
 * Decides, of calls that were judged together, which keys were valid and what each call was for, in
 * order of sending. A purpose that the interface leaves open is `observed`.
 */
export function settle(
  calls: readonly Call[],
  { document, memory }: { document: Api; memory: Memory },
): Exchange[] {
  const sorted = calls.toSorted(
    (left, right) =>
      left.exchange.sentAt - right.exchange.sentAt || left.exchange.number - right.exchange.number,
  );
  const { isProven, isRefusedByMistake, isNoneAsked } = readKeyValidity(sorted, document);
  return sorted.map((call) => {
    const { exchange, credential } = call;
    const status = exchange.response?.status;
    const isRefused = status === 401 || status === 403;
    const to = (form: Exchange['case']['credential'], purpose: Purpose): Exchange => ({
      ...exchange,
      case: { ...exchange.case, credential: form, purpose },
    });
    const { operation, purpose } = exchange.case;
    const isValid =
      credential.form === 'token' &&
      isProven(exchange) &&
      (!isRefused || isRefusedByMistake(exchange));
    if (!operation)
      return to(isValid ? 'valid' : 'unclear', isValid ? purpose : { kind: 'observed' });
    if (!asksForKey(operation)) {
      const { waysIn } = operation;
      const isOpen = waysIn.length === 0 || waysIn.some((way) => way.length === 0);
      // What was sent without being asked for, or cannot be seen, may be wrong all the same.
      const mayBeKey = isRefused && (credential.form !== 'none' || !isOpen);
      return mayBeKey
        ? to('unclear', { kind: 'observed' })
        : to('valid', settlePurpose(call, { document, memory }));
    }
    if (isValid) return to('valid', settlePurpose(call, { document, memory }));
    if (credential.form === 'token') return to('unclear', { kind: 'observed' });
    if (credential.form === 'unclear')
      return to(
        'unclear',
        status !== undefined && status < 300
          ? settlePurpose(call, { document, memory })
          : { kind: 'observed' },
      );
    if (credential.form === 'none' && isNoneAsked)
      return to('none', settlePurpose(call, { document, memory }));
    return to(credential.form, toCredentialPurpose(call, credential.form, { document, memory }));
  });
}

type Context = { document: Api; memory: Memory };

/**
 * Returns the purpose of a call with a valid key: `observed` if the interface does not decide the
 * response.
 */
function settlePurpose({ exchange, sent }: Call, { document, memory }: Context): Purpose {
  const { operation, purpose } = exchange.case;
  const { request, response, sentAt } = exchange;
  const status = response?.status ?? 0;
  if (status < 300 || status === 429) return purpose;
  const resource = findResource(document, operation)?.name ?? '';
  switch (purpose.kind) {
    case 'read': {
      const id = idAsked(exchange);
      if (status === 404 && memory.wasSeen(resource, id, sentAt)) return purpose;
      // Of other refusals only an interface in prose leaves nothing to say.
      if (status !== 404 && !isInProse(document)) return { kind: 'observed' };
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
  const { properties } = document.schemas.describeSchema(operation.body.schema);
  return Object.entries(sent).some(([name, value]) => {
    const { enum: values } = document.schemas.resolve(properties[name] ?? {});
    if (Array.isArray(values)) return false;
    if (typeof value === 'string') return !plainText.test(value) || memory.uses(value) > 1;
    return !memory.isInUse(resource.name, name, value);
  });
}

/**
 * Returns the purpose of a call without a valid key. The interface does not state which of two
 * faults is reported.
 */
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

/** Facts from earlier traffic: the values in use, and when each item was first seen. */
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

export function createMemory(document: Api): Memory {
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
      if (exchange.case.operation?.kind === 'delete') {
        ids.delete(`${name} ${idAsked(exchange)}`);
        return;
      }
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
