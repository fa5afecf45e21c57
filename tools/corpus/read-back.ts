import { lastWordOf, shapeOf } from '../../contracts/description/collections/places.ts';
import { toPlainName, wordsOf } from '../../contracts/description/collections/words.ts';
import type { Operation } from '../../contracts/description/document.ts';
import { toTarget } from '../../mock/curl/to-target.ts';
import type { Twin } from '../../mock/twin.ts';
import type { ReceivedAnswer } from './judge-answer.ts';
import { noAnswer, send } from './send.ts';
import { createToCall, toCall } from './to-call.ts';
import { openDocument } from './try-document.ts';

/** What is read back: ids that the document shows, and those that answers show. */
export const readBackKinds = ['documented', 'in lists', 'created', 'listed', 'deleted'] as const;

type Kind = (typeof readBackKinds)[number];

/** How many of some were tried, and how many are as they should be. */
type Share = { of: number; are: number };

/** What came of reading back, by its kind, and what was lost, each with the reason. */
export type ReadBack = { shares: Record<Kind, Share>; lost: string[] };

type Values = Readonly<Record<string, unknown>>;

/** What reads one item by the last parameter of its path, and what is at that path and the one above. */
type Family = {
  read: Operation;
  parameter: string;
  list: Operation | undefined;
  create: Operation | undefined;
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
  for (const family of findFamilies(twin.document.operations)) {
    await readDocumented(family, call, note);
    await readListed(family, call, note);
    await readCreated(family, call, note);
  }
  return found;
}

type CallOperation = (
  operation: Operation,
  path?: Values,
) => Promise<{ answer: ReceivedAnswer; path: Values }>;

type Note = (kind: Kind, isRight: boolean, reason: string) => void;

function createCall(twin: Twin): CallOperation {
  const toExample = createToCall(twin);
  const key = twin.keys[0]?.key ?? '';
  return async (operation, given) => {
    const { example, call } = await toExample(operation);
    if (!example || !call) return { answer: noAnswer, path: {} };
    const path = { ...example.values.path, ...toTexts(given ?? {}) };
    const { query } = example.values;
    const target = given && toTarget(operation.path, { path, query });
    const made = target ? toCall(operation, { ...example, target }, key) : call;
    return { answer: await send(twin.origin + twin.document.basePath, made), path };
  };
}

function findFamilies(operations: readonly Operation[]): Family[] {
  const at = (method: string, path: string) =>
    operations.find((one) => one.method === method && shapeOf(one.path) === shapeOf(path));
  return operations.flatMap((read) => {
    const [, whole = '', parameter = ''] = /^(.*)\/\{([^{}/]+)\}\/?$/.exec(read.path) ?? [];
    if (read.method !== 'GET' || parameter === '') return [];
    const noun = toPlainName(lastWordOf(whole));
    return {
      ...{ read, parameter, noun, names: idNames(parameter) },
      list: at('GET', whole),
      create: at('POST', whole),
      remove: at('DELETE', read.path),
    };
  });
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

/** Whether an item is read by its id, and shows that, if it shows any. */
async function isRead(family: Family, call: CallOperation, path: Values): Promise<boolean> {
  const { read, parameter } = family;
  const { answer } = await call(read, path);
  const ids = idsIn(parse(answer.text), family).map(String);
  return answer.status === 200 && (ids.length === 0 || ids.includes(String(path[parameter])));
}

async function readListed(family: Family, call: CallOperation, note: Note): Promise<void> {
  const { list, read, parameter } = family;
  if (!list) return;
  const { answer, path } = await call(list);
  for (const item of itemsIn(parse(answer.text)).slice(0, 3)) {
    const [id] = idsIn(item, family);
    if (id === undefined) continue;
    const own = { ...mapNames(list, read, path), [parameter]: id };
    const isRight = await isRead(family, call, own);
    note('in lists', isRight, `${list.id}: ${id} is listed, and not what ${read.id} shows`);
  }
}

async function readCreated(family: Family, call: CallOperation, note: Note): Promise<void> {
  const { list, create, read, remove, parameter } = family;
  if (!create) return;
  const { answer, path } = await call(create);
  const [id] = idsIn(parse(answer.text), family);
  if (answer.status < 200 || answer.status > 299 || id === undefined) return;
  const own = { ...mapNames(create, read, path), [parameter]: id };
  const isThere = await isRead(family, call, own);
  note('created', isThere, `${create.id}: ${id} is created, and not what ${read.id} shows`);
  if (!isThere) return;
  if (list) {
    const listed = await call(list, mapNames(create, list, path));
    const items = itemsIn(parse(listed.answer.text));
    const isListed = items.some((one) => idsIn(one, family).map(String).includes(String(id)));
    note('listed', isListed, `${create.id}: ${id} is created, and not in ${list.id}`);
  }
  if (remove) {
    const { status } = (await call(remove, mapNames(read, remove, own))).answer;
    const isGone = status < 300 && !(await isRead(family, call, own));
    note('deleted', isGone, `${remove.id}: ${status}, and ${read.id} shows ${id} again`);
  }
}

/** The values of the parameters of one path, by the names that another has for them. */
function mapNames(from: Operation, to: Operation, values: Values): Values {
  const names = ({ path }: Operation) => [...path.matchAll(/\{([^{}]+)\}/g)].map(([, one]) => one);
  const own = names(from);
  const pairs = names(to).map((name, index) => [name, values[own[index] ?? '']] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
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
  const [, own] = held.find(([name, one]) => typeof one === 'object' && isCalled(name)) ?? [];
  if (own && depth === 0) return idsIn(own, family, 1);
  const ids = held.flatMap(([name, one]) =>
    names.has(toPlainName(name)) && ['string', 'number'].includes(typeof one) ? [one] : [],
  );
  const inner = depth > 1 ? [] : held.map(([, one]) => one);
  return [...ids, ...inner.flatMap((one) => idsIn(one, family, depth + 1))];
}

/** A word without what makes it a plural. */
function toStem(word: string): string {
  return word.replace(/(ies|es|s|y)$/, '');
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
