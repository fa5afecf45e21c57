import { findWrappedBody } from '../../contracts/description/collections/body-schema.ts';
import type { ApiDocument, Operation } from '../../contracts/description/document.ts';

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Changes the fields of the item that a body holds, or of each of its items, one after another: in
 * the body itself, in a list, or in a property such as `{"article": {...}}`.
 */
export async function mapFields(
  document: ApiDocument,
  operation: Operation,
  body: unknown,
  change: (fields: Fields) => Promise<Fields>,
): Promise<unknown> {
  const wrapper = findWrappedBody(document.raw, operation)?.property;
  if (wrapper !== undefined && isFields(body) && isFields(body[wrapper]))
    return { ...body, [wrapper]: await change(body[wrapper]) };
  if (!Array.isArray(body)) return isFields(body) ? change(body) : body;
  const changed: unknown[] = [];
  for (const one of body) changed.push(isFields(one) ? await change(one) : one);
  return changed;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
