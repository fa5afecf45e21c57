import { lastWordOf, shapeOf } from '../../common/path-template.ts';
import { toPlainName, wordsOf } from '../../common/words.ts';
import { toTarget } from '../../mock/curl/place-key.ts';
import type { Twin } from '../../mock/twin.ts';
import type { Operation, Schemas } from '../../openapi/index.ts';
import { judgeAnswer, type ReceivedAnswer } from './judge-answer.ts';
import { noAnswer, send } from './send.ts';
import { createToCall, toCall } from './to-call.ts';
import { openDocument } from './try-document.ts';

/**
 * Kinds of values that are read back: ids that the document shows, ids in responses, and sent
 * values.
 */
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

/** The results of reading back, by kind, and each loss with its reason. */
export type ReadBack = { shares: Record<Kind, Share>; lost: string[] };

type Values = Readonly<Record<string, unknown>>;

/**
 * Operations on one type of item. One reads an item by the last parameter of its path; others
 * change the item there. Lists and creates are at the path above. They may also be at another path
 * with the same last word and the same shown `$ref`.
 */
type Family = {
  read: Operation;
  parameter: string;
  lists: Operation[];
  creates: Operation[];
  changes: Operation[];
  remove: Operation | undefined;
  /** Possible names of the id property, and of the property that holds an item. */
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
  const { schemas, operations } = twin.document;
  const families = findFamilies(operations.filter((one) => !listsAlone(schemas, one, operations)));
  for (const family of families) {
    await readDocumented(family, call, note);
    for (const list of family.lists) await readListed(family, list, call, note);
    for (const create of family.creates) await readCreated(family, create, call, note);
  }
  for (const operation of twin.document.operations) {
    if (!operation.body) continue;
    const done = await call(operation);
    const family = families.find((one) => one.creates.includes(operation));
    const names = family?.names ?? new Set(['id']);
    noteSent({ operation, ...done }, { operation, ...done }, names, note);
  }
  return found;
}

/** Calls with these values in the path, and with those of a body in the query. */
type CallOperation = (operation: Operation, path?: Values, like?: unknown) => Promise<Outcome>;

/** A request's values and its response. */
type Outcome = {
  answer: ReceivedAnswer;
  path: Values;
  sent: unknown;
  /** The plain names of `readOnly` properties, which a service ignores in bodies. */
  ignored: ReadonlySet<string>;
  /** Whether a value is an answer as the document describes it. */
  isAnswer: (value: unknown) => boolean;
};

type Note = (kind: Kind, isRight: boolean, reason: string) => void;

function createCall(twin: Twin): CallOperation {
  const toExample = createToCall(twin);
  const key = twin.keys[0]?.key ?? '';
  return async (operation, given, like) => {
    const { example, call } = await toExample(operation);
    const none = { path: {}, sent: undefined, ignored: new Set<string>(), isAnswer: () => false };
    if (!example || !call) return { answer: noAnswer, ...none };
    const path = { ...example.values.path, ...toTexts(given ?? {}) };
    const [values] = objectsIn(like);
    const query = example.values.query.map(([name, text]): [string, string] => [
      name,
      String(values?.fields.get(toPlainName(name))?.value ?? text),
    ]);
    const target = given && toTarget(operation.path, { path, query });
    const made = target ? toCall(operation, { ...example, target }, key) : call;
    const answer = await send(twin.origin + twin.document.basePath, made);
    const isAnswer = (value: unknown) => {
      const { compileSchema } = twin.app.served;
      return !judgeAnswer(operation, { ...answer, text: JSON.stringify(value) }, compileSchema);
    };
    const ignored = new Set(readOnlyOf(twin.document, operation));
    return { answer, path, sent: parse(example.body ?? ''), ignored, isAnswer };
  };
}

