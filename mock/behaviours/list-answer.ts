import type { LinkAs, ListField } from '../../contracts/description/collections/list-fields.ts';
import type { ListForm } from '../../contracts/description/collections/list-form.ts';
import {
  isNullable,
  isNumber,
  objectAlternative,
} from '../../contracts/description/collections/schema-types.ts';
import type { ApiDocument, Operation, Schema } from '../../contracts/description/document.ts';
import { flatten, isObject, type RawDocument } from '../../contracts/description/schema.ts';
import { findSuccess } from '../documented/responses.ts';
import type { ByteText } from '../json/exact-json.ts';
import { asDescribed, createFrame, held, makeShown, setAt } from './frame.ts';
import { factOf, type ListPage, type ToUrl } from './list-page.ts';

/** Makes the JSON of an answer that holds a page of a list. */
export type RenderList = (page: ListPage, toUrl: ToUrl) => ByteText;

export type ListAnswerOptions = {
  raw: RawDocument;
  schema: Schema;
  form: ListForm;
  /** What the answer has besides its items and what is known of the list. */
  around: unknown;
  /** How other pages are named where no schema says. */
  defaultAs: LinkAs;
};

type Fields = Record<string, unknown>;

/** Makes what renders the answers of a list: its items, and what is known of the list. */
export function createRenderList(options: ListAnswerOptions): RenderList {
  const { form, around } = options;
  const toItems = ({ items }: ListPage) => `[${items.join(',')}]` as ByteText;
  if (form.pointer.length === 0) return toItems;
  const base = structuredClone(around) as Fields;
  setAt(base, form.pointer, held);
  const list = describeAt(options.raw, options.schema, form.pointer);
  const isNeverEmpty = !list.isRequired && Number(list.schema.minItems) > 0;
  const places = form.fields.map((field) => ({ field, absent: whatIsAbsent(options, field) }));
  return (page, toUrl) => {
    const answer = structuredClone(base);
    for (const { field, absent } of places) {
      const { role, path, as = options.defaultAs } = field;
      const fact = factOf(page, role, { as, toUrl });
      if (fact !== null) setAt(answer, path, fact);
      else if (absent.as === 'this page') setAt(answer, absent.at, toUrl(undefined));
      else setAt(answer, absent.at, absent.as);
    }
    if (isNeverEmpty && page.items.length === 0) setAt(answer, form.pointer, undefined);
    return createFrame(answer)(toItems(page));
  };
}

type Absent = { at: readonly string[]; as: null | undefined | '' | 'this page' | 0 | 1 };

/** What stands where there is no such page: null, nothing, or else what is allowed. */
function whatIsAbsent({ raw, schema }: ListAnswerOptions, { path, role }: ListField): Absent {
  const [own, outer] = [describeAt(raw, schema, path), describeAt(raw, schema, path.slice(0, -1))];
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

/** What a schema says of the value at a path. */
function describeAt(raw: RawDocument, schema: Schema, path: readonly string[]) {
  let [node, isRequired] = [schema, true];
  for (const key of path) {
    const { properties, required } = flatten(raw, objectAlternative(raw, node));
    isRequired = required.includes(key);
    node = properties[key] ?? {};
  }
  const described: Schema = objectAlternative(raw, node) ?? {};
  return { schema: described, isRequired, isNullable: isNullable(raw, node) };
}

/**
 * What the answer of a list has around its items: that of its example, or made of its schema, with
 * the objects that hold something of the list.
 */
export function makeAround(
  operation: Pick<Operation, 'responses' | 'kind'>,
  schema: Schema,
  { form, document }: { form: ListForm; document: ApiDocument },
): unknown {
  const { raw } = document;
  const { examples = {} } = findSuccess(operation as Operation) ?? {};
  const base = asDescribed(raw, schema, makeShown(document, schema, Object.values(examples)));
  // Flags that are made up say that all is well.
  for (const [name, value] of Object.entries(base)) {
    const described = describeAt(raw, schema, [name]).schema;
    const isStated = ['const', 'enum', 'default', 'example'].some((one) => one in described);
    if (typeof value === 'boolean' && !isStated && Object.keys(examples).length === 0)
      base[name] = /^(success|ok|succeeded)$/i.test(name);
  }
  for (const path of [form.pointer, ...form.fields.map((field) => field.path)])
    for (let depth = 1; depth < path.length; depth++) {
      const at = path.slice(0, depth);
      const held = at.reduce<unknown>((one, key) => (isObject(one) ? one[key] : undefined), base);
      if (!isObject(held)) setAt(base, at, makeShown(document, describeAt(raw, schema, at).schema));
    }
  return base;
}
