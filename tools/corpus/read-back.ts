import { lastWordOf, shapeOf } from '../../contracts/description/collections/places.ts';
import { toPlainName, wordsOf } from '../../contracts/description/collections/words.ts';
import type { Operation } from '../../contracts/description/document.ts';
import { type RawDocument, resolve } from '../../contracts/description/schema.ts';
import { toTarget } from '../../mock/curl/to-target.ts';
import type { Twin } from '../../mock/twin.ts';
import type { ReceivedAnswer } from './judge-answer.ts';
import { noAnswer, send } from './send.ts';
import { createToCall, toCall } from './to-call.ts';
import { openDocument } from './try-document.ts';

/** What is read back: ids that the document shows, those that answers show, and what was sent. */
export const readBackKinds = [
  'documented',
  'in lists',
  'created',
  'listed',
  'deleted',
  'sent',
] as const;

type Kind = (typeof readBackKinds)[number];

/** How many of some were tried, and how many are as they should be. */
type Share = { of: number; are: number };

/** What came of reading back, by its kind, and what was lost, each with the reason. */
export type ReadBack = { shares: Record<Kind, Share>; lost: string[] };

type Values = Readonly<Record<string, unknown>>;

/**
 * What reads one item by the last parameter of its path, what changes it there, and what lists and
 * creates such items: at the path above, or at another with the same last word that shows the same
 * `$ref`.
 */
type Family = {
  read: Operation;
  parameter: string;
  lists: Operation[];
  creates: Operation[];
  changes: Operation[];
  remove: Operation | undefined;
  /** What the property with the id may be called, and what holds an item. */
  names: ReadonlySet<string>;
  noun: string;
};

/** Serves a document and reads back each id that it, a list or a create shows. */
export async function readBackDocument(file: string): Promise<ReadBack> {
  const twin = await openDocument(file);
  try {
    return await readBack(twin);
  } finally {
    await twin.close();
  }
}

/** Nothing of the mock's own model is used but its example calls, so this judges that model, too. */
async function readBack(twin: Twin): Promise<ReadBack> {
  const found: ReadBack = {
    shares: Object.fromEntries(
      readBackKinds.map((kind) => [kind, { of: 0, are: 0 }]),
    ) as ReadBack['shares'],
    lost: [],
  };
  const note = (kind: Kind, isRight: boolean, reason: string) => {
    found.shares[kind].of += 1;
    if (isRight) found.shares[kind].are += 1;
    else found.lost.push(reason);
  };
  const call = createCall(twin);
  const { raw, operations } = twin.document;
  for (const family of findFamilies(
    operations.filter((one) => !listsAlone(raw, one, operations)),
  )) {
    await readDocumented(family, call, note);
    for (const list of family.lists) await readListed(family, list, call, note);
    for (const create of family.creates) await readCreated(family, create, call, note);
  }
  for (const operation of twin.document.operations) {
    if (!operation.body) continue;
    const { answer, sent } = await call(operation);
    noteSent(operation, operation, { answer, sent, names: new Set(['id']) }, note);
  }
  return found;
}

/** Calls with these values in the path, and with those of a body in the query. */
type CallOperation = (
  operation: Operation,
  path?: Values,
  like?: unknown,
) => Promise<{ answer: ReceivedAnswer; path: Values; sent: unknown }>;

type Note = (kind: Kind, isRight: boolean, reason: string) => void;

function createCall(twin: Twin): CallOperation {
  const toExample = createToCall(twin);
  const key = twin.keys[0]?.key ?? '';
  return async (operation, given, like) => {
    const { example, call } = await toExample(operation);
    if (!example || !call) return { answer: noAnswer, path: {}, sent: undefined };
    const path = { ...example.values.path, ...toTexts(given ?? {}) };
    const [values] = objectsIn(like);
    const query = example.values.query.map(([name, text]): [string, string] => [
      name,
      String(values?.get(toPlainName(name)) ?? text),
    ]);
    const target = given && toTarget(operation.path, { path, query });
    const made = target ? toCall(operation, { ...example, target }, key) : call;
    const answer = await send(twin.origin + twin.document.basePath, made);
    return { answer, path, sent: parse(example.body ?? '') };
  };
}

function findFamilies(operations: readonly Operation[]): Family[] {
  const at = (methods: readonly string[], path: string) =>
    operations.filter((one) => methods.includes(one.method) && shapeOf(one.path) === shapeOf(path));
  return operations.flatMap((read) => {
    const [, whole = '', parameter = ''] = /^(.*)\/\{([^{}/]+)\}\/?$/.exec(read.path) ?? [];
    if (read.method !== 'GET' || parameter === '') return [];
    const noun = toPlainName(lastWordOf(whole));
    const elsewhere = operations.filter(
      (one) =>
        shapeOf(one.path) !== shapeOf(whole) &&
        toPlainName(lastWordOf(one.path)) === noun &&
        !/\}\/?$/.test(one.path) &&
        // What has items at paths of its own is of those.
        !operations.some(({ path }) => shapeOf(path) === `${shapeOf(one.path)}/{}`) &&
        namesOf(read).every((name) => name === parameter || namesOf(one).includes(name)) &&
        !refsOf(read).isDisjointFrom(refsOf(one)),
    );
    const all = (method: string) => [
      ...at([method], whole),
      ...elsewhere.filter((one) => one.method === method),
    ];
    return {
      ...{ read, parameter, noun, names: idNames(parameter) },
      lists: all('GET'),
      creates: all('POST'),
      changes: at(['PUT', 'PATCH'], read.path),
      remove: at(['DELETE'], read.path)[0],
    };
  });
}

