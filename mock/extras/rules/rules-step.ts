import type { Request, Response } from 'express';
import { defined } from '../../../common/defined.ts';
import { evaluateAll, parseExpression, type Scope } from '../../../common/expression.ts';
import { isObject, isSame, stringifyExact } from '../../../common/json.ts';
import { once } from '../../../common/once-per.ts';
import { parametersIn, shapeOf } from '../../../common/path-template.ts';
import { valueAt, valueIn, withAt } from '../../../common/property-path.ts';
import type { Api, Members, Operation, Refusal, Rules } from '../../../openapi/index.ts';
import { findResource, findSubject } from '../../../openapi/model/api.ts';
import { itemPathsOf } from '../../../openapi/model/placements.ts';
import { bodyOf, sentStatus } from '../../answers/answer.ts';
import type { Behaviour, Call, RequestSource } from '../../behaviours/behaviour.ts';
import { toReadCall } from '../../behaviours/read-call.ts';
import type { Step } from '../../call/steps.ts';
import { localsOf } from '../../http/locals.ts';
import { toMatchingStore } from '../../items/matching-store.ts';
import { createToCaller } from '../../items/sent-secrets.ts';
import { fieldsOf } from '../../items/stored-item.ts';
import type { ByteText } from '../../json/exact-json.ts';
import { creatorMember, withoutHidden } from '../../state/scopes.ts';
import type { ItemStore } from '../../state/store.ts';
import { type CallScope, toAdjustingStore } from './adjusting-store.ts';
import type { Callers } from './callers.ts';
import { changeItem, resourceAt } from './counting-store.ts';
import { type ItemInPath, itemsInPath } from './items-at.ts';
import { itemsOf, toAnswer, toShown, withRule } from './rule-answers.ts';

/** Binds operations, and finds callers, for steps of rules. */
export type RulesTools = {
  bind: (operation: Operation) => Behaviour;
  callers: Pick<Callers, 'of'> | undefined;
  /** The operations whose steps are being made. */
  reading?: readonly Operation[];
};

/** Creates the step that does what the rules of an operation say; undefined where it has none. */
export function createRulesStep(
  document: Api,
  operation: Operation,
  tools: RulesTools,
): Step<'around behaviour'> | undefined {
  const { readAs } = operation;
  const step = createStepOf(document, readAs ?? operation, tools);
  return step && readAs ? (call, next) => step(toReadCall(call, readAs), next) : step;
}

function createStepOf(
  document: Api,
  operation: Operation,
  tools: RulesTools,
): Step<'around behaviour'> | undefined {
  const rules = rulesOf(document, operation);
  if (!rules) return undefined;
  const { values, sets, parent: ofParent, refuses = [], status, shows, keeps } = rules;
  const { filters, removes, body } = rules;
  const isRead = ['GET', 'HEAD'].includes(operation.method);
  const isWriting = (values && !isRead) || sets || keeps;
  const resource = isWriting ? findSubject(document, operation) : undefined;
  const { item, parent } = itemsInPath(document, operation);
  const needsItem = refuses.length > 0 || removes !== undefined || body !== undefined;
  const needsParent = refuses.length > 0 || namesIn(rules).some((name) => /^parent\./.test(name));
  const own = { ...tools, reading: [...(tools.reading ?? []), operation] };
  const toCaller = createToCaller(document);
  const readSingles = createReadSingles(document, rules, own);
  const make = rules.makes && createMake(document, rules.makes, own);
  const showsItem = item !== undefined && stringifyExact(body)?.includes('"{item}"');
  const readItem = showsItem ? createReadItem(document, operation, own) : undefined;
  return async (call, next) => {
    const { creator, ...read } = await readScope(call, {
      parent: needsParent ? parent : undefined,
      item: needsItem ? item : undefined,
    });
    const isCreator = creator && creator === toCaller(call);
    const scope = {
      ...read,
      server: serverOf(document, call.source),
      singles: await readSingles(call),
      caller: { ...tools.callers?.of(call.source), ...defined({ isCreator }) },
    };
    // An item that is not there has no state to be refused for.
    const isThere = (!item || scope.item !== undefined) && (!parent || scope.parent !== undefined);
    const refusal = refuses.find((one) => (isThere || isOfPath(one)) && isMet(one, scope));
    if (refusal) return { ...toAnswer(refusal, scope), xTwin: 'refuses' };
    const adjusting =
      resource && toAdjustingStore(call.store, resource, { rules, operation, scope });
    const store = filters ? toFilteredStore(call.store, filters, scope) : call.store;
    const answer = await next({ ...call, store: adjusting?.store ?? store });
    if (sentStatus(answer) >= 300) return answer;
    if (sets && item && adjusting?.isUnused()) {
      const found = await item.find(call.store, call.params);
      const toSame = (json: ByteText) => ({ id: found?.key ?? '', json, filters: {} });
      if (found) await adjusting.store.change(item.resource.name, found.key, toSame);
    }
    const above = ofParent && (await parent?.find(call.store, call.params));
    if (above && parent) {
      const about = { document, resource: parent.resource, key: above.key };
      await changeItem(call.store, { ...about, members: ofParent, scope });
    }
    if (removes && item)
      await removeOthers(call, document, { removes, item: scope.item, of: item });
    if (make) await make(call, { ...scope, item: itemsOf(answer, operation)[0] });
    const now = body === undefined ? undefined : await item?.find(call.store, call.params);
    const [shownItem] = itemsOf(answer, operation);
    const json = now?.json ?? (shownItem === undefined ? answer.created : undefined);
    const stored = (json && fieldsOf(withoutHidden(json))) ?? scope.item ?? shownItem;
    const said = withRule(answer, rules, { ...scope, item: (await readItem?.(call)) ?? stored });
    const shown = toShown(said, operation, {
      scope,
      shows,
      values: resource ? undefined : values,
    });
    return status === undefined ? shown : { ...shown, status };
  };
}

