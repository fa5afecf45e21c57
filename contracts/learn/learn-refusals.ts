import { parseExpression } from '../../common/expression.ts';
import { isObject, isSame, toJson } from '../../common/json.ts';
import { valueIn } from '../../common/property-path.ts';
import { isOnCollection, rowOf } from '../../openapi/model/kinds.ts';
import { writtenOf } from '../traffic/as-read.ts';
import { learnBody, learnHeaders } from './learn-answers.ts';
import { toScope } from './learn-members.ts';
import { byOperation, type Line, toLine } from './lines.ts';
import { createKeep } from './may-keep.ts';
import { isSuccess, type Observation } from './observe.ts';

/** The values of one name that tell refusals from successes. */
type Condition = { name: string; refused: readonly unknown[] };

/** Whether the caller created the item of the path. */
const ofCreator = 'caller.isCreator';

/** The most values that a condition may list. */
const maxValues = 5;

/** Learns when operations are refused that the mock does not refuse: by a state, or by what was sent. */
export function learnRefusals(all: readonly Observation[]): Line[] {
  return byOperation(all).flatMap((seen) => {
    const [{ operation }] = seen;
    const isWrong = ({ replayed: { response, outcome, twinOutcome } }: Observation) =>
      outcome === 'refusal' && response.status < 500 && twinOutcome === 'success';
    // Who calls may be the reason: nothing that only others were refused for is learned of the call.
    const callers = new Set(seen.flatMap((one) => (isSuccess(one) ? one.credentials : [])));
    const isOfOther = ({ credentials }: Observation) =>
      credentials !== '' && callers.size > 0 && !callers.has(credentials);
    const refused = seen.filter(
      (one) => isWrong(one) && (!isOfOther(one) || one.isCreator === false),
    );
    const accepted = seen.filter(isSuccess);
    const unique = findUnique(refused, accepted);
    if (unique) return [toLine(refused, { operation, rule: ['unique'], value: [unique] })];
    const byStatus = Map.groupBy(
      refused,
      (one) => `${one.replayed.response.status}${isOfOther(one) ? ' for others' : ''}`,
    );
    return [...byStatus].flatMap(([name, own]): Line[] => {
      const status = own[0]?.replayed.response.status ?? 0;
      // What answers nothing else, as other paths do, is not there.
      const isNothing = [404, 405, 501].includes(status) && seen.length === own.length;
      const isAbsent = isNothing && own.length > 1 && own.every(isBelowKnown);
      const isUnknown = isOfUnknown(own, accepted);
      const names = own.every(isOfOther) ? [ofCreator] : undefined;
      const condition = isAbsent || isUnknown ? undefined : findCondition(own, accepted, names);
      if (!condition && !isAbsent && !isUnknown) return [];
      const toOwnScope = (one: Observation) =>
        toScope({ ...one, before: undefined, singles: {} }, one.before);
      const body = learnBody(
        own.map(toOwnScope),
        own.map(({ replayed }) => replayed.response.json),
      );
      const headers = learnHeaders(own, toOwnScope, ['www-authenticate', 'retry-after']);
      const answer = { status, ...(body !== undefined && { body }), ...(headers && { headers }) };
      if (isUnknown)
        return [toLine(own, { operation, rule: ['errors', 'not_found'], value: answer })];
      const when = condition && { [condition.name]: condition.refused };
      const value = { ...(when && { when }), ...answer };
      return [toLine(own, { operation, rule: ['refuses', name], value })];
    });
  });
}

/** Whether the item that a path names was shown, if it names one. */
function isBelowKnown({ operation: { kind, path }, before, parent }: Observation): boolean {
  return !path.includes('{') || (isOnCollection(kind) ? parent : before) !== undefined;
}

/**
 * Whether calls were refused for their items alone, which nothing had shown: where no path says that
 * an item is meant, the mock answers without state.
 */
function isOfUnknown(refused: readonly Observation[], accepted: readonly Observation[]): boolean {
  const isShown = ({ operation, before }: Observation) =>
    writtenOf(operation) !== operation && !isOnCollection(operation.kind) && before !== undefined;
  return accepted.length > 0 && accepted.every(isShown) && !refused.some(isShown);
}

