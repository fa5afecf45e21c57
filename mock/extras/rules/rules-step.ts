import { absent, evaluateAll, parseExpression, type Scope } from '../../../common/expression.ts';
import { isObject, isSame } from '../../../common/json.ts';
import { stringifyExact } from '../../../common/json-text.ts';
import { valueAt } from '../../../common/property-path.ts';
import type {
  AnswerRule,
  Api,
  Members,
  Operation,
  Refusal,
  Rules,
} from '../../../openapi/index.ts';
import { type Answer, bodyOf, sentStatus, type TextAnswer } from '../../answers/answer.ts';
import type { Behaviour, Call, RequestSource } from '../../behaviours/behaviour.ts';
import type { Step } from '../../call/steps.ts';
import { withRules } from '../../items/member-rules.ts';
import { fieldsOf, toStoredOf } from '../../items/stored-item.ts';
import { type ByteText, noBytes, toByteText } from '../../json/exact-json.ts';
import { type CallScope, toAdjustingStore } from './adjusting-store.ts';
import { type ItemInPath, itemsInPath, writtenBy } from './items-at.ts';

/** Creates the step that does what the rules of an operation say; undefined where it has none. */
export function createRulesStep(
  document: Api,
  operation: Operation,
  bind: (operation: Operation) => Behaviour,
  reading: readonly Operation[] = [],
): Step<'around behaviour'> | undefined {
  const { rules } = operation;
  if (!rules) return undefined;
  const { values, sets, parent: ofParent, refuses = [], status } = rules;
  const resource = values || sets ? writtenBy(document, operation) : undefined;
  const { item, parent } = itemsInPath(document, operation);
  const needsItem = refuses.length > 0;
  const readSingles = createReadSingles(document, rules, {
    bind,
    reading: [...reading, operation],
  });
  return async (call, next) => {
    const scope = {
      ...(await readScope(call, { parent, item: needsItem ? item : undefined })),
      server: serverOf(document, call.source),
      singles: await readSingles(call),
    };
    // An item that is not there has no state to be refused for.
    const isThere = (!item || scope.item !== undefined) && (!parent || scope.parent !== undefined);
    const refusal = isThere ? refuses.find((one) => isMet(one, scope)) : undefined;
    if (refusal) return { ...toAnswer(refusal, scope), xTwin: 'refuses' };
    const adjusting =
      resource && toAdjustingStore(call.store, resource, { rules, operation, scope });
    const answer = await next(adjusting ? { ...call, store: adjusting.store } : call);
    if (sentStatus(answer) >= 300) return answer;
    if (values && !resource) return withValues(answer, values, scope);
    if (sets && item && adjusting?.isUnused()) {
      const found = await item.find(call.store, call.params);
      const toSame = (json: ByteText) => ({ id: found?.key ?? '', json, filters: {} });
      if (found) await adjusting.store.change(item.resource.name, found.key, toSame);
    }
    if (ofParent && parent) await changeParent(call, parent, { rules, scope });
    return status === undefined ? answer : { ...answer, status };
  };
}

/**
 * Creates a reader of the single objects that rules name, such as `/user`, as their GETs show them,
 * but of none that is being read.
 */
function createReadSingles(
  document: Api,
  rules: Rules,
  { bind, reading }: { bind: (operation: Operation) => Behaviour; reading: readonly Operation[] },
): (call: Call) => Promise<Record<string, unknown>> {
  const { values = new Map(), sets = new Map(), parent = new Map() } = rules;
  const named = [values, sets, parent].flatMap((one) => [...one.values()]);
  const keys = named.flatMap((one) => one.names).map((name) => name.split('.'));
  const names = new Set(keys.flatMap(([space, name]) => (space === 'singles' ? (name ?? []) : [])));
  const reads = [...names].flatMap((name) => {
    const read = document.operations.find(
      (one) => one.method === 'GET' && one.path === `/${name}` && !reading.includes(one),
    );
    const step = read && createRulesStep(document, read, bind, reading);
    const behave = read && bind(read);
    return behave ? [{ name, behave: step ? (call: Call) => step(call, behave) : behave }] : [];
  });
  return async (call) => {
    const entries = reads.map(async ({ name, behave }) => {
      const look = { ...call, method: 'GET', params: {}, body: undefined, query: {} };
      return [name, bodyOf(await behave({ ...look, isLook: true }))] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  };
}

/** An answer without state, with other values of its members. */
function withValues(answer: Answer | TextAnswer, values: Members, scope: Scope) {
  const value = bodyOf(answer);
  if ('text' in answer || !isObject(value)) return answer;
  const shown = withRules(value, values, { scope: { ...scope, item: value } });
  return { ...answer, json: toByteText(stringifyExact(shown) ?? 'null') };
}

/** The address of the mock as a request has it. */
export function serverOf({ basePath }: Api, { protocol, headers }: RequestSource) {
  const origin = `${protocol}://${headers.host ?? 'localhost'}`;
  return { origin, base: origin + basePath };
}

async function readScope(
  { params, query, body, store, clock, sandbox }: Call,
  { item, parent }: { item: ItemInPath | undefined; parent: ItemInPath | undefined },
): Promise<CallScope & { item: unknown; parent: unknown }> {
  const [found, above] = await Promise.all([
    item?.find(store, params),
    parent?.find(store, params),
  ]);
  return {
    ...{ now: clock.now(), random: sandbox?.random, path: params, query, body },
    item: found && fieldsOf(found.json),
    parent: above && fieldsOf(above.json),
  };
}

function isMet({ when, unless }: Refusal, scope: CallScope & { item: unknown }): boolean {
  const has = ([name, values]: [string, readonly unknown[]]) => {
    const value = parseExpression(`{${name}}`).evaluate(scope);
    return values.some((one) => isSame(one, value ?? null));
  };
  return [...when].every(has) && (unless.size === 0 || ![...unless].every(has));
}

/** The answer of a rule, whose body may name what the call has. */
export function toAnswer(
  { status = 400, body, headers }: AnswerRule,
  scope: CallScope & { item: unknown },
): Answer {
  const value = evaluateAll(body, scope);
  const json = value === undefined ? noBytes : toByteText(stringifyExact(value) ?? 'null');
  const fields = Object.entries(headers ?? {}).map(([name, one]) => {
    const made = evaluateAll(one, scope);
    return [name, made === absent || made === undefined ? [] : String(made)] as const;
  });
  return { status, json, ...(headers && { overrides: Object.fromEntries(fields) }) };
}

/** Sets members of the item that the path is below. */
async function changeParent(
  { store, params }: Call,
  { find, resource }: ItemInPath,
  { rules, scope }: { rules: Rules; scope: CallScope },
): Promise<void> {
  const found = await find(store, params);
  if (!found) return;
  await store.change(resource.name, found.key, (json) => {
    const fields = fieldsOf(json);
    const changed = withRules(fields, rules.parent ?? new Map(), {
      scope: { ...scope, item: fields },
      resource,
    });
    const stored = toStoredOf(resource)(changed, valueAt(changed, resource.idProperty));
    return { ...stored, id: found.key };
  });
}
