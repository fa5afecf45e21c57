import type { Operation } from '../operation.ts';
import { type RawDocument, resolve } from '../schema.ts';
import type { ListRole } from './list-fields.ts';

/** What a parameter is for, as an extension states it; `id` is a cursor that is an item's id. */
type StatedRole = 'page' | 'offset' | 'cursor' | 'id' | 'size';

/** How a list is paged, as `x-speakeasy-pagination` or `x-scalar-pagination` states it. */
export type StatedPaging = {
  parameters: ReadonlyMap<string, StatedRole>;
  /** Where the items are in the answer. */
  items?: readonly string[];
  fields: readonly { role: ListRole; path: readonly string[]; as?: 'url' | 'cursor' }[];
  /** Whether the document states that there is only one page. */
  isWhole?: true;
};

/** Reads how a list is paged; undefined where no extension states it in a form that is known. */
export function readStatedPaging(
  raw: RawDocument,
  { path, method }: Pick<Operation, 'path' | 'method'>,
): StatedPaging | undefined {
  const node = resolve(raw, raw.paths?.[path] ?? {})?.[method.toLowerCase()];
  if (typeof node !== 'object' || node === null) return undefined;
  return (
    readScalar(raw, node['x-scalar-pagination']) ?? readSpeakeasy(node['x-speakeasy-pagination'])
  );
}

const scalarRequests: Readonly<Record<string, StatedRole>> = {
  offset: 'offset',
  pageNumber: 'page',
  cursor: 'cursor',
  cursorUrl: 'cursor',
  cursorId: 'id',
  limit: 'size',
  pageSize: 'size',
};

const scalarResponses: Readonly<Record<string, StatedPaging['fields'][number]['role']>> = {
  cursor: 'next',
  cursorUrl: 'next',
  offset: 'offset',
  pageNumber: 'page',
  currentPage: 'page',
  hasMore: 'hasMore',
  total: 'total',
  totalPages: 'pages',
  pageSize: 'size',
};

/** A scheme of its own, the name of one of the document, or `false`. */
function readScalar(raw: RawDocument, given: unknown): StatedPaging | undefined {
  if (given === false) return { parameters: new Map(), fields: [], isWhole: true };
  const schemes = raw['x-scalar-pagination'];
  const scheme: RawDocument | undefined =
    typeof given === 'string' && Array.isArray(schemes)
      ? schemes.find((one) => one?.name === given)
      : toObject(given);
  if (!scheme?.type) return undefined;
  const requests = Object.entries<RawDocument>(toObject(scheme.request) ?? {});
  const responses = Object.entries<RawDocument>(toObject(scheme.response) ?? {});
  const parameters = requests.flatMap(([key, field]): [string, StatedRole][] => {
    const role = scalarRequests[field?.type];
    const isInQuery = (field?.location ?? scheme.paramLocation ?? 'query') === 'query';
    return role && isInQuery ? [[String(field.param ?? key), role]] : [];
  });
  const inBody = responses.filter(([, field]) => (field?.location ?? 'body') === 'body');
  const pathOf = (key: string, { path, property, cursorPath }: RawDocument): string[] => [
    ...(Array.isArray(path) ? path : [property ?? key]).map(String),
    ...(Array.isArray(cursorPath) ? cursorPath.map(String) : []),
  ];
  const items = inBody.find(([, field]) => field?.type === 'items');
  return {
    parameters: new Map(parameters),
    ...(items && { items: pathOf(...items) }),
    fields: inBody.flatMap(([key, field]) => {
      const role = scalarResponses[field?.type];
      const as = field?.type === 'cursor' ? 'cursor' : 'url';
      const path = role ? pathOf(key, field) : [];
      if (!role) return [];
      return [role === 'next' ? { role, path, as } : { role, path }];
    }),
    ...(scheme.type === 'fakePage' && { isWhole: true }),
  };
}

const speakeasyInputs: Readonly<Record<string, StatedRole>> = {
  page: 'page',
  offset: 'offset',
  limit: 'size',
  cursor: 'cursor',
};

function readSpeakeasy(given: unknown): StatedPaging | undefined {
  const scheme = toObject(given);
  if (!scheme?.type) return undefined;
  const outputs = toObject(scheme.outputs) ?? {};
  const inputs: RawDocument[] = Array.isArray(scheme.inputs) ? scheme.inputs : [];
  // The cursor of an item is a property of the last one.
  const isOfItem = /\[(-1|\(@\.length-1\))\]/.test(String(outputs.nextCursor ?? ''));
  const parameters = inputs.flatMap((input): [string, StatedRole][] => {
    const role = speakeasyInputs[input?.type];
    if (!role || input.in !== 'parameters') return [];
    return [[String(input.name), role === 'cursor' && isOfItem ? 'id' : role]];
  });
  const items = toPath(outputs.results);
  const toField = (role: ListRole, output: unknown, as?: 'url' | 'cursor') => {
    const path = toPath(output);
    return path ? [{ role, path, ...(as && { as }) }] : [];
  };
  return {
    parameters: new Map(parameters),
    ...(items && { items }),
    fields: [
      ...toField('pages', outputs.numPages),
      ...toField('next', outputs.nextCursor, 'cursor'),
      ...toField('next', outputs.nextUrl, 'url'),
    ],
  };
}

/** The properties that a plain JSONPath names, such as `$.data.items`. */
function toPath(jsonPath: unknown): string[] | undefined {
  const match = /^\$((?:\.[\w-]+|\['[^']+'\])*)$/.exec(String(jsonPath));
  return match?.[1]?.split(/\.|\['|'\]/).filter((part) => part !== '');
}

function toObject(value: unknown): RawDocument | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}
