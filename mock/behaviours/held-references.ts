import { idParameterOf, type Reference } from '../../contracts/description/collections/resource.ts';
import type { Operation, Resource } from '../../contracts/description/document.ts';
import { toToken } from '../../contracts/description/json-pointer.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { toExcerpt } from '../../contracts/look/visible.ts';
import { type Answer, type ErrorProblem, toStatedErrorAnswer } from '../answers/answer.ts';
import { findSuccess } from '../documented/responses.ts';
import { parseExact, toText } from '../json/exact-json.ts';
import type { Store } from '../state/store.ts';
import type { Behaviour, Call, ItemOperation } from './behaviour.ts';
import { patchFields, pointerInPatch } from './update.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a body sets a reference to, and where in the body. */
type Sent = Reference & { value: unknown; pointer: string };

/**
 * The status that refuses a body with a reference to an item that is not there: of those that the
 * operation documents for errors of its caller. Undefined where it documents none of these: then
 * any reference is accepted.
 */
export function referenceStatusOf(operation: Operation): number | undefined {
  const { responses } = operation;
  const stated = new Set(responses.map(({ status }) => status.toUpperCase()));
  const exact = [422, 400, 404, 409].find((status) => stated.has(String(status)));
  const success = findSuccess(operation);
  const isDefaultError = stated.has('DEFAULT') && success?.status.toLowerCase() !== 'default';
  return exact ?? (stated.has('4XX') || isDefaultError ? 400 : undefined);
}

/** Whether an operation sets properties of items. */
export function setsReferences({ kind }: Operation): boolean {
  return kind !== undefined && ['create', 'createMany', 'replace', 'update'].includes(kind);
}

/**
 * Refuses bodies with references to items that are not there, where the document has an answer for
 * that. A change may leave a reference as it is, whatever became of the item that it names.
 */
export function withHeldReferences(
  behaviour: Behaviour,
  { resource, operation }: Pick<ItemOperation, 'resource' | 'operation'>,
): Behaviour {
  const { kind } = operation;
  const { references = [] } = resource;
  const status = referenceStatusOf(operation);
  if (references.length === 0 || status === undefined || !setsReferences(operation))
    return behaviour;
  const parameter = idParameterOf(operation);
  const creates =
    kind !== 'update' &&
    (kind !== 'replace' || operation.responses.some((one) => one.status === '201'));
  /** The item that a call changes; undefined where there is none. */
  const readItem = async ({ store, params, body }: Call): Promise<string | undefined> => {
    if (kind !== 'replace' && kind !== 'update') return undefined;
    const own = valueAt(body as Fields | null, resource.idProperty);
    const id = parameter === undefined ? String(own) : (params[parameter] ?? '');
    const found = await store.get(resource.name, id);
    return found && toText(found);
  };
  /** The references that a call sets; a JSON Patch is applied to find them. */
  const readSent = async (call: Call): Promise<Sent[]> => {
    const { body } = call;
    if (kind !== 'update' || !Array.isArray(body) || !operation.body?.jsonPatch)
      return findSent(body, references);
    const item = await readItem(call);
    const fields = item === undefined ? undefined : patchFields(item, body);
    return findSent(fields, references).map((one) => ({
      ...one,
      pointer: pointerInPatch(body, one.property),
    }));
  };
  return async (call) => {
    const missing = await findMissing(call.store, await readSent(call));
    if (missing.length === 0) return behaviour(call);
    const text = await readItem(call);
    const item = text === undefined ? undefined : (parseExact(text).value as Fields);
    if (!item && !creates) return behaviour(call);
    const changed = missing.filter(({ property, value }) => item?.[property] !== value);
    return changed.length === 0 ? behaviour(call) : toRefusal(changed, { status, resource });
  };
}

/** The references that a body sets: its fields, or those of each item of a list. */
function findSent(body: unknown, references: readonly Reference[], before = ''): Sent[] {
  if (Array.isArray(body))
    return body.flatMap((one: unknown, index) => findSent(one, references, `${before}/${index}`));
  if (typeof body !== 'object' || body === null) return [];
  return references.flatMap((reference) => {
    const value = (body as Fields)[reference.property];
    return isId(value)
      ? [{ ...reference, value, pointer: `${before}/${toToken(reference.property)}` }]
      : [];
  });
}

function isId(value: unknown): value is string | number | bigint {
  return ['string', 'number', 'bigint'].includes(typeof value);
}

async function findMissing(store: Store, sent: readonly Sent[]): Promise<Sent[]> {
  const missing: Sent[] = [];
  for (const one of sent)
    if ((await store.get(one.collection, String(one.value))) === undefined) missing.push(one);
  return missing;
}

function toRefusal(
  missing: readonly Sent[],
  { status, resource }: { status: number; resource: Resource },
): Answer {
  const problems = missing.map(({ property, collection, value, pointer }): ErrorProblem => {
    const id = toExcerpt(String(value), 80);
    return {
      in: 'body',
      pointer,
      problem: `"${property}" must be the id of an item of ${collection}, but none has ${id}.`,
    };
  });
  const sentences = problems.map(({ problem }) => problem).join(' ');
  const message = `The body is not valid for an item of ${resource.name}. ${sentences}`;
  return toStatedErrorAnswer('invalid_body', message, status, problems);
}
