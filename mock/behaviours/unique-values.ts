import { uniquePropertiesOf } from '../../contracts/description/collections/unique-properties.ts';
import type { Operation, Resource } from '../../contracts/description/document.ts';
import { fromToken, toToken } from '../../contracts/description/json-pointer.ts';
import { isMarked } from '../../contracts/description/marks.ts';
import { toExcerpt } from '../../contracts/look/visible.ts';
import { type Answer, toStatedErrorAnswer } from '../answers/answer.ts';
import { takenStatusOf } from '../documented/responses.ts';
import { type ByteText, toByteText, toText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { parseExact } from '../json/exact-json.ts';
import type { Store } from '../state/store.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A value that another item must not have; `json` is what its property looks like in an item. */
type Claim = { property: string; text: string; json: ByteText };

/**
 * Refuses what would give two items the same value of a property that the document marks as unique;
 * the behaviour itself where it marks none. Items below different parents may have the same.
 */
export function withUniqueValues(
  behaviour: Behaviour,
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const { raw } = options.document;
  const { kind } = operation;
  const properties = uniquePropertiesOf(raw, resource).filter(
    (name) => !isMarked(raw, resource.item.properties[name], 'readOnly'),
  );
  if (properties.length === 0 || !kind || !claiming.has(kind)) return behaviour;
  const isOnItem = kind === 'replace' || kind === 'update';
  const answers = isOnItem ? createItemAnswers(operation, resource, options) : undefined;
  const status = takenStatusOf(operation);
  return async (call) => {
    const own = answers?.idOf(call);
    const claims = toClaims(call, properties);
    const taken =
      (kind === 'createMany' && findRepeated(claims)) ||
      (await findTaken(call.store, claims, { resource, own }));
    return taken ? toTakenAnswer(resource, taken, status) : behaviour(call);
  };
}

const claiming: ReadonlySet<string> = new Set(['create', 'createMany', 'replace', 'update']);

/** The unique values that a body sets, for each item that it is about. */
function toClaims({ body }: Call, properties: readonly string[]): Claim[] {
  const all = Array.isArray(body) ? body.map(toSet) : [toFields(body)];
  return all.flatMap((fields) =>
    properties.flatMap((property) => {
      const value = Object.hasOwn(fields, property) ? fields[property] : null;
      if (value === null || value === undefined) return [];
      const text = stringifyExact(value);
      return [{ property, text, json: toByteText(`${JSON.stringify(property)}:${text}`) }];
    }),
  );
}

/** What an operation of a JSON Patch sets, or an item of a list has. */
function toSet(one: unknown): Fields {
  const fields = toFields(one);
  const { op, path, value } = fields;
  if (typeof op !== 'string' || typeof path !== 'string') return fields;
  const name = fromToken(path.slice(1));
  const sets = (op === 'add' || op === 'replace') && path === `/${toToken(name)}`;
  return sets ? { [name]: value } : {};
}

function findRepeated(claims: readonly Claim[]): Claim | undefined {
  const seen = new Set<string>();
  return claims.find(({ json }) => seen.size === seen.add(json).size);
}

/** The first claim to a value that another item has than the one with the `own` id. */
async function findTaken(
  store: Store,
  claims: readonly Claim[],
  { resource: { name, idProperty }, own }: { resource: Resource; own: string | undefined },
): Promise<Claim | undefined> {
  for (const claim of claims) {
    const isOther = (json: ByteText) => {
      if (!json.includes(claim.json)) return false;
      const item = toFields(parseExact(toText(json)).value);
      return (
        String(item[idProperty]) !== own &&
        stringifyExact(item[claim.property] ?? null) === claim.text
      );
    };
    const [other] = await store.listSerial(name, { filters: {}, limit: 1, isMeant: isOther });
    if (other) return claim;
  }
  return undefined;
}

function toTakenAnswer({ name }: Resource, { property, text }: Claim, status: number): Answer {
  const value = toExcerpt(text, 80);
  const problem = `"${property}" must be unique, but another item of ${name} has ${value}.`;
  const problems = [{ in: 'body', pointer: `/${toToken(property)}`, problem } as const];
  return toStatedErrorAnswer('value_taken', problem, status, problems);
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}
