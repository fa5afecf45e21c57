import { isObject, stringifyExact } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { once } from '../../common/once-per.ts';
import { valueIn, withAll } from '../../common/property-path.ts';
import type { Api, Resource, ResponseDescription, Schema } from '../../openapi/index.ts';
import { heldSchemaOf } from '../../openapi/model/content.ts';
import { describes } from '../../openapi/model/describes.ts';
import { shownIn, takesListBelow } from '../../openapi/model/operation.ts';
import { listedIn, standInFor } from '../../openapi/values/plain-schema.ts';
import { withProblemsAt } from '../answers/answer.ts';
import { fieldsOf, isId } from '../items/stored-item.ts';
import { type ByteText, parseNumber, toByteText } from '../json/exact-json.ts';
import { fits } from '../json/validator.ts';
import type { Behaviour, ItemOperation } from './behaviour.ts';
import { createFrame, held, makeAround, setAt } from './frame.ts';

/** An item as an answer holds it: its schema, and what makes the answer, if more than the item. */
export type ShownItem = { schema: Schema; wrap?: (json: ByteText) => ByteText };

/**
 * Finds the item in a response: the body itself, or a part of an object such as `{"article":
 * {...}}`. Other members of the object are those of the example, or made. Undefined without JSON
 * and XML.
 */
export function findShownItem(
  response: ResponseDescription,
  { document, resource, operation }: ItemOperation,
): ShownItem | undefined {
  const schema = heldSchemaOf(response);
  if (!schema) return undefined;
  const wrapped = document.schemas.findWrappedItem(schema, shownIn(operation));
  const omit = createOmitUnshown(document, resource, wrapped?.schema ?? schema);
  if (!wrapped) return { schema, ...(omit && { wrap: omit }) };
  const at = wrapped.pointer.filter((key) => key !== '0');
  const frame = once(() => {
    const value = at.length < wrapped.pointer.length ? [held] : held;
    if (at.length === 0) return createFrame(value);
    const around = makeAround(document, response, [at]);
    setAt(around, at, value);
    return createFrame(around);
  });
  return {
    schema: wrapped.schema,
    wrap: (json) => frame()(omit ? omit(json) : json),
  };
}

/**
 * Creates a filter for the properties of items that a closed schema forbids, that a mere reference
 * to items lacks, or that only a create shows, which shows values in the form that the schema asks
 * for; undefined if it would change nothing.
 */
export function createOmitUnshown(
  document: Api,
  { item, isOpen, idProperty, linksTo, shownOnce = [] }: Resource,
  schema: Schema,
): ((json: ByteText) => ByteText) | undefined {
  const { schemas } = document;
  const described = schemas.describeShown(schema);
  const names = Object.keys(described.properties);
  const isReference =
    linksTo !== undefined && names.every((name) => name === idProperty || name === 'type');
  const isClosed = isReference || schemas.objectAlternative(schema)?.additionalProperties === false;
  const isShown = (name: string) =>
    isOpen || describes(described, name) || (!isClosed && !shownOnce.includes(name));
  const isFew = item.others !== undefined && !isOpen && (isClosed || shownOnce.length > 0);
  const forms = new Map(
    Object.entries(described.properties).flatMap(([name, one]) => {
      const own = Object.hasOwn(item.properties, name) ? item.properties[name] : undefined;
      const form = own && own !== one ? createToForm(document, own, one) : undefined;
      return form ? [[name, form]] : [];
    }),
  );
  if (!isFew && forms.size === 0 && Object.keys(item.properties).every(isShown)) return undefined;
  return (json) => {
    const shown = Object.entries(fieldsOf(json)).filter(([name]) => isShown(name));
    const formed = shown.map(([name, value]) => [name, forms.get(name)?.(value) ?? value]);
    return toByteText(stringifyExact(Object.fromEntries(formed)));
  };
}

/**
 * Creates the conversion of a value of items to the form that an answer has for it: a number for a
 * text, or the text of a list that stands for one of another list; undefined if both are alike.
 */
function createToForm(
  document: Api,
  own: Schema,
  shown: Schema,
): ((value: unknown) => unknown) | undefined {
  const { schemas } = document;
  const [listed = [], others = []] = [shown, own].map((one) =>
    listedIn(one, schemas.describeShown),
  );
  const hasOthers = listed.length > 0 && others.some((value) => !listed.includes(value));
  if (schemas.shareType(shown, own) && !hasOthers) return undefined;
  const toForms = (value: string | number | bigint) => [String(value), parseNumber(String(value))];
  const isForm = (one: unknown) => one !== undefined && fits(document, shown, one);
  return (value) =>
    isId(value) ? (standInFor(value, listed) ?? toForms(value).find(isForm)) : undefined;
}

/**
 * Gives a behaviour the fields of its body alone, where a property of it holds them, under
 * the names that items have for them, without what is of the call.
 */
export function withUnwrappedBody(
  behaviour: Behaviour,
  { document, resource, operation }: ItemOperation,
): Behaviour {
  const { takenAs: { names = {} } = {}, ofCall = [] } = operation;
  const isForeign = (name: string) =>
    ofCall.includes(name) && !Object.hasOwn(resource.item.properties, name);
  const toNamed = (body: unknown): unknown => {
    if (Array.isArray(body)) return body.map(toNamed);
    if (!isObject(body)) return body;
    const [own, others] = [true, false].map((is) =>
      Object.entries(body).filter(([name]) => Object.hasOwn(names, name) === is),
    ) as [[string, unknown][], [string, unknown][]];
    const named = own.map(([name, value]) => [names[name], value]);
    return withAll(Object.fromEntries(others), Object.fromEntries(named));
  };
  const isRenamed = Object.keys(names).length > 0;
  const named: Behaviour = isRenamed
    ? (call) => behaviour({ ...call, body: toNamed(call.body) })
    : behaviour;
  const unwrapped = withoutWrapper(named, { document, operation });
  if (!ofCall.some(isForeign)) return unwrapped;
  return (call) => {
    const { body } = call;
    const own = Object.entries(isObject(body) ? body : {}).filter(([name]) => !isForeign(name));
    return unwrapped({ ...call, body: isObject(body) ? Object.fromEntries(own) : body });
  };
}

function withoutWrapper(
  behaviour: Behaviour,
  { document, operation }: Pick<ItemOperation, 'document' | 'operation'>,
): Behaviour {
  const wrapped = document.schemas.findWrappedBody(operation);
  // A property that an action sets is no wrapper.
  if (!wrapped || operation.takes?.includes(wrapped.pointer[0] ?? '')) return behaviour;
  const isMany = operation.kind !== undefined && takesListBelow(operation);
  const pointer = isMany ? wrapped.pointer.slice(0, -1) : wrapped.pointer;
  const prefix = pointer.map((one) => `/${toToken(one)}`).join('');
  return async (call) => {
    const { body } = call;
    const isHeld = typeof body === 'object' && body !== null;
    if (Array.isArray(body) && pointer[0] !== '0')
      return behaviour({ ...call, body: body.map((one) => valueIn(one, pointer) ?? one) });
    if (!isHeld || Array.isArray(body) !== (pointer[0] === '0')) return behaviour(call);
    const list = operation.kind === 'create' && valueIn(body, pointer.slice(0, -1));
    if (Array.isArray(list) && list.length > 1) return behaviour({ ...call, body: list });
    const own = { ...call, body: valueIn(body, pointer) ?? {} };
    return withProblemsAt(await behaviour(own), prefix);
  };
}
