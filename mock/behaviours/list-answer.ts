import { isObject } from '../../common/json.ts';
import { once } from '../../common/once-per.ts';
import { valueAt, valueIn } from '../../common/property-path.ts';
import type {
  Api,
  LinkAs,
  ListField,
  ListForm,
  Resource,
  ResponseDescription,
  Schema,
  Schemas,
} from '../../openapi/index.ts';
import { heldSchemaOf } from '../../openapi/model/content.ts';
import { isNumber } from '../../openapi/model/id-form.ts';
import { type Fields, fieldsOf } from '../items/stored-item.ts';
import { type ByteText, toByteText, toIdText } from '../json/exact-json.ts';
import { createFrame, describeAt, held, makeAround, makeShown, setAt } from './frame.ts';
import { factOf, type ListPage, type ToUrl } from './list-page.ts';

/** Makes the JSON of an answer that holds a page of a list. */
export type RenderList = (page: ListPage, toUrl: ToUrl) => ByteText;

export type ListAnswerOptions = {
  document: Api;
  /** The response that describes the answer. */
  response: ResponseDescription | undefined;
  form: ListForm;
  resource: Pick<Resource, 'idProperty'>;
  /** Leaves out of an item what the list does not show. */
  omit?: ((json: ByteText) => ByteText) | undefined;
  /** The form of links if the schema states none. */
  defaultAs: LinkAs;
};

/**
 * Creates a renderer of a list's answers: items, and facts such as the total. The first page makes
 * the frame around them.
 */
export function createRenderList(options: ListAnswerOptions): RenderList {
  const { document, response, form, resource, defaultAs } = options;
  const { idProperty } = resource;
  const toItems = createToItems(options);
  if (!response || form.pointer.length === 0) return toItems;
  const { schemas } = document;
  const schema = heldSchemaOf(response) ?? {};
  const list = describeAt(schemas, schema, form.pointer);
  const isNeverEmpty = !list.isRequired && Number(list.schema.minItems) > 0;
  const places = form.fields.map((field) => ({
    field,
    absent: absentValueOf(schemas, schema, field),
    // An empty list has no page, and one of them all the same where the schema says so.
    least: ['pages', 'size'].includes(field.role)
      ? Number(describeAt(schemas, schema, field.path).schema.minimum ?? 0)
      : 0,
  }));
  const base = once(() => {
    const around = makeAround(document, response, [
      form.pointer,
      ...form.fields.map(({ path }) => path),
    ]);
    setAt(around, form.pointer, held);
    return around;
  });
  return (page, toUrl) => {
    const answer = structuredClone(base());
    const known = places.map(({ field: { role, as = defaultAs, ...field }, absent, least }) => {
      const fact = factOf(page, role, { as, toUrl, idProperty });
      const isLess = typeof fact === 'number' && fact < least;
      return { ...field, absent, fact: isLess ? least : fact };
    });
    for (const { path, holder, absent, fact } of known) {
      const isHeld = (one: (typeof known)[number]) => one.holder === holder && one.fact !== null;
      if (fact !== null) setAt(answer, path, fact);
      else if (holder && known.some(isHeld)) setAt(answer, path, undefined);
      else setAt(answer, absent.at, absent.as === 'this page' ? toUrl(undefined) : absent.as);
    }
    if (isNeverEmpty && page.items.length === 0) setAt(answer, form.pointer, undefined);
    return createFrame(answer)(toItems(page));
  };
}

/** Creates the conversion of a page to the array of its items, or to an object of them by their ids. */
function createToItems({ form, resource, omit = (json) => json, ...options }: ListAnswerOptions) {
  const toElement = createToElement({ ...options, form });
  const toMember = (json: ByteText) => {
    const key = JSON.stringify(toIdText(valueAt(fieldsOf(json), resource.idProperty)));
    return `${toByteText(key)}:${omit(json)}`;
  };
  return (page: ListPage): ByteText => {
    const { items } = page;
    if (form.isMap) return `{${items.map(toMember).join(',')}}` as ByteText;
    const shown = items.map(omit);
    const elements = toElement ? shown.map((json, index) => toElement(json, index, page)) : shown;
    return `[${elements.join(',')}]` as ByteText;
  };
}

