import type { Purpose } from '../cases/case.ts';
import {
  type ApiDocument,
  findResource,
  type Operation,
  type Resource,
  resolveSchema,
} from '../description/document.ts';

/** A call of an operation by somebody else, as far as its purpose can be read from it. */
export type ForeignCall = {
  document: ApiDocument;
  operation: Operation;
  /** Path and query; undefined where they are not known. */
  url: URL | undefined;
  /** What the body of a create asks for; undefined where it is not known. */
  toCreate: () => Purpose | undefined;
};

/**
 * What a call with a valid key is for, by the call alone: given only where the interface decides what
 * must follow, or says that it leaves that open. Undefined where it is ambiguous.
 */
export function recognizeCall({
  document,
  operation,
  url,
  toCreate,
}: ForeignCall): Purpose | undefined {
  const resource = findResource(document, operation);
  const { kind, method, parameters } = operation;
  if (resource && kind === 'create') return toCreate();
  if (!url) return undefined;
  if (resource && kind === 'list') return toList(document, operation, resource, url.searchParams);
  if (resource && kind === 'read') return toRead(resource, url);
  const isPlain = [...url.searchParams.keys()].every((name) =>
    parameters.some((one) => one.in === 'query' && one.name === name),
  );
  return kind === undefined && method === 'GET' && isPlain ? { kind: 'call' } : undefined;
}

/** What a list asks for, and the first of it that the interface leaves open, if any. */
function toList(
  document: ApiDocument,
  { parameters }: Operation,
  { pageSize, filters: filterNames }: Resource,
  searchParams: URLSearchParams,
): Purpose | undefined {
  let limit: number | undefined;
  const filters: Record<string, string> = {};
  let open: { silence: string; probe: string } | undefined;
  for (const name of new Set(searchParams.keys())) {
    const [value = '', ...others] = searchParams.getAll(name);
    const parameter = parameters.find((one) => one.in === 'query' && one.name === name);
    const probe = `?${name}=${value}`;
    if (!parameter) {
      open ??= { silence: 'unknown-query-parameter', probe: `?${name}` };
      continue;
    }
    if (others.length > 0) return undefined;
    const isKnown = isWithin(resolveSchema(document, parameter.schema), value);
    if (name === pageSize?.name) {
      if (isKnown) limit = Number(value);
      else open = { silence: 'limit-out-of-range', probe };
    } else if (filterNames.includes(name)) {
      if (isKnown) filters[name] = value;
      else open = { silence: 'unknown-status-filter', probe };
    } else return undefined;
  }
  const asked = { filters, ...(limit !== undefined && { limit }) };
  return open ? { kind: 'silence', ...open, asked } : { kind: 'list', ...asked };
}

/** Whether the interface says what a parameter of this value asks for. */
function isWithin(schema: Readonly<Record<string, unknown>>, value: string): boolean {
  const {
    type,
    enum: values,
    minimum = Number.NEGATIVE_INFINITY,
    maximum = Number.POSITIVE_INFINITY,
  } = schema;
  if (Array.isArray(values)) return values.some((one) => String(one) === value);
  if (type !== 'integer') return true;
  return (
    /^(0|-?[1-9]\d{0,15})$/.test(value) &&
    Number(value) >= Number(minimum) &&
    Number(value) <= Number(maximum)
  );
}

const maxInt64 = 2n ** 63n - 1n;

/** The interface does not state what an id in another form, such as 007, stands for. */
function toRead({ idSchema }: Resource, { pathname }: URL): Purpose | undefined {
  const last = pathname.split('/').at(-1) ?? '';
  const isOwnForm =
    idSchema.type === 'integer'
      ? /^(0|-?[1-9]\d{0,18})$/.test(last) && BigInt(last) <= maxInt64 && BigInt(last) >= -maxInt64
      : /^[\w.~-]+$/.test(last);
  if (isOwnForm) return { kind: 'read', id: last };
  return { kind: 'silence', silence: 'pet-id-form', probe: last };
}
