import { valueAt } from '../../common/property-path.ts';
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
import { fieldsOf } from '../items/stored-item.ts';
import { toIdText } from '../json/comparable.ts';
import { type ByteText, toByteText } from '../json/exact-json.ts';
import { once } from '../json/once-per.ts';
import { createFrame, describeAt, held, makeAround, setAt } from './frame.ts';
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
  const { document, response, form, defaultAs } = options;
  const toItems = createToItems(options);
  if (!response || form.pointer.length === 0) return toItems;
  const { schemas } = document;
  const schema = heldSchemaOf(response) ?? {};
  const list = describeAt(schemas, schema, form.pointer);
  const isNeverEmpty = !list.isRequired && Number(list.schema.minItems) > 0;
  const places = form.fields.map((field) => ({
    field,
    absent: absentValueOf(schemas, schema, field),
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
    for (const { field, absent } of places) {
      const { role, path, as = defaultAs } = field;
      const fact = factOf(page, role, { as, toUrl });
      if (fact !== null) setAt(answer, path, fact);
      else if (absent.as === 'this page') setAt(answer, absent.at, toUrl(undefined));
      else setAt(answer, absent.at, absent.as);
    }
    if (isNeverEmpty && page.items.length === 0) setAt(answer, form.pointer, undefined);
    return createFrame(answer)(toItems(page));
  };
}

/** Creates the conversion of a page to the array of its items, or to an object of them by their ids. */
function createToItems({ form, resource, omit = (json) => json }: ListAnswerOptions) {
  const toMember = (json: ByteText) => {
    const key = JSON.stringify(toIdText(valueAt(fieldsOf(json), resource.idProperty)));
    return `${toByteText(key)}:${omit(json)}`;
  };
  return ({ items }: ListPage): ByteText => {
    const text = form.isMap
      ? `{${items.map(toMember).join(',')}}`
      : `[${items.map(omit).join(',')}]`;
    return text as ByteText;
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

type Absent = { at: readonly string[]; as: null | undefined | '' | 'this page' | 0 | 1 };

/**
 * Returns the value without such a page, and its path: null, absent, or a value that the schema
 * allows.
 */
function absentValueOf(schemas: Schemas, schema: Schema, { path, role }: ListField): Absent {
  const [own, outer] = [
    describeAt(schemas, schema, path),
    describeAt(schemas, schema, path.slice(0, -1)),
  ];
  if (own.isNullable) return { at: path, as: null };
  if (!own.isRequired) return { at: path, as: undefined };
  // An object that is a link goes where there is no page to link to.
  if (/^(href|url|uri)$/.test(path.at(-1) ?? '')) {
    const at = path.slice(0, -1);
    if (outer.isNullable) return { at, as: null };
    if (!outer.isRequired) return { at, as: undefined };
  }
  if (isNumber(own.schema)) return { at: path, as: role === 'page' ? 1 : 0 };
  const { format, minLength, pattern } = own.schema;
  const isAny = [format, minLength, pattern].every((one) => one === undefined);
  return { at: path, as: isAny ? '' : 'this page' };
}
