import { arrayNamed, splitPartPath } from '../../contracts/description/collections/item-parts.ts';
import { findList } from '../../contracts/description/collections/list-rules.ts';
import { toPlainName } from '../../contracts/description/collections/plain-name.ts';
import { objectAlternative } from '../../contracts/description/collections/schema-types.ts';
import { heldSchemaOf } from '../../contracts/description/content.ts';
import type { Operation, Resource, Schema } from '../../contracts/description/document.ts';
import { describeShown } from '../../contracts/description/marks.ts';
import { stringifyExact } from '../../contracts/json-text.ts';
import type { Answer, TextAnswer } from '../answers/answer.ts';
import { toOutOfRoomAnswer } from '../answers/out-of-room.ts';
import { findSuccess, statusOf } from '../documented/responses.ts';
import { fieldsOf, toStoredItem } from '../items/stored-item.ts';
import { type ByteText, noBytes, parseExact, toByteText } from '../json/exact-json.ts';
import { createMakeFitting } from '../json/make-fitting.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createFromDocumentBehaviour } from './from-document.ts';
import { createItemAnswers, type ItemOptions, toWrap } from './item-answers.ts';

type Elements = readonly unknown[];

/** What names an element of an array in a path, besides what the parameter is called. */
const naming = ['id', 'name', 'login', 'slug', 'key', 'code', 'username'];

/**
 * Shows or changes an array of an item: GET shows it, POST adds to it, PUT or PATCH replaces it, and
 * DELETE empties it; where the path or the body names elements, these alone.
 */
export function createPartBehaviour(
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const { name } = resource;
  const property = operation.part ?? '';
  const { itemPath = '' } = splitPartPath(operation.path) ?? {};
  const answers = createItemAnswers({ ...operation, path: itemPath }, resource, options);
  const element = operation.path.slice(itemPath.length).match(/\{([^{}]+)\}/)?.[1];
  const isNamed = createIsNamed(element);
  const toAnswer = createToAnswer(resource, operation, options);
  const { raw } = options.document;
  const array = objectAlternative(raw, resource.item.properties[property] ?? {});
  const make = createMake(options);
  const toElement = (one: unknown) => toShown(one, array?.items ?? {}, make);
  const elementsOf = (json: ByteText): Elements => {
    const value = fieldsOf(json)[property];
    return Array.isArray(value) ? value : [];
  };
  if (operation.method === 'GET')
    return async (call) => {
      const json = await call.store.get(name, answers.idOf(call));
      if (json === undefined) return answers.missing(call);
      const elements = elementsOf(json);
      return toAnswer(call, { json, elements, touched: elements });
    };
  return async (call) => {
    const text = element === undefined ? undefined : (call.params[element] ?? '');
    const sent = text === undefined ? sentElements(call.body, property) : [text];
    const isTouched = (one: unknown) => sent.some((other) => isSame(one, other, isNamed));
    const change = (before: Elements): Elements => {
      const others = before.filter((one) => !isTouched(one));
      if (operation.method === 'DELETE') return sent.length > 0 ? others : [];
      const isWhole = operation.method !== 'POST' && text === undefined;
      return [...(isWhole ? [] : others), ...sent.map(toElement)];
    };
    try {
      const changed = await call.store.change(name, answers.idOf(call), (json) =>
        toStoredItem(resource, { ...fieldsOf(json), [property]: change(elementsOf(json)) }),
      );
      if (!changed) return answers.missing(call);
      const elements = elementsOf(changed.json);
      return await toAnswer(call, { json: changed.json, elements, touched: sent });
    } catch (error) {
      return toOutOfRoomAnswer(error);
    }
  };
}

/** What a body names: a list, the list in its property of that name, or its only list; or itself. */
function sentElements(body: unknown, property: string): Elements {
  if (Array.isArray(body)) return body;
  if (typeof body !== 'object' || body === null)
    return body === undefined || body === null ? [] : [body];
  const lists = Object.entries(body).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  );
  const [own = lists.length === 1 ? lists[0] : undefined] = lists.filter(
    ([name]) => toPlainName(name) === toPlainName(property),
  );
  return own ? own[1] : [body];
}

/** Makes what tells whether an element is the one that a text names. */
function createIsNamed(parameter: string | undefined): (element: unknown, text: string) => boolean {
  const names = parameter === undefined ? naming : [parameter, ...naming];
  return (element, text) =>
    typeof element === 'object' && element !== null
      ? names.some((name) => String((element as Record<string, unknown>)[name]) === text)
      : String(element) === text;
}

function isSame(
  one: unknown,
  other: unknown,
  isNamed: (element: unknown, text: string) => boolean,
): boolean {
  if (typeof other !== 'object' || other === null) return isNamed(one, String(other));
  const [name] = naming.filter((key) => Object.hasOwn(other, key));
  return name !== undefined && isNamed(one, String((other as Record<string, unknown>)[name]));
}

/** An item as it is now, the elements of its array, and those that a call was about. */
type Outcome = { json: ByteText; elements: Elements; touched: Elements };

/** The array, the item or the element, as the success describes; else what the document says. */
function createToAnswer(
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): (call: Call, outcome: Outcome) => Answer | Promise<Answer | TextAnswer> {
  const { document } = options;
  const response = findSuccess(operation);
  const schema = response && heldSchemaOf(response);
  const status = response ? statusOf(response, operation) : 200;
  if (!response || !schema) return () => ({ status, json: noBytes });
  const make = createMake(options);
  const toJson = (value: unknown) => toByteText(stringifyExact(value));
  const { itemPath = operation.path } = splitPartPath(operation.path) ?? {};
  const onItem = { ...operation, path: itemPath };
  const wrap = toWrap(response, { ...options, operation: onItem, resource });
  if (wrap) return (_, { json }) => ({ status, json: wrap(json) });
  const { raw } = document;
  const { properties } = describeShown(document, schema);
  const own = arrayNamed(raw, { item: { properties, required: [] } }, operation.part ?? '');
  const [key = own] = findList(raw, operation)?.form.pointer ?? [];
  const held = objectAlternative(raw, key === undefined ? schema : (properties[key] ?? {}))?.items;
  if (held !== undefined) {
    const around = key === undefined ? undefined : (make(schema) as object);
    return (_, { elements }) => {
      const shown = elements.map((one) => toShown(one, held, make));
      return { status, json: toJson(key === undefined ? shown : { ...around, [key]: shown }) };
    };
  }
  if (Object.keys(properties).length > 0)
    return (_, { touched }) => ({ status, json: toJson(toShown(touched[0], schema, make)) });
  return createFromDocumentBehaviour(document, operation, options);
}

function createMake({ document, compileSchema }: ItemOptions): Make {
  const makeFitting = createMakeFitting({
    compileSchema,
    mark: 'writeOnly',
    describe: (inner) => describeShown(document, inner),
  });
  return (one, example) => {
    const examples = example === undefined ? [] : [example];
    const made = makeFitting(one, { seed: 1, full: false, examples });
    return made && parseExact(made.text).value;
  };
}

/** Makes a value of a schema, as like an example as the schema allows. */
type Make = (schema: Schema, example?: unknown) => unknown;

/** An element as a schema describes it: of one that is a mere name or id, an object that has it. */
function toShown(element: unknown, schema: Schema, make: Make): unknown {
  const value = make(schema);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return element;
  if (typeof element === 'object' && element !== null)
    return make(schema, { ...value, ...element });
  const keys = typeof element === 'number' ? naming : naming.slice(1);
  const key = keys.find((name) => Object.hasOwn(value, name)) ?? keys[0] ?? 'name';
  return { ...value, [key]: element };
}