/** The rules of an operation; what makes several items has those of what makes one, too. */
function rulesOf(document: Api, operation: Operation): Rules | undefined {
  const { create } = findResource(document, operation)?.operations ?? {};
  if (operation.kind !== 'createMany' || !create?.rules) return operation.rules;
  const { values, sets, shows } = create.rules;
  return { ...defined({ values, sets, shows }), ...operation.rules };
}

/** The names in the expressions of members that rules set. */
function namesIn({ values, sets, parent, shows, filters, keeps }: Rules): string[] {
  const all = [values, sets, parent, shows, filters, keeps || undefined];
  return all.flatMap((one) => [...(one?.values() ?? [])].flatMap(({ names }) => names));
}

/**
 * Creates a reader of the single objects that rules name, such as `/user`, as their GETs show them,
 * but of none that is being read.
 */
function createReadSingles(
  document: Api,
  rules: Rules,
  { reading = [], ...tools }: RulesTools,
): (call: Call) => Promise<Record<string, unknown>> {
  const keys = namesIn(rules).map((name) => name.split('.'));
  const readAt = (name: string) =>
    document.operations.find(
      ({ method, path }) => method === 'GET' && path.slice(1).replace('/', '.') === name,
    );
  const named = keys.flatMap(([space, first = '', second = '']) =>
    space === 'singles' ? ([`${first}.${second}`, first].find(readAt) ?? []) : [],
  );
  const reads = [...new Set(named)].flatMap((name) => {
    const read = readAt(name);
    if (!read || reading.includes(read)) return [];
    return [{ name, behave: bindWhole(document, read, { ...tools, reading }) }];
  });
  return async (call) => {
    let singles = {};
    const look = { ...call, method: 'GET', params: {}, body: undefined, query: {} };
    for (const { name, behave } of reads)
      singles = withAt(singles, name, bodyOf(await behave({ ...look, isLook: true })));
    return singles;
  };
}

/** Creates a reader of the item that a path names, as the GET at its own path shows it, if there is one. */
function createReadItem(
  document: Api,
  { path }: Operation,
  { reading = [], ...tools }: RulesTools,
): (call: Call) => Promise<unknown> {
  const at = itemPathsOf(path).at(-1) ?? '';
  const read = document.operations.find(
    (one) => one.kind === 'read' && shapeOf(one.path) === shapeOf(at) && !reading.includes(one),
  );
  if (!read) return async () => undefined;
  const behave = once(() => bindWhole(document, read, { ...tools, reading }));
  const own = parametersIn(at);
  const further = path.slice(at.length).split('/').length - 1;
  return async (call) => {
    const [sent = ''] = call.url.split('?');
    const segments = sent.split('/');
    const url = segments.slice(0, segments.length - further).join('/');
    const values = parametersIn(read.path).map((name, index) => [
      name,
      call.params[own[index] ?? ''],
    ]);
    const look = { ...call, method: 'GET', url, params: Object.fromEntries(values), query: {} };
    const answer = await behave()({
      ...look,
      body: undefined,
      parameters: undefined,
      isLook: true,
    });
    return sentStatus(answer) < 300 ? itemsOf(answer, read)[0] : undefined;
  };
}

