import type { Scope } from '../../common/expression.ts';
import { isObject, isSame, membersOf } from '../../common/json.ts';
import { valueIn } from '../../common/property-path.ts';
import type { Operation } from '../../openapi/index.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { formOf, isRedacted, isTime, splitToken } from '../fidelity/value-form.ts';
import { type Explanation, explainValue, type Sample } from './explain-value.ts';
import { byOperation, confidenceOf, type Line, toLine } from './lines.ts';
import { createKeep, hasName, isEmpty, namesIn } from './may-keep.ts';
import type { Item, Observation } from './observe.ts';

export type LearnOptions = { keepValues: boolean };

/** Learns what operations set in items: of new ones, and by what they do to others. */
export function learnMembers(all: readonly Observation[], options: LearnOptions): Line[] {
  const writes = all.filter(({ operation, resource, before, after }) => {
    // The first change of a single object shows how it begins.
    if (resource?.isSingle && before) return false;
    const isStateless = !operation.kind && !operation.actsOn && !operation.singleton;
    const isWrite = operation.kind !== 'delete' && !['GET', 'HEAD'].includes(operation.method);
    return after && (isWrite || isStateless);
  });
  return byOperation(writes).flatMap((seen) => learnOfOperation(seen, options));
}

function learnOfOperation(
  seen: readonly [Observation, ...Observation[]],
  options: LearnOptions,
): Line[] {
  const [{ operation, resource }] = seen;
  const adds = rowOf(operation.kind).adds === true;
  const isNew = adds || !resource || resource.isSingle === true || seen.every(isMade);
  const differing = new Set(seen.flatMap(({ differing }) => differing ?? []));
  const idProperty = resource?.idProperty;
  const replaced = isNew ? [] : findReplaced(seen, differing);
  const lines = replaced.map(({ path, of }) =>
    toLine(of, { operation, rule: ['sets', path], value: `{body.${path}}` }),
  );
  const isReplaced = (path: string) => replaced.some((one) => path.startsWith(`${one.path}.`));
  const own = [...differing].filter((path) => !isReplaced(path));
  return own
    .flatMap((path): Line[] => {
      if (path === idProperty) return isNew ? toNewId(seen, path) : [];
      const learning = { seen, operation, isNew, differing, ...options };
      if (!isLeftOut(path, seen)) return learnAt(path, learning);
      const shows = toLine(seen, { operation, rule: ['shows', path], value: '{absent}' });
      return [shows, ...learnAt(path, { ...learning, seen: seen.filter(({ read }) => read) })];
    })
    .concat(lines);
}

/** Whether a change created its item. */
function isMade({ operation, before, replayed: { response } }: Observation): boolean {
  return operation.kind === 'replace' && before === undefined && response.status === 201;
}

/** Finds the objects that changes replace by what was sent, and do not merge. */
function findReplaced(seen: readonly Observation[], differing: ReadonlySet<string>) {
  const paths = new Set([...differing].map((path) => path.split('.').slice(0, -1).join('.')));
  return [...paths].flatMap((path) => {
    const keys = path.split('.');
    const of = seen.filter(({ body }) => path !== '' && isObject(valueIn(body, keys)));
    const isSent = ({ after, body }: Observation) =>
      isSame(valueIn(after, keys), valueIn(body, keys));
    return of.length > 0 && of.every(isSent) ? [{ path, of }] : [];
  });
}

/** Whether answers of changes leave out a member that the items may have, as no read shows otherwise. */
function isLeftOut(path: string, seen: readonly Observation[]): boolean {
  const keys = path.split('.');
  const lacks = (item: Item | undefined) => valueIn(item, keys) === undefined;
  const reads = seen.flatMap(({ read }): Item[] => (read ? [read] : []));
  return (
    seen.every(({ answer }) => answer && lacks(answer)) &&
    seen.some(({ answerDiffering = [] }) => answerDiffering.includes(path)) &&
    !(reads.length > 0 && reads.every(lacks))
  );
}

type LearnContext = LearnOptions & {
  seen: readonly Observation[];
  operation: Operation;
  isNew: boolean;
  differing: ReadonlySet<string>;
};

