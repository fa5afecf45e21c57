import { membersOf, parseJson } from '../../common/json.ts';
import { valueAt } from '../../common/property-path.ts';
import type { Api, Operation, Resource, Schema } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { type BodyPlan, planBodies } from '../cases/bodies.ts';
import { isWide } from '../cases/fresh-value.ts';
import { isSecret } from '../cases/made-secrets.ts';
import { type BodyValue, isMadeByNone, valuesOf } from '../cases/references.ts';
import { sendableBodyOf } from '../document/sendable-body.ts';
import { isInProse } from '../document/stated.ts';
import type { MadeItem } from '../transcript/exchange.ts';
import { type Item, textOf, withoutQuery } from '../transcript/items.ts';
import { type ItemRecord, ledgerOf, type Sighting } from '../transcript/ledger.ts';
import { leavesOf } from '../transcript/made.ts';
import type { Transcript } from '../transcript/transcript.ts';

/**
 * An item of the run: the name of its collection, what was sent, the paths that name it, and what gives
 * how an answer showed it last.
 */
export type ClaimedItem = {
  of: string;
  sent: string;
  paths: readonly string[];
  made: MadeItem;
  shownLast: () => Item | undefined;
};

export type Plans = Map<Resource, BodyPlan>;

type Facts = {
  document: Api;
  claimed: readonly ClaimedItem[];
  plans: Plans;
  isMarked: (value: unknown) => boolean;
  /** Whether a text is the id of an item that was shown and that the run has not made. */
  isOthersId: (text: string) => boolean;
  /** Whether a text identifies something that was shown and that is not the run's. */
  isOthersName: (text: string) => boolean;
  /** Whether an item that the run has not made shows a text in a property. */
  isOthersText: (resource: Resource, name: string, text: string) => boolean;
};

/**
 * Finds a value in the body, query, headers or cookies that may name an item of others. Also finds
 * a reference that the operation's creates need while the run has no such item, and a name that an
 * item of others has: a deployment may answer with that item. Undefined without any.
 */
export function findForeign(
  { document, claimed, plans, isMarked, isOthersId, isOthersName, isOthersText }: Facts,
  { operation, mayName, ...sent }: { operation: Operation; mayName: boolean } & Call,
): string | undefined {
  const resource = findResource(document, operation);
  const isWorded = isInProse(document);
  const hasOwn = ({ name }: Resource) => claimed.some(({ of }) => of === name);
  if (operation.kind === 'create' && resource) {
    const plan = plans.get(resource) ?? planBodies(document, resource);
    plans.set(resource, plan);
    const isMet = (one: BodyValue) => {
      const [first] = one.names ?? [];
      return !first || hasOwn(first) || isMadeByNone(one);
    };
    const unmet = plan.properties.find(({ named, isUnmet }) => isUnmet || !named.every(isMet));
    if (unmet) return unmet.name;
    const { markerProperty: name = '' } = plan;
    const { [name]: text } = membersOf(readLoosely(sent.body ?? '')) ?? {};
    const isNamed = typeof text === 'string' && !isMarked(text) && !isWorded;
    if (isNamed && isOthersText(resource, name, text)) return name;
  }
  const changed = claimed.find(({ paths }) => paths.includes(withoutQuery(sent.path)));
  const kept = new Set(leavesOf([changed?.made.item, changed?.shownLast()]).map(String));
  const isForeign = ({ value, names, property, isFixed, schema }: BodyValue) => {
    const text = isFixed ? (String(value).split('/').at(-1) ?? '') : String(value);
    if (text === '' || isMarked(value) || kept.has(text)) return false;
    const isIn = ({ name, idProperty }: Resource) =>
      claimed.some(({ of, made }) => {
        const own = [made.id, textOf(valueAt(made.item, property ?? idProperty))];
        return of === name && own.includes(text);
      });
    if (names) return !names.some(isIn) && (names.length > 0 || !isWorded);
    const isOthers = isOthersId(text) || (mayName && (isAddress(text) || isOthersName(text)));
    return !isWorded && mayBeId(schema, value) && isOthers;
  };
  const named = [
    ...valuesIn(document, operation, sent.body),
    ...parametersIn(document, operation, sent),
  ];
  return named.find(isForeign)?.place;
}