/** Binds an operation with its rules. */
function bindWhole(document: Api, operation: Operation, tools: RulesTools): Behaviour {
  const step = createRulesStep(document, operation, tools);
  const behave = tools.bind(operation);
  return step ? (call) => step(call, behave) : behave;
}

/** Creates what creates items at other paths, by the creates of these. */
function createMake(document: Api, makes: NonNullable<Rules['makes']>, tools: RulesTools) {
  const { reading = [] } = tools;
  const all = Object.entries(makes).flatMap(([path, bodies]) => {
    const operation = document.operations.find(
      (one) => one.method === 'POST' && shapeOf(one.path) === shapeOf(path),
    );
    if (!operation || reading.includes(operation)) return [];
    return [{ path, bodies, operation, behave: once(() => bindWhole(document, operation, tools)) }];
  });
  return async (call: Call, scope: Scope) => {
    for (const { path, bodies, operation, behave } of all) {
      const names = parametersIn(operation.path);
      const texts = [...path.matchAll(/\{[^{}]+\}/g)].map(([one]) => evaluateAll(one, scope));
      const params = Object.fromEntries(names.map((name, at) => [name, String(texts[at] ?? '')]));
      for (const body of bodies)
        await behave()({ ...call, params, query: {}, body: evaluateAll(body, scope) });
    }
  };
}

/** Removes the items of other collections that refer to an item. */
async function removeOthers(
  { store }: Call,
  document: Api,
  { removes, item, of }: { removes: NonNullable<Rules['removes']>; item: unknown; of: ItemInPath },
): Promise<void> {
  const id = isObject(item) ? valueAt(item, of.resource.idProperty) : undefined;
  for (const [path, member] of Object.entries(removes)) {
    const isOfIt = (json: ByteText) => isSame(valueIn(fieldsOf(json), member.split('.')), id);
    const { name = '' } = resourceAt(document, path) ?? {};
    if (id !== undefined) await store.removeAll(name, { isMatch: isOfIt });
  }
}

/** The address of the mock as a request has it, with the API and the sandbox that its path names. */
export function serverOf({ basePath }: Api, source: RequestSource) {
  const origin = `${source.protocol}://${source.headers.host ?? 'localhost'}`;
  const { prefix } = localsOf((source as Request).res as Response);
  return { origin, base: origin + prefix + basePath };
}

async function readScope(
  { params, query, url, body, store, clock, sandbox, source }: Call,
  { item, parent }: { item: ItemInPath | undefined; parent: ItemInPath | undefined },
): Promise<CallScope & { item: unknown; parent: unknown; creator: unknown }> {
  const [found, above] = await Promise.all([
    item?.find(store, params),
    parent?.find(store, params),
  ]);
  // What the document does not describe is in the address alone.
  const sent = Object.fromEntries(new URLSearchParams(url.split('?', 2)[1]));
  return {
    ...{ now: clock.now(), random: sandbox?.random, path: params, query: { ...sent, ...query } },
    ...{ body, headers: source.headers },
    item: found && fieldsOf(withoutHidden(found.json)),
    creator: found && fieldsOf(found.json)[creatorMember],
    parent: above && fieldsOf(above.json),
  };
}

/** Whether a refusal is for what the path itself is like, before anything is looked for. */
function isOfPath({ when, unless }: Refusal): boolean {
  const names = [...when.keys(), ...unless.keys()];
  return names.length > 0 && names.every((name) => name.startsWith('plain(path.'));
}

function isMet({ when, unless }: Refusal, scope: CallScope & { item: unknown }): boolean {
  const has = ([name, values]: [string, readonly unknown[]]) => {
    const value = parseExpression(`{${name}}`).evaluate(scope);
    return values.some((one) => isSame(one, value ?? null));
  };
  return [...when].every(has) && (unless.size === 0 || ![...unless].every(has));
}

/** The items of a store whose members have the values of a call. */
function toFilteredStore(
  store: ItemStore,
  filters: Members,
  scope: Omit<Scope, 'item'>,
): ItemStore {
  const asked = [...filters].flatMap(([name, { evaluate }]) => {
    const value = evaluate({ ...scope, item: undefined } as Scope);
    return value === undefined ? [] : [{ keys: name.split('.'), text: String(value) }];
  });
  return toMatchingStore(store, (json) =>
    asked.every(({ keys, text }) => String(valueIn(fieldsOf(json), keys)) === text),
  );
}