/** Whether a path with one operation answers with a bare list: its last parameter filters it. */
function listsAlone(raw: RawDocument, one: Operation, all: readonly Operation[]): boolean {
  const isBehind = /\}\/?$/.test(one.path);
  if (!isBehind || all.some((other) => other !== one && other.path === one.path)) return false;
  const success = one.responses.find(({ status }) => /^(2|default)/.test(status));
  return resolve(raw, success?.schema ?? {}).type === 'array';
}

/** The first schemas that the success of an operation names. */
function refsOf({ responses }: Operation): Set<string> {
  const success = responses.find(({ status }) => /^(2|default)/.test(status));
  const text = JSON.stringify(success?.schema ?? {});
  return new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref).slice(0, 1));
}

async function readDocumented({ read }: Family, call: CallOperation, note: Note): Promise<void> {
  const all = read.parameters.filter((one) => one.in === 'path');
  const shown = all.map(({ name, schema, examples }) => {
    const [example = schema.example ?? schema.default] = Object.values(examples);
    return [name, example] as const;
  });
  if (shown.some(([, value]) => value === undefined)) return;
  const { answer } = await call(read, Object.fromEntries(shown));
  const values = shown.map(([, value]) => value).join(', ');
  note('documented', answer.status < 300, `${read.id}: ${answer.status} for ${values}`);
}

/**
 * What is wrong with the read of an item by its id: it is not there, shows others, or of the item what
 * differs from what was `shown`.
 */
async function faultOfRead(
  family: Family,
  call: CallOperation,
  { path, shown }: { path: Values; shown?: unknown },
): Promise<string | undefined> {
  const { read, parameter } = family;
  const { answer } = await call(read, path);
  if (answer.status !== 200) return `${answer.status}`;
  const ids = idsIn(parse(answer.text), family).map(String);
  if (ids.length > 0 && !ids.includes(String(path[parameter]))) return `shows ${ids[0]}`;
  const { differing } = compare(shown, parse(answer.text));
  return differing.length > 0 ? `shows another ${differing.join(', ')}` : undefined;
}

/**
 * The names that two objects have, or objects in them, whichever share the most, and those of these
 * that they have with different texts or numbers.
 */
function compare(one: unknown, other: unknown): { shared: string[]; differing: string[] } {
  const pairs = objectsIn(one).flatMap((left) =>
    objectsIn(other).map((right) => {
      const shared = [...left.keys()].filter((name) => right.has(name));
      return { shared, differing: shared.filter((name) => left.get(name) !== right.get(name)) };
    }),
  );
  return pairs.reduce((best, pair) => (pair.shared.length > best.shared.length ? pair : best), {
    shared: [],
    differing: [],
  });
}

/** The texts and numbers of an object, and of each object in it, by their plain names. */
function objectsIn(value: unknown): Map<string, unknown>[] {
  const isFields = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
  if (!isFields(value)) return [];
  return [value, ...Object.values(value as object).filter(isFields)].map((one) => {
    const scalars = Object.entries(one as object).filter(([, held]) =>
      ['string', 'number', 'boolean'].includes(typeof held),
    );
    return new Map(scalars.map(([name, held]) => [toPlainName(name), held]));
  });
}

async function readListed(
  family: Family,
  list: Operation,
  call: CallOperation,
  note: Note,
): Promise<void> {
  const { read, parameter } = family;
  const { answer, path } = await call(list);
  for (const item of itemsIn(parse(answer.text)).slice(0, 3)) {
    const [id] = idsIn(item, family);
    if (id === undefined) continue;
    const own = { ...mapNames(list, read, path), [parameter]: id };
    const fault = await faultOfRead(family, call, { path: own, shown: item });
    note('in lists', fault === undefined, `${list.id}: ${id} is listed, and ${read.id}: ${fault}`);
  }
}

