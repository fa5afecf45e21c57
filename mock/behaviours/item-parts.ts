import { isObject, stringifyExact } from '../../common/json.ts';
import { once } from '../../common/once-per.ts';
import { singular, toPlainName } from '../../common/words.ts';
import type { Api, FlatSchema, Schema, Schemas } from '../../openapi/index.ts';
import { collectionsOf } from '../../openapi/model/api.ts';
import { heldSchemaOf } from '../../openapi/model/content.ts';
import { splitPartPath } from '../../openapi/model/resource.ts';
import type { Answer, TextAnswer } from '../answers/answer.ts';
import { findSuccess, statusOf } from '../documented/responses.ts';
import { convertersOf, namesOfObjects } from '../items/field-policies.ts';
import { addUnsentOf, createNextId } from '../items/fillings.ts';
import { type Holder, holdersOf } from '../items/held-items.ts';
import { fieldsOf, toStoredItem } from '../items/stored-item.ts';
import { type ByteText, noBytes, parseInteger, toByteText } from '../json/exact-json.ts';
import { fits } from '../json/validator.ts';
import { withoutHidden } from '../state/scopes.ts';
import type { ItemStore } from '../state/store.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { makeShown } from './frame.ts';
import { createItemAnswers, createShowItem, type ItemOptions } from './item-answers.ts';
import { createRenderAll } from './list-answer.ts';

type Elements = readonly unknown[];

/** Gives the element that is meant by what is sent for it. */
type ToElement = (sent: unknown, store: ItemStore) => Promise<unknown>;

/**
 * Shows or changes an array of an item: GET shows it, POST adds to it, PUT or PATCH replaces it, and
 * DELETE empties it; where the path or the body names elements, these alone.
 */
export function createPartBehaviour(options: ItemOptions): Behaviour {
  const { document, resource, operation } = options;
  const { path, part: property = '', removesPart } = operation;
  const method = removesPart ? 'DELETE' : operation.method;
  const { itemPath = path } = splitPartPath(path) ?? {};
  const onItem = { ...options, operation: { ...operation, path: itemPath, plainPath: itemPath } };
  const answers = createItemAnswers(onItem);
  const parameter = path.slice(itemPath.length).match(/\{([^{}]+)\}/)?.[1];
  const { schemas } = document;
  const array = schemas.objectAlternative(resource.item.properties[property] ?? {});
  const schema = elementSchema(schemas, array?.items ?? {});
  const make = (sent: unknown, old: unknown) => toWholeElement(document, schema, sent, old);
  const holder = holdersOf(document)
    .of(resource.name)
    .find((one) => one.property === property);
  const findNamed = createFindNamed(document, schema, holder);
  const idProperty = holder?.target.idProperty ?? 'id';
  const namesOf = createNamesOf(idProperty);
  const shown = schemas.itemsOf(operation) ?? schema;
  const findShown = createFindNamed(document, shown);
  const toShown: ToElement = async (one, store) =>
    (await findShown(store, one)) ?? toWholeElement(document, shown, one, one);
  const { properties } = schemas.flatten(schema);
  const body = schemas.bodySchemaOf(operation) ?? {};
  const isCalled = ([name]: [string, Schema]) => toPlainName(name) === toPlainName(property);
  const member = Object.entries(schemas.flatten(body).properties).find(isCalled)?.[1] ?? {};
  const sentAs = schemas.bodyItemsOf(operation) ?? schemas.objectAlternative(member)?.items ?? body;
  const addUnsent = once(() => addUnsentOf(document)(schema)(sentAs));
  /** The element that a path names, with what a body says of it. */
  const toNamed = (name: string, body: object): unknown => {
    for (const key of [idProperty, ...namesOfObjects]) {
      const own = properties[key];
      const isFit = (one: unknown) => own && one !== undefined && fits(document, own, one);
      const value = [name, parseInteger(name)].find(isFit);
      if (value !== undefined) return { ...body, [key]: value };
    }
    return name;
  };
  const toAnswer = createToAnswer(onItem, { toShown, properties });
  const elementsOf = (json: ByteText): Elements => {
    const value = fieldsOf(json)[property];
    return Array.isArray(value) ? value : [];
  };
  return async (call) => {
    const { store, params, body, clock } = call;
    const id = answers.idOf(call);
    const named = parameter === undefined ? undefined : params[parameter];
    const meant = named === undefined ? sentElements(body, property, properties) : [named];
    const known = await Promise.all(meant.map((one) => findNamed(store, one)));
    const isDescribed = named !== undefined && isObject(body) && known[0] === undefined;
    const sent = isDescribed ? [toNamed(named, body)] : meant;
    const isSet = (one: unknown) =>
      named !== undefined && isObject(one) && isObject(body) && namesOf(one).includes(named);
    const change = (before: Elements): Elements => {
      const names = new Set(sent.flatMap(namesOf));
      const others = before.filter((one) => !namesOf(one).some((name) => names.has(name)));
      if (method === 'DELETE') return sent.length > 0 ? others : [];
      if (before.some(isSet))
        return before.map((one) => (isSet(one) ? make(Object.assign({}, one, body), one) : one));
      const byName = new Map(
        before.toReversed().flatMap((one) => namesOf(one).map((name) => [name, one] as const)),
      );
      const nextId = createNextId(document, [before, sent], idProperty);
      const own = { seed: before.length + 1, fields: {}, now: clock.now() };
      const elements = sent.map((one, index) => {
        const name = namesOf(one).find((text) => byName.has(text));
        const old = name === undefined ? undefined : byName.get(name);
        const isNew = isObject(one) && old === undefined && !Object.hasOwn(one, idProperty);
        if (!isNew) return known[index] ?? make(one, old);
        const made = make(addUnsent()(one, one, { own, nextId: () => undefined }), old);
        // Of the few ids that a schema lists, one was made already.
        const id = nextId(properties[idProperty]);
        return isObject(made) && id !== undefined ? { ...made, [idProperty]: id } : made;
      });
      const isWhole = method !== 'POST' && named === undefined;
      return [...(isWhole ? [] : others), ...elements];
    };
    const toChanged = (json: ByteText) =>
      toStoredItem(resource, { ...fieldsOf(json), [property]: change(elementsOf(json)) });
    const json =
      method === 'GET'
        ? await store.get(resource.name, id)
        : (await store.change(resource.name, id, toChanged))?.json;
    if (json === undefined) return answers.missing(call);
    const elements = elementsOf(json);
    const changed = named === undefined ? elements.at(-1) : elements.find(isSet);
    return toAnswer(call, json, { elements, changed });
  };
}