/** Learns the value of one member; of an object that nothing explains, its members. */
function learnAt(path: string, learning: LearnContext): Line[] {
  const { seen, operation, isNew } = learning;
  const keys = path.split('.');
  const all = seen.map((one) => ({ one, value: valueIn(one.after, keys) }));
  if (all.length === 0) return [];
  const isChanged = ({ one: { before }, value }: (typeof all)[number]) =>
    !isSame(valueIn(before, keys), value);
  // A change sets what it was seen to change, and leaves what the mock changes of its own.
  const valued = isNew ? all : all.filter(({ one }) => one.before !== undefined || isMade(one));
  const isChangedByMock = ({ one }: (typeof all)[number]) =>
    one.differing?.includes(path) && !one.differingBefore?.includes(path);
  const isKept = !isNew && !valued.some(isChanged);
  if (isKept && !valued.some(isChangedByMock)) return [];
  const unsent = isNew ? valued.filter(({ one }) => sentAt(one, keys) === undefined) : [];
  const ofUnsent = unsent.length > 0 ? explain(unsent, path, learning) : undefined;
  // What is not stored even if it is sent is set.
  const isSent = unsent.length < valued.length;
  const isNever = isNew && isSent && valued.every(({ value }) => value === undefined);
  const isOfUnsent = !isNever && (ofUnsent !== undefined || !isSent);
  const samples = isOfUnsent ? unsent : valued;
  const isNothing = valued.every(({ value }) => value === undefined);
  const confidence = confidenceOf(valued.length);
  const found = isKept
    ? ({ expression: isNothing ? '{absent}' : `{before.${path}}`, confidence } as const)
    : isOfUnsent
      ? ofUnsent
      : explain(valued, path, learning);
  const isList = ({ value }: (typeof samples)[number]) => Array.isArray(value);
  const whole = found ?? (samples.every(isList) ? explainDeep(samples, path, learning) : undefined);
  if (!whole && samples.every(({ value }) => isObject(value))) {
    const names = new Set(samples.flatMap(({ value }) => Object.keys(value as Item)));
    return [...names]
      .filter((name) => /^[\w$@-]+$/.test(name))
      .flatMap((name) => learnAt(`${path}.${name}`, learning));
  }
  if (!whole) return [];
  // What was never there may be required, and is not shown.
  const rule = [isOfUnsent ? 'values' : isKept && isNothing ? 'shows' : 'sets', path];
  const shown = samples.map(({ one }) => one);
  return [toLine(shown, { operation, rule, value: whole.expression }, whole.confidence)];
}

/** Explains lists and objects of one form by what is in them; undefined where something is not explained. */
function explainDeep(
  samples: readonly SampleOf[],
  path: string,
  learning: LearnContext,
  name?: string,
): Explanation | undefined {
  const found = explain(samples, path, learning, name);
  const [first] = samples.map(({ value }) => membersOf(value));
  if (found || !first) return found;
  const keys = Object.keys(first);
  const isOfForm = ({ value }: SampleOf) =>
    Array.isArray(value) === Array.isArray(first) &&
    isSame(Object.keys(membersOf(value) ?? {}), keys);
  if (!samples.every(isOfForm)) return undefined;
  const parts = keys.map((key) => {
    const inner = samples.map(({ one, value }) => ({ one, value: valueIn(value, [key]) }));
    return [key, explainDeep(inner, path, learning, Array.isArray(first) ? name : key)] as const;
  });
  if (parts.some(([, part]) => part === undefined)) return undefined;
  const made = parts.map(([key, part]) => [key, part?.expression] as const);
  const expression = Array.isArray(first) ? made.map(([, one]) => one) : Object.fromEntries(made);
  return { expression, confidence: confidenceOf(samples.length) };
}

/** A value that was seen at a call. */
type SampleOf = { one: Observation; value: unknown };

function sentAt({ body, operation: { takenAt = [] } }: Observation, keys: readonly string[]) {
  return (
    valueIn(body, keys) ?? (takenAt.length > 0 ? valueIn(body, [...takenAt, ...keys]) : undefined)
  );
}

function explain(
  samples: readonly SampleOf[],
  path: string,
  { differing, keepValues }: LearnContext,
  name = path.split('.').at(-1) ?? '',
): Explanation | undefined {
  const schema = samples[0]?.one.resource?.item.properties[path];
  const given = samples.map(({ one, value }) => ({
    value,
    scope: toScope(one, without(one.after ?? {}, [path, ...differing])),
  }));
  const all = samples.map(({ one }) => one);
  const keep = createKeep(all, { name, schema, keepValues });
  // What a service makes up is another one each time, unless the path has it: `/2026-01-01/items`.
  const segments = samples[0]?.one.operation.path.split('/') ?? [];
  const isOfPath = segments.includes(String(given[0]?.value));
  const form = isOfPath ? undefined : formOf(given[0]?.value, { name, owner: '' });
  const found = explainValue(given, {
    name,
    mayKeep: (value, count) =>
      isOfPath || ((form === undefined || isEmpty(value)) && keep(value, count)),
  });
  const isKept = keepValues || !hasName(found?.expression, namesIn(all));
  if (found && isKept) return found;
  const made = found ? undefined : explainForm(given, name);
  return made === undefined ? undefined : { expression: made, confidence: 'low' };
}

