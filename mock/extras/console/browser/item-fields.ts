import { hasAt, valueAt, withoutAt } from '../../../../contracts/description/property-path.ts';
import { stringifyExact } from '../../../../contracts/json-text.ts';
import type { DescribedCollection } from '../../admin/collection-handlers.ts';
import type { Operation } from '../../pages/browser/admin.ts';
import { parseJson as parse, parseJson } from '../../pages/browser/exact-json.ts';
import { toNumberJson } from './words.ts';

/** A schema as the admin describes a collection: without `$ref`. */
export type FormSchema = { readonly [keyword: string]: unknown };

/** A field of a form; `pointer` is its place in the item (RFC 6901). */
export type FormField = {
  pointer: string;
  label: string;
  /** Text as it is, a number in digits, one of `options`, an item a line, or JSON. */
  kind: 'text' | 'number' | 'choice' | 'lines' | 'json';
  /** What can be chosen, as JSON. */
  options: readonly string[];
  isRequired: boolean;
  /** Whether lines are texts, and not JSON. */
  hasTextLines: boolean;
};

/** What is written in a form, by the pointers of its fields. */
export type ItemDraft = Readonly<Record<string, string>>;

/** How many levels of objects have fields of their own. */
const maxLevels = 2;

/** The fields of a form for what a schema describes, but the one of which the pointer is given. */
export function toFields(
  schema: FormSchema,
  { without }: { without?: string | undefined } = {},
  { pointer: parent, label: before, levels, isNeeded } = {
    pointer: '',
    label: '',
    levels: maxLevels,
    isNeeded: true,
  },
): FormField[] {
  const required = (schema.required ?? []) as readonly string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, FormSchema>);
  return properties.flatMap(([name, property]): FormField[] => {
    const pointer = `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (pointer === without) return [];
    const label = before === '' ? name : `${before}, ${name}`;
    const isRequired = isNeeded && required.includes(name);
    if (property.type === 'object' && property.properties && levels > 0)
      return toFields(
        property,
        { without },
        { pointer, label, levels: levels - 1, isNeeded: isRequired },
      );
    return [{ pointer, label, isRequired, ...toKind(property) }];
  });
}

function toKind(schema: FormSchema): Pick<FormField, 'kind' | 'options' | 'hasTextLines'> {
  const { type, items } = schema;
  const kindOf = (kind: FormField['kind'], hasTextLines = false) => ({
    kind,
    options: [],
    hasTextLines,
  });
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema && [schema.const];
  if (values) return { ...kindOf('choice'), options: values.map((value) => stringifyExact(value)) };
  if (type === 'boolean') return { ...kindOf('choice'), options: ['true', 'false'] };
  if (type === 'integer' || type === 'number') return kindOf('number');
  if (type === 'string') return kindOf('text');
  const ofItems = type === 'array' ? (items as FormSchema | undefined)?.type : undefined;
  if (ofItems === 'string') return kindOf('lines', true);
  return kindOf(ofItems === 'integer' || ofItems === 'number' ? 'lines' : 'json');
}

/** What a form shows of an item. */
export function toDraft(fields: readonly FormField[], item: unknown): ItemDraft {
  return Object.fromEntries(
    fields.map((field) => [field.pointer, toText(field, valueAtPointer(item, field.pointer))]),
  );
}

function toText({ kind, hasTextLines }: FormField, value: unknown): string {
  if (value === undefined) return '';
  if (kind === 'text' && typeof value === 'string') return value;
  if (kind === 'lines' && Array.isArray(value))
    return value.map((one) => (hasTextLines ? String(one) : stringifyExact(one))).join('\n');
  return stringifyExact(value, kind === 'json' ? 2 : undefined);
}

/** Whether a form shows all of an item, so that it can be saved from it. */
export function isShownBy(fields: readonly FormField[], item: unknown, id: string): boolean {
  const { json } = toItemJson(fields, toDraft(fields, item));
  if (json === undefined) return false;
  return sorted(parseJson(json)) === sorted(withoutAt(item as Record<string, unknown>, id));
}

function sorted(value: unknown): string {
  const sort = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner;
    if (Array.isArray(inner)) return inner.map(sort);
    return Object.fromEntries(
      Object.entries(inner)
        .map(([name, one]) => [name, sort(one)] as const)
        .sort(([left], [right]) => (left < right ? -1 : 1)),
    );
  };
  return stringifyExact(sort(value));
}

type Tree = Map<string, Tree | string>;

/**
 * The item that a form stands for, as JSON, each number to the digit. A field that is not JSON where
 * it must be is named instead.
 */
export function toItemJson(
  fields: readonly FormField[],
  draft: ItemDraft,
): { json: string; wrong?: never } | { json?: never; wrong: string } {
  const root: Tree = new Map();
  for (const field of fields) {
    const json = toFieldJson(field, draft[field.pointer] ?? '');
    if (json === undefined) continue;
    if (field.kind === 'json' && !isJson(json)) return { wrong: field.pointer };
    const names = namesOf(field.pointer);
    let tree = root;
    for (const name of names.slice(0, -1)) {
      const inner = tree.get(name);
      const next: Tree = inner instanceof Map ? inner : new Map();
      tree.set(name, next);
      tree = next;
    }
    tree.set(names.at(-1) ?? '', json);
  }
  return { json: write(root) };
}

function toFieldJson({ kind, isRequired, hasTextLines }: FormField, text: string) {
  if (text === '' && kind === 'lines' && isRequired) return '[]';
  if (text === '' && !(kind === 'text' && isRequired)) return undefined;
  if (kind === 'text') return JSON.stringify(text);
  if (kind === 'number') return toNumberJson(text);
  if (kind !== 'lines') return text;
  return `[${text
    .split('\n')
    .map((line) => (hasTextLines ? JSON.stringify(line) : toNumberJson(line)))
    .join()}]`;
}

function write(tree: Tree): string {
  const parts = [...tree].map(
    ([name, inner]) =>
      `${JSON.stringify(name)}:${typeof inner === 'string' ? inner : write(inner)}`,
  );
  return `{${parts.join()}}`;
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function namesOf(pointer: string): string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAtPointer(item: unknown, pointer: string): unknown {
  return namesOf(pointer).reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    item,
  );
}

type Members = Readonly<Record<string, unknown>>;

/**
 * The merge patch (RFC 7396), as JSON, that makes one item of another: what differs, with null for
 * what is gone, each number to the digit. Undefined where none does: it cannot set a null.
 */
export function toItemPatch(before: string, after: string): string | undefined {
  const [left, right] = [parseToDigit(before), parseToDigit(after)];
  if (!isObject(left) || !isObject(right)) return undefined;
  const patch = patchOf(left, right);
  return patch && stringifyExact(patch);
}

function patchOf(before: Members, after: Members): Members | undefined {
  const patch: [name: string, value: unknown][] = [];
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch.push([name, null]);
  for (const [name, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (old !== undefined && stringifyExact(old) === stringifyExact(value)) continue;
    if (value === null) return undefined;
    // An object in the place of anything else is merged into an empty one.
    const change = isObject(value) ? patchOf(isObject(old) ? old : {}, value) : value;
    if (change === undefined) return undefined;
    const isSame = isObject(old) && isObject(change) && Object.keys(change).length === 0;
    if (!isSame) patch.push([name, change]);
  }
  return Object.fromEntries(patch);
}

/** Parses JSON; a number that a double would write otherwise stays as it is written. */
function parseToDigit(text: string): unknown {
  return JSON.parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && String(value) !== source ? JSON.rawJSON(source) : value,
  );
}

function isObject(value: unknown): value is Members {
  const isAny = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isAny && !JSON.isRawJSON(value);
}

type Item = Readonly<Record<string, unknown>>;

type Written = {
  collection: Pick<DescribedCollection, 'name' | 'idProperty'>;
  /** What is changed; undefined for a new one. */
  item?: Item | undefined;
  json: string;
  /** The fields of the form that it was written in; false for a text of JSON. */
  fields: readonly FormField[] | false;
};

/**
 * The call that stores what was written: it adds an item, patches one with what differs from what
 * was shown, or replaces it where no patch can.
 */
export function toItemOperation({ collection, item, json, fields }: Written): Operation {
  const { name, idProperty } = collection;
  const place = `data/${encodeURIComponent(name)}`;
  if (!item) return { method: 'POST', path: place, text: json };
  const id = valueAt(item, idProperty);
  const path = `${place}/${encodeURIComponent(String(id))}`;
  const after: unknown = parse(json);
  const hasId = typeof after === 'object' && after !== null && hasAt(after as Item, idProperty);
  const shown = fields
    ? toItemJson(fields, toDraft(fields, item)).json
    : stringifyExact(hasId ? item : withoutAt(item, idProperty));
  const patch = shown === undefined ? undefined : toItemPatch(shown, json);
  return patch === undefined
    ? { method: 'PUT', path, text: json }
    : { method: 'PATCH', path, text: patch };
}