/**
 * Returns the elements in a body: the list itself, the list in `property`, or of the members that
 * elements do not have, the one called as an element, the only list, or the only value. Else the
 * body is the element.
 */
function sentElements(body: unknown, property: string, properties: object): Elements {
  if (Array.isArray(body)) return body;
  if (!isObject(body)) return body === undefined || body === null ? [] : [body];
  const members = Object.entries(body);
  const memberOf = (noun: string, among = members) =>
    among.find(([name]) => toPlainName(name) === toPlainName(noun))?.[1];
  const listed = memberOf(property);
  if (Array.isArray(listed)) return listed;
  const others = members.filter(([name]) => !Object.hasOwn(properties, name));
  const element = memberOf(singular(property), others);
  if (element !== undefined) return [element];
  const [list, ...lists] = others.flatMap(([, value]) => (Array.isArray(value) ? [value] : []));
  if (list && lists.length === 0) return list;
  return others.length === 1 && members.length === 1 ? [others[0]?.[1]] : [body];
}

/** Creates a list of the texts that an element is known by: its id and names, or its value. */
function createNamesOf(idProperty: string) {
  const keys = [idProperty, ...namesOfObjects];
  return (value: unknown): string[] =>
    (isObject(value) ? keys.map((key) => value[key]) : [value])
      .filter((one) => one !== undefined)
      .map(String);
}

/** Of alternatives the one that says most of an element: an object, which its name may stand for. */
function elementSchema(schemas: Schemas, items: Schema): Schema {
  const { oneOf, anyOf } = schemas.resolve(items);
  const alternatives: Schema[] = oneOf ?? anyOf ?? [];
  const isDescribed = (one: Schema) => Object.keys(schemas.flatten(one).properties).length > 0;
  return alternatives.find(isDescribed) ?? items;
}

/**
 * The element that is made of what is sent for it, which may be no more than its name. What is
 * `readOnly` stays as it was, but for what names it.
 */