/** Finds the property that another item had the sent value of wherever a create was refused, and nowhere else. */
function findUnique(
  refused: readonly Observation[],
  accepted: readonly Observation[],
): string | undefined {
  const [first] = refused;
  if (!first || rowOf(first.operation.kind).adds !== true) return undefined;
  const isTaken = ({ body, others }: Observation, name: string) => {
    const sent = valueIn(body, [name]);
    return sent !== undefined && others.some((one) => isSame(one[name], sent));
  };
  return namesOf(first.body).find(
    (name) =>
      refused.every((one) => isTaken(one, name)) && !accepted.some((one) => isTaken(one, name)),
  );
}

/** Finds what has other values where calls are refused than where they succeed: a state comes first. */
function findCondition(
  refused: readonly Observation[],
  accepted: readonly Observation[],
  given?: readonly string[],
): Condition | undefined {
  const all = new Set(given ?? [...refused, ...accepted].flatMap(featuresOf));
  const schemas = refused[0]?.resource?.item.properties ?? {};
  // What the document lists the values of is a state more likely than any text.
  const names = [...all].toSorted(
    (left, right) => Number(isListed(right)) - Number(isListed(left)),
  );
  function isListed(name: string): boolean {
    const { enum: values, type } = schemas[name.split('.')[1] ?? ''] ?? {};
    return values !== undefined || type === 'boolean';
  }
  for (const name of names) {
    // Of an item that was not shown yet, nobody knows the state.
    const isKnown = ({ before }: Observation) => before !== undefined || !name.startsWith('item.');
    const [bad, good] = [refused, accepted.filter(isKnown)].map((seen) =>
      Map.groupBy(seen, (one) => toJson(featureOf(one, name))),
    );
    if (!bad || !good || bad.size > maxValues || !refused.every(isKnown)) continue;
    // Of calls that are always refused, what all of them send may be the reason.
    const isOfAll = name.startsWith('body.') && bad.size === 1 && refused.length > 2;
    if (good.size === 0 && (accepted.length > 0 || !isOfAll)) continue;
    const isApart = [...bad.keys()].every((one) => !good.has(one));
    if (isApart && [...bad.values()].every((seen) => isKept(seen, name)))
      return { name, refused: [...bad.values()].map(([one]) => one && featureOf(one, name)) };
  }
  return undefined;
}

/** Whether a value is a state, which may be kept: calls of so many kinds were refused for it. */
function isKept(seen: readonly Observation[], name: string): boolean {
  const [first] = seen;
  if (!first) return false;
  const value = featureOf(first, name);
  const kinds = new Set(seen.map(({ replayed, body }) => `${replayed.path} ${toJson(body)}`));
  const own = name.slice(name.indexOf('.') + 1);
  const schema = first.resource?.item.properties[own];
  const keep = createKeep(seen, { name: own, schema, keepValues: false });
  return isState(value) && keep(value, kinds.size);
}

/** Names of what a call may be refused for: members of the item, and those of the body. */
function featuresOf({ before, body, query, path }: Observation): string[] {
  return [
    'headers.authorization',
    ofCreator,
    ...namesOf(path).map((name) => `plain(path.${name})`),
    ...namesOf(before).map((name) => `item.${name}`),
    ...namesOf(body).map((name) => `body.${name}`),
    ...Object.keys(query).map((name) => `query.${name}`),
  ];
}

function namesOf(value: unknown): string[] {
  return isObject(value) ? Object.keys(value).filter((name) => /^[\w$@-]+$/.test(name)) : [];
}

function featureOf(one: Observation, name: string): unknown {
  const { before, body, query, path, credentials, isCreator } = one;
  if (name.includes('('))
    return parseExpression(`{${name}}`).evaluate({ item: before, now: 0, path });
  const [space = '', ...keys] = name.split('.');
  // Nobody knows a credential, but whether there is one.
  const headers = credentials === '' ? {} : { authorization: true };
  const spaces: Record<string, unknown> = {
    item: before,
    body,
    query,
    headers,
    caller: { isCreator },
  };
  return valueIn(spaces[space], keys) ?? null;
}

/** Whether a value is one of few: nothing, a flag, or one word. */
function isState(value: unknown): boolean {
  if (value === null || typeof value === 'boolean' || value === '') return true;
  return typeof value === 'string' && /^[A-Za-z][\w-]{0,30}$/.test(value);
}