/**
 * Creates the conversion of an item to the element that holds it, with its cursor and what else an
 * element must have; undefined where elements are the items.
 */
function createToElement({
  document,
  response,
  form,
}: Omit<ListAnswerOptions, 'resource' | 'defaultAs'>) {
  const { schemas } = document;
  const { within } = form;
  if (within === undefined) return undefined;
  const list = describeAt(schemas, (response && heldSchemaOf(response)) ?? {}, form.pointer).schema;
  const element = schemas.objectAlternative(list.items as Schema) ?? {};
  const names = Object.keys(schemas.flatten(element).properties);
  const cursor = names.find((name) => name !== within && /cursor$/i.test(name));
  const around = once(() => makeShown(document, element));
  return (json: ByteText, index: number, { cursorAt }: ListPage): ByteText => {
    const at = cursor === undefined ? undefined : (cursorAt?.(index) ?? String(index + 1));
    const others = { ...(around() as object), ...(cursor !== undefined && { [cursor]: at }) };
    return createFrame({ ...others, [within]: held })(json);
  };
}

/** Creates a renderer of a whole list, such as the items of one create. */
export function createRenderAll(
  options: Omit<ListAnswerOptions, 'defaultAs'>,
): (items: readonly ByteText[], url: string) => ByteText {
  const render = createRenderList({ ...options, defaultAs: 'url' });
  return (items, url) => {
    const { length: total } = items;
    const page = { items, size: total, total, skipped: 0, hasNext: false, hasPrevious: false };
    return render(page, () => url);
  };
}

/**
 * Creates a step that lets an answer without state name no further page, as each of its pages is the
 * same: a client that follows these would never end.
 */
export function createShowNoMore({ schemas }: Api, schema: Schema): (value: unknown) => unknown {
  const fields = schemas.findPageFields(schema);
  const ofPage = fields.find(({ role }) => role === 'page');
  const ends: Partial<Record<ListField['role'], (value: Fields) => unknown>> = {
    hasMore: () => false,
    isLast: () => true,
    pages: (value) => (ofPage && valueIn(value, ofPage.path)) ?? 1,
  };
  return (value) => {
    if (!isObject(value) || fields.length === 0) return value;
    const answer = structuredClone(value);
    for (const field of fields) {
      const { role, path } = field;
      const end = ends[role];
      if ((valueIn(value, path) ?? null) === null) continue;
      if (end) setAt(answer, path, end(value));
      if (role !== 'next') continue;
      const { at, as } = absentValueOf(schemas, schema, field);
      setAt(answer, at, as === 'this page' ? '' : as);
    }
    return answer;
  };
}

type AbsentPage = { at: readonly string[]; as: null | undefined | '' | 'this page' | 0 | 1 };

/**
 * Returns the value without such a page, and its path: null, absent, or a value that the schema
 * allows.
 */
function absentValueOf(
  schemas: Schemas,
  schema: Schema,
  { path, role, holder }: ListField,
): AbsentPage {
  const own = describeAt(schemas, schema, path);
  // An object that stands for a page goes without one, or is empty, or goes with those that require it.
  const above = holder?.map((_, index) => holder.slice(0, index)).slice(1) ?? [];
  const places = holder ? [holder, path, ...above.toReversed()] : [path];
  for (const at of places) {
    const { isNullable, isRequired } = describeAt(schemas, schema, at);
    if (isNullable) return { at, as: null };
    if (!isRequired) return { at, as: undefined };
  }
  if (isNumber(own.schema)) return { at: path, as: role === 'page' ? 1 : 0 };
  const { format, minLength, pattern } = own.schema;
  const isAny = [format, minLength, pattern].every((one) => one === undefined);
  return { at: path, as: isAny ? '' : 'this page' };
}