function toWholeElement(document: Api, schema: Schema, sent: unknown, old: unknown): unknown {
  const value = makeShown(document, schema);
  if (!isObject(value))
    return convertersOf(document)(schema)(sent, { fields: {}, seed: 1, now: 0 }, old);
  if (isObject(sent)) {
    const names = Object.entries(sent).filter(([name]) => namesOfObjects.includes(name));
    const before = { ...(old as object | undefined), ...Object.fromEntries(names) };
    const given = { fields: sent, seed: 1, now: 0 };
    const taken = convertersOf(document)(schema)(sent, given, before);
    return makeShown(document, schema, [{ ...value, ...(taken as object) }]);
  }
  const keys = typeof sent === 'number' ? namesOfObjects : namesOfObjects.slice(1);
  const key = keys.find((name) => Object.hasOwn(value, name)) ?? 'name';
  return { ...value, [key]: sent };
}

/**
 * Creates a search, in collections with the properties of an element, for the item whose id is
 * sent: first in the one whose items the array holds.
 */
function createFindNamed(document: Api, schema: Schema, holder?: Holder) {
  const namesOf = ({ properties }: FlatSchema) => Object.keys(properties).toSorted().join();
  const own = namesOf(document.schemas.flatten(schema));
  const others = collectionsOf(document).filter(({ item }) => namesOf(item) === own);
  return async (store: ItemStore, sent: unknown): Promise<unknown> => {
    if (typeof sent !== 'number' && typeof sent !== 'string') return undefined;
    const stored = holder && (await store.get(holder.target.name, String(sent)));
    if (stored !== undefined) return holder?.toCopy(stored);
    for (const { name } of others) {
      const json = await store.get(name, String(sent));
      if (json !== undefined) return fieldsOf(withoutHidden(json));
    }
    return undefined;
  };
}

type ToAnswer = (
  call: Call,
  json: ByteText,
  of: { elements: Elements; changed: unknown },
) => Answer | TextAnswer | Promise<Answer | TextAnswer>;

/** The item, the array or the changed element, as the success describes; else what the document says. */
function createToAnswer(
  options: ItemOptions,
  { toShown, properties }: { toShown: ToElement } & Pick<FlatSchema, 'properties'>,
): ToAnswer {
  const { document, resource, operation } = options;
  const response = findSuccess(operation);
  const schema = response && heldSchemaOf(response);
  const status = response ? statusOf(response, operation) : 200;
  if (!response || !schema) return () => ({ status, json: noBytes });
  const { showsItem, toAnswer } = createShowItem(response, options);
  const names = Object.keys(document.schemas.flatten(schema).properties);
  const areOf = (of: object) => names.every((name) => Object.hasOwn(of, name));
  if (names.length > 0 && areOf(properties) && !areOf(resource.item.properties))
    return (call, json, { changed }) =>
      isObject(changed)
        ? { status, json: toByteText(stringifyExact(changed)) }
        : toAnswer(call, json);
  const { form } = document.schemas.findList(operation) ?? {};
  const pointer = form?.pointer ?? pointerOfTexts(document.schemas, schema);
  if (showsItem || !pointer || form?.isMap || form?.within) return toAnswer;
  const render = createRenderAll({
    document,
    resource,
    response,
    form: form ?? { pointer, fields: [] },
  });
  return async ({ store, url }, _, { elements }) => {
    const all = form ? await Promise.all(elements.map((one) => toShown(one, store))) : elements;
    return {
      status,
      json: render(
        all.map((one) => toByteText(stringifyExact(one))),
        url,
      ),
    };
  };
}

/**
 * Returns the path to the array of texts or numbers in an answer: empty for an array, else the name
 * of its only property.
 */
function pointerOfTexts(schemas: Schemas, node: Schema): string[] | undefined {
  const holdsTexts = (one: Schema) => {
    const { items } = schemas.objectAlternative(one) ?? {};
    return items !== undefined && Object.keys(schemas.flatten(items).properties).length === 0;
  };
  if (holdsTexts(node)) return [];
  const [only, ...others] = Object.entries(schemas.flatten(node).properties);
  return only && others.length === 0 && holdsTexts(only[1]) ? [only[0]] : undefined;
}