async function readCreated(
  family: Family,
  create: Operation,
  call: CallOperation,
  note: Note,
): Promise<void> {
  const { lists, changes, read, remove, parameter, names } = family;
  const { answer, path, sent } = await call(create);
  const [id] = idsIn(parse(answer.text), family);
  if (answer.status < 200 || answer.status > 299 || id === undefined) return;
  const own = { ...mapNames(create, read, path), [parameter]: id };
  const fault = await faultOfRead(family, call, { path: own });
  note('created', fault === undefined, `${create.id}: ${id} is created, and ${read.id}: ${fault}`);
  if (fault !== undefined) return;
  noteSent(create, read, { answer: (await call(read, own)).answer, sent, names }, note);
  for (const list of lists) {
    const scope = scopeOf(list, create, { path, made: [sent, parse(answer.text)], names });
    if (!scope) continue;
    const listed = await call(list, scope, sent);
    const shown = parse(listed.answer.text);
    // Some documents describe one item where a service lists all.
    if (Object.keys(shown ?? {}).some((name) => names.has(toPlainName(name)))) continue;
    const items = itemsIn(shown);
    const isListed = items.some((one) => idsIn(one, family).map(String).includes(String(id)));
    note('listed', isListed, `${create.id}: ${id} is created, and not in ${list.id}`);
  }
  for (const change of changes) {
    const { answer, sent } = await call(change, mapNames(read, change, own));
    if (answer.status > 299) continue;
    noteSent(change, read, { answer: (await call(read, own)).answer, sent, names }, note);
  }
  if (remove) {
    const { status } = (await call(remove, mapNames(read, remove, own))).answer;
    const isGone = status < 300 && (await faultOfRead(family, call, { path: own })) !== undefined;
    note('deleted', isGone, `${remove.id}: ${status}, and ${read.id} shows ${id} again`);
  }
}

/**
 * Whether an answer contradicts what was sent: it has a member of it with another value only, and no
 * id by one of the `names`, which a service may choose.
 */
function noteSent(
  { id }: Operation,
  shown: Operation,
  { answer, sent, names }: { answer: ReceivedAnswer; sent: unknown; names: ReadonlySet<string> },
  note: Note,
): void {
  if (answer.status > 299 || typeof sent !== 'object' || sent === null) return;
  const { shared, differing } = compare(sent, parse(answer.text));
  if (shared.every((name) => names.has(name))) return;
  const lost = differing.filter((name) => !names.has(name));
  note(
    'sent',
    lost.length === 0,
    `${id}: ${lost.join(', ')} is sent, and not what ${shown.id} shows`,
  );
}

function namesOf({ path }: Operation): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, one = '']) => one);
}

/** The values of the parameters of one path, by the names that another has for them. */
function mapNames(from: Operation, to: Operation, values: Values): Values {
  const own = namesOf(from);
  const pairs = namesOf(to).map(
    (name, index) => [name, values[name] ?? values[own[index] ?? '']] as const,
  );
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

/**
 * The values of a list's path that hold what was made: those of the path that it was made at, or of
 * what was sent and answered. Undefined where these do not tell, or the list needs a filter, and they
 * do not tell that.
 */
function scopeOf(
  list: Operation,
  create: Operation,
  { path, made, names }: { path: Values; made: readonly unknown[]; names: ReadonlySet<string> },
): Values | undefined {
  const known = made.flatMap((one) => objectsIn(one).slice(0, 1));
  const find = (name: string) =>
    names.has(toPlainName(name))
      ? undefined
      : known.map((one) => one.get(toPlainName(name))).find((one) => one !== undefined);
  const before = ({ path }: Operation, name: string) => shapeOf(path.split(`{${name}}`)[0] ?? '');
  const values = namesOf(list).map((name) => {
    const same = namesOf(create).find((one) => before(create, one) === before(list, name));
    return [name, same === undefined ? find(name) : path[same]] as const;
  });
  const needed = list.parameters.filter((one) => one.in === 'query' && one.required);
  const isTold = needed.every(({ name }) => find(name) !== undefined);
  return isTold && values.every(([, value]) => value !== undefined)
    ? Object.fromEntries(values)
    : undefined;
}

function toTexts(values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** What the property of an id may be called: as the parameter, or as the end of its words. */
function idNames(parameter: string): Set<string> {
  const words = wordsOf(parameter);
  return new Set(words.map((_, index) => words.slice(index).join('')));
}

/** The values by which an object is named, or what it holds, what is called like the item first. */
function idsIn(value: unknown, family: Pick<Family, 'names' | 'noun'>, depth = 0): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const { names, noun } = family;
  const isCalled = (name: string) => name !== '' && toStem(toPlainName(name)) === toStem(noun);
  const held = Object.entries(value);
  const ids = held.flatMap(([name, one]) =>
    names.has(toPlainName(name)) && ['string', 'number'].includes(typeof one) ? [one] : [],
  );
  const [, own] = held.find(([name, one]) => typeof one === 'object' && isCalled(name)) ?? [];
  if (own && depth === 0 && ids.length === 0) return idsIn(own, family, 1);
  const inner = depth > 1 ? [] : held.map(([, one]) => one);
  return [...ids, ...inner.flatMap((one) => idsIn(one, family, depth + 1))];
}

/** A word without what makes it a plural. */
function toStem(word: string): string {
  return word.replace(/(ies|es|s|y|e)$/, '');
}

/** The objects of the first list in an answer. */
function itemsIn(value: unknown, depth = 0): unknown[] {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'object' && one !== null);
  if (typeof value !== 'object' || value === null || depth > 2) return [];
  return Object.values(value).reduce<unknown[]>(
    (found, one) => (found.length > 0 ? found : itemsIn(one, depth + 1)),
    [],
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
