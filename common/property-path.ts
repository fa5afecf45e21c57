import { type Fields, isObject } from './json.ts';
import { toToken } from './json-pointer.ts';

/** A property in an object that an item has, e.g. `metadata.name`. */
const nested = /^([\w$-]+)\.([\w$-]+)$/;

/** The member of items that a path leads into, and the property there; undefined for a property. */
export function partsOf(path: string): { outer: string; inner: string } | undefined {
  // Nearly all ids are properties of the item itself.
  if (!path.includes('.')) return undefined;
  const [, outer, inner] = nested.exec(path) ?? [];
  return outer === undefined || inner === undefined ? undefined : { outer, inner };
}

/** The property of the item itself that is at a path, or that holds what is there. */
export function topOf(path: string): string {
  return partsOf(path)?.outer ?? path;
}

/** The JSON pointer to what is at a path. */
export function pointerTo(path: string): string {
  const { outer, inner } = partsOf(path) ?? { outer: path };
  return [outer, ...(inner === undefined ? [] : [inner])].map((one) => `/${toToken(one)}`).join('');
}

/** Returns the value of an item at a path. */
export function valueAt(item: Fields | null | undefined, path: string): unknown {
  const parts = partsOf(path);
  return parts ? fieldsOf(item?.[parts.outer])?.[parts.inner] : item?.[path];
}

/** Whether an item has anything at a path. */
export function hasAt(item: Fields, path: string): boolean {
  const parts = partsOf(path);
  if (!parts) return Object.hasOwn(item, path);
  const holder = Object.hasOwn(item, parts.outer) ? fieldsOf(item[parts.outer]) : undefined;
  return holder !== undefined && Object.hasOwn(holder, parts.inner);
}

/** Returns an item with a new value at a path, before its siblings. */
export function withAt(item: Fields, path: string, value: unknown): Fields {
  const parts = partsOf(path);
  if (!parts) return { [path]: value, ...item, [path]: value };
  const { outer, inner } = parts;
  return { ...item, [outer]: withAt(fieldsOf(item[outer]) ?? {}, inner, value) };
}

/** An item with other values at several paths, those of new properties behind what it has. */
export function withAll(item: Fields, values: Fields): Fields {
  const own: Record<string, unknown> = { ...item };
  for (const [path, value] of Object.entries(values)) {
    const { outer, inner } = partsOf(path) ?? { outer: path };
    own[outer] = inner === undefined ? value : { ...fieldsOf(own[outer]), [inner]: value };
  }
  return own;
}

/** An item without what it has at a path. */
export function withoutAt(item: Fields, path: string): Fields {
  if (!hasAt(item, path)) return item;
  const { outer, inner } = partsOf(path) ?? { outer: path };
  const { [outer]: held, ...others } = item;
  return inner === undefined ? others : { ...item, [outer]: withoutAt(held as Fields, inner) };
}

function fieldsOf(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined;
}

/** A key that leads to what each element of a list has at the keys behind it. */
export const eachElement = '*';

/** The value that keys and indexes lead to; undefined where there is none. */
export function valueIn(root: unknown, keys: readonly string[]): unknown {
  let value = root;
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] as string;
    if (key === eachElement && Array.isArray(value))
      return value.map((one) => valueIn(one, keys.slice(at + 1)));
    const isHolder = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    value = isHolder ? (value as Fields)[key] : undefined;
  }
  return value;
}