/** Whether a text is the address of a person or a server, but for those of documentation (RFC 2606). */
function isAddress(text: string): boolean {
  const [, host] = /^(?:[^\s@]+@|\w+:\/\/)([^\s/:?#]+)/.exec(text) ?? [];
  return host !== undefined && !/(?:^|\.)example(?:\.(?:com|net|org))?$/.test(host);
}

/** The path, the headers and the body of a call. */
type Call = { path: string; headers?: Readonly<Record<string, string>>; body: string | undefined };

/** The plain values of a body. */
export function valuesIn(
  document: Api,
  operation: Operation,
  body: string | undefined,
): BodyValue[] {
  const { schema = {} } = sendableBodyOf(operation) ?? {};
  const value = readLoosely(body ?? '');
  return valuesOf(document, findResource(document, operation), { schema, value });
}

/** Whether the name or the schema of a value says that no answer shows it. */
export function isSecretValue({ place, schema }: BodyValue): boolean {
  return schema.writeOnly === true || isSecret(place.split('.').at(-1) ?? '', schema);
}

/** The plain values of the query, and of the headers and cookies that an operation describes. */
function parametersIn(
  document: Api,
  { parameters }: Operation,
  { path, headers = {} }: Call,
): BodyValue[] {
  const cookies = new URLSearchParams((headers.Cookie ?? '').replaceAll('; ', '&'));
  const isDescribed = (name: string) => parameters.some((one) => one.name === name);
  const texts = [
    ...new URLSearchParams(path.split('?')[1]),
    ...[...cookies, ...Object.entries(headers)].filter(([name]) => isDescribed(name)),
  ];
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  // A name may be there twice.
  return texts.flatMap(([name, text]) => {
    const value = { [name]: readText(properties[name] ?? {}, text) };
    return valuesOf(document, undefined, { schema: { properties }, value });
  });
}

/** Reads the text of a parameter. */
function readText({ type, items }: Schema, text: string): unknown {
  const types = [type].flat();
  if (types.includes('array'))
    return text.split(',').map((one) => readText((items ?? {}) as Schema, one));
  return types.includes('string') ? text : (parseJson(text) ?? text);
}

/** Reads a body; one that is no JSON is read as a lenient deployment may. */
function readLoosely(body: string): unknown {
  const ways = [
    body,
    body.slice(0, body.lastIndexOf('}') + 1),
    body.replace(/,\}$/, '}'),
    `${body}}`,
  ];
  return ways.map(parseJson).find((value) => value !== undefined);
}

/** Whether a value that no name tells of may be an id: a text, or a number that may be any. */
function mayBeId(schema: BodyValue['schema'], value: unknown): boolean {
  const isListed = schema.enum !== undefined || schema.const !== undefined;
  const isNumber = ['integer', 'number'].some((type) => [schema.type].flat().includes(type));
  const isAny = schema.type === undefined || (isNumber && isWide(schema));
  return !isListed && (typeof value === 'string' || isAny);
}

/** Whether the last read of a path below an item of the run showed what others have elsewhere. */
export function showsOthers(
  transcript: Pick<Transcript, 'document' | 'exchanges'>,
  isOthers: (record: ItemRecord) => boolean,
  { path, own }: { path: string; own: string },
): boolean {
  const read = transcript.exchanges.findLast(
    ({ case: { method }, request, response }) =>
      method === 'GET' && withoutQuery(request.path) === path && (response?.status ?? 500) < 300,
  );
  const isElsewhere = ({ exchange }: Sighting) =>
    !`${exchange.request.path}/`.startsWith(`${own}/`);
  return objectsIn(read?.response?.json).some((row) =>
    leavesOf(Object.values(row).filter((value) => typeof value !== 'object')).some((id) =>
      ledgerOf(transcript)
        .recordsWithId(String(id))
        .filter(isOthers)
        .some(({ shown }) =>
          shown.some((one) => isElsewhere(one) && sharesText(row, one.item, id)),
        ),
    ),
  );
}

/** The object that an answer is, and those of its lists. */
function objectsIn(json: unknown): Item[] {
  const lists = [json, ...Object.values(membersOf(json) ?? {})].filter(Array.isArray);
  return [json, ...lists.flat()].map(membersOf).filter((one) => one !== undefined);
}

/** Whether two objects with an id have another text in common, too. */
function sharesText(one: Item, other: Item, id: unknown): boolean {
  return Object.entries(one).some(
    ([name, value]) =>
      typeof value === 'string' && value !== id && value !== '' && other[name] === value,
  );
}