/** An expression for values that a service makes up, all in one form. */
export function explainForm(samples: readonly Sample[], name: string): string | undefined {
  const [form, ...others] = new Set(samples.map(({ value }) => formOf(value, { name, owner: '' })));
  if (others.length > 0) return undefined;
  return form === undefined ? toMadeUpAddress(samples) : toMadeUp(samples, form);
}

/** An expression for an address whose last part a service makes up, each time of the same length. */
function toMadeUpAddress(samples: readonly Sample[]): string | undefined {
  const parts = samples.map(({ value, scope }) => {
    const { origin } = scope.server as { origin: string };
    const [, start = '', end = ''] = /^(https?:\/\/.*\/)([\da-f]{8,})$/i.exec(String(value)) ?? [];
    return `${start.replace(origin, '{server.origin}')}{random ${end.length}}`;
  });
  const [first] = parts;
  const isOne = first?.startsWith('{server.origin}/') && parts.every((one) => one === first);
  return isOne ? first : undefined;
}

/** An expression for values that a service makes up in a form; undefined for times and addresses. */
function toMadeUp(samples: readonly Sample[], form: string): string | undefined {
  const [value] = samples.map((one) => one.value);
  if (isTime(form)) return undefined;
  if (isRedacted(value)) return '{random 24}';
  if (form === 'an e-mail address') return 'someone@example.com';
  if (form === 'a UUID') return '{random 8}-{random 4}-4{random 3}-a{random 3}-{random 12}';
  if (typeof value !== 'string') return '{serial}';
  const { prefix, rest } = splitToken(value);
  if (samples.length < 2 && !isOfKind(prefix)) return undefined;
  if (/^\d+$/.test(value)) return '{text(serial)}';
  const kind = kindOf(samples.map((one) => String(one.value).slice(prefix.length)));
  return `${prefix}${kind}{random ${rest.length - kind.length}}`;
}

/** The capitals that three texts or more begin with, as those that name their kind: `SM` of `SM0a`. */
function kindOf(texts: readonly string[]): string {
  const [kind = ''] = /^[A-Z]{2,4}(?=[\da-f]+$)/.exec(texts[0] ?? '') ?? [];
  return new Set(texts).size > 2 && texts.every((one) => one.startsWith(kind)) ? kind : '';
}

/** Whether the start of one value names its kind, such as `ord_`, and hardly what somebody is called. */
function isOfKind(prefix: string): boolean {
  return /^([a-z]{1,5}_|[A-Z]{2,5}-)?$/.test(prefix);
}

/** Tells what was known at a call. */
export type CallFacts = Pick<
  Observation,
  | 'call'
  | 'replayed'
  | 'path'
  | 'query'
  | 'body'
  | 'before'
  | 'parent'
  | 'singles'
  | 'serial'
  | 'caller'
>;

/** Returns the values that an expression may name at a call. */
export function toScope(one: CallFacts, item: unknown): Scope {
  const { path, query, body, before, parent, singles, replayed, serial } = one;
  const { base, error } = replayed;
  const server = { base, origin: new URL(base).origin };
  return {
    ...{ item, now: replayed.sentAt, path, query, body, before, parent, singles, server },
    ...{ serial, caller: one.caller?.item },
    ...(error?.name && { error: { name: error.name } }),
  };
}

/** An item without some members, so that none of them explains another one. */
export function without(item: Item, paths: readonly string[], above = ''): Item {
  const entries = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    const path = `${above}${name}`;
    if (paths.includes(path)) return [];
    return [[name, isObject(value) ? without(value as Item, paths, `${path}.`) : value]];
  });
  return Object.fromEntries(entries);
}

/** Learns the form of new ids, of which no character stands for itself. */
export function toNewId(seen: readonly Observation[], path: string): Line[] {
  const made = seen.filter((one) => sentAt(one, [path]) === undefined);
  const ids = made.map(({ after }) => after?.[path]);
  const place = { name: 'id', owner: '' };
  const forms = new Set(ids.map((id) => formOf(id, place)));
  const [id] = ids;
  const [form] = forms;
  if (forms.size !== 1 || typeof id !== 'string' || form === undefined) return [];
  const { prefix, rest } = splitToken(id);
  if (made.length < 2 && !isOfKind(prefix)) return [];
  const isCounted = form.endsWith('number');
  // Of digits alone, an id would be a number.
  const kind = prefix === '' && /[A-Za-z]/.test(rest) ? kindOf(ids.map(String)) || 'a' : '';
  const digits = isCounted && !rest.startsWith('0') ? '1' : '0'.repeat(rest.length - kind.length);
  const plain = form === 'a UUID' ? '00000000-0000-4000-8000-000000000001' : prefix + kind + digits;
  return made
    .slice(0, 1)
    .map(({ operation }) => toLine(made, { operation, rule: ['newId'], value: plain }));
}