/** The plain names of what the schema of a body, or of an object in it, marks as `readOnly`. */
function readOnlyOf({ schemas }: Twin['document'], { body }: Operation): string[] {
  const own = Object.entries(schemas.flatten(body?.schema).properties);
  const inner = own.flatMap(([, schema]) => Object.entries(schemas.flatten(schema).properties));
  return [...own, ...inner].flatMap(([name, schema]) =>
    schemas.isMarked(schema, 'readOnly') ? [toPlainName(name)] : [],
  );
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
function listsAlone(schemas: Schemas, one: Operation, all: readonly Operation[]): boolean {
  const isBehind = /\}\/?$/.test(one.path);
  if (!isBehind || all.some((other) => other !== one && other.path === one.path)) return false;
  const success = one.responses.find(({ status }) => /^(2|default)/.test(status));
  return schemas.resolve(success?.schema ?? {}).type === 'array';
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
 * Returns the fault of reading an item by its id. The item is missing, has another id, or differs
 * from what was `shown`.
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

/** The names that an object has that was sent and one that was answered, and those that differ. */
type Comparison = { shared: string[]; differing: string[]; left: Fields; right: Fields };

/**
 * Compares the texts and numbers of a request and its answer. Objects are paired by shared values,
 * and members by name or wrapper.
 */
function compare(one: unknown, other: unknown): Comparison {
  const [whole, ...held] = objectsIn(one);
  const isWrapper = whole?.fields.size === 0;
  const pairs = [...(whole ? [whole] : []), ...held].flatMap((left) =>
    objectsIn(other).flatMap((right) => {
      if (left !== whole && !isWrapper && left.name !== right.name) return [];
      const shared = [...left.fields.keys()].filter((name) => right.fields.has(name));
      // A service may answer with a number for a text, and the other way round.
      const textOf = ({ fields }: typeof left, name: string) => String(fields.get(name)?.value);
      const differing = shared.filter((name) => textOf(left, name) !== textOf(right, name));
      return [{ shared, differing, left: left.fields, right: right.fields }];
    }),
  );
  const none = { shared: [], differing: [], left: new Map(), right: new Map() };
  return pairs.reduce<Comparison>((best, pair) => {
    const more = pair.shared.length - best.shared.length;
    const fewer = best.differing.length - pair.differing.length;
    return more > 0 || (more === 0 && fewer > 0) ? pair : best;
  }, none);
}

/** The texts and numbers of an object by their plain names, each with where it is. */
type Fields = Map<string, { value: unknown; name: string; of: Record<string, unknown> }>;

/** An object, and each object in it with its name there. */
function objectsIn(value: unknown): { name: string; fields: Fields }[] {
  const isObject = (one: unknown): one is Record<string, unknown> =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  if (!isObject(value)) return [];
  return [['', value] as const, ...Object.entries(value)].flatMap(([name, of]) => {
    if (!isObject(of)) return [];
    const scalars = Object.entries(of).filter(([, held]) =>
      ['string', 'number', 'boolean'].includes(typeof held),
    );
    const fields = scalars.map(
      ([name, value]) => [toPlainName(name), { value, name, of }] as const,
    );
    return [{ name, fields: new Map(fields) }];
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
  const created = await call(create);
  const { answer, path, sent } = created;
  const [id] = idsIn(parse(answer.text), family);
  if (answer.status < 200 || answer.status > 299 || id === undefined) return;
  const own = { ...mapNames(create, read, path), [parameter]: id };
  const fault = await faultOfRead(family, call, { path: own });
  note('created', fault === undefined, `${create.id}: ${id} is created, and ${read.id}: ${fault}`);
  if (fault !== undefined) return;
  const toShown = async () => ({ operation: read, ...(await call(read, own)) });
  noteSent({ operation: create, ...created }, await toShown(), names, note);
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
    const changed = await call(change, mapNames(read, change, own));
    if (changed.answer.status > 299) continue;
    noteSent({ operation: change, ...changed }, await toShown(), names, note);
  }
  if (remove) {
    const { status } = (await call(remove, mapNames(read, remove, own))).answer;
    const isGone = status < 300 && (await faultOfRead(family, call, { path: own })) !== undefined;
    note('deleted', isGone, `${remove.id}: ${status}, and ${read.id} shows ${id} again`);
  }
}

/**
 * Notes whether an answer contradicts the request: it has a sent member with another value only. An
 * id in `names`, path values, `readOnly` properties, timestamps and hidden values do not count.
 */
function noteSent(
  { operation, sent, ignored }: Outcome & { operation: Operation },
  { operation: { id }, answer, isAnswer }: Outcome & { operation: Operation },
  names: ReadonlySet<string>,
  note: Note,
): void {
  if (answer.status > 299 || typeof sent !== 'object' || sent === null) return;
  const value = parse(answer.text);
  const { shared, differing, left, right } = compare(sent, value);
  if (shared.every((name) => names.has(name))) return;
  const isValid = isAnswer(value);
  const inPath = namesOf(operation).map(toPlainName);
  const lost = differing.filter((plain) => {
    if (names.has(plain) || ignored.has(plain) || inPath.includes(plain)) return false;
    if (isTimeOfService.test(plain)) return false;
    const { name = '', of = {}, value: shown } = right.get(plain) ?? {};
    const canShow = formsOf(left.get(plain)?.value).some((form) => {
      of[name] = form;
      return isAnswer(value);
    });
    of[name] = shown;
    return canShow || !isValid;
  });
  const values = lost.map((plain) => `${plain} ${JSON.stringify(left.get(plain)?.value)}`);
  const reason = `${values.join(', ')} is sent, and not what ${id} shows`;
  note('sent', lost.length === 0, `${operation.id}: ${reason}`);
}

/** The time at which something was created or changed. */
const isTimeOfService = /^(last)?(created?|creation|updated?|modified)(at|on|date|time)$/;

/** A value, and the text or number that is written as it is. */
function formsOf(value: unknown): unknown[] {
  const number = Number(value);
  return [value, String(value), ...(String(number) === value ? [number] : [])];
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
 * Returns the path values of a list that has the created item: those of the create's path, or of
 * the sent or returned item. Undefined if they are unknown, or if the list needs a filter with an
 * unknown value.
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
      : known
          .map(({ fields }) => fields.get(toPlainName(name))?.value)
          .find((one) => one !== undefined);
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

/**
 * Returns the possible names of an id property: the parameter's name, or the last words of the
 * name.
 */
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
