import { jsonOf, toDocument } from './serve-document.ts';
import { startServer } from './start-server.ts';
import { writeJson } from './write-json.ts';

/** A widget as a deployment stores it. */
export type Widget = Record<string, unknown> & { id: number };

/** A call of a deployment; `isAllowed` says whether it has the key. */
export type WidgetCall = {
  method: string;
  id: number | undefined;
  query: URLSearchParams;
  text: string;
  isAllowed: boolean;
  widgets: Map<number, Widget>;
};

export type WidgetAnswer = { status: number; body?: unknown } | undefined;

export const widgetKey = 'key-of-widgets';

const sent = {
  sku: { type: 'string', pattern: '^[A-Z]{3}-[0-9]{4}$' },
  name: { type: 'string', minLength: 1, maxLength: 80 },
  secret: { type: 'string', writeOnly: true, minLength: 3 },
  version: { type: 'integer' },
};
const error = { description: 'refused' };

type Options = { deletion?: number; isOpenBelow?: boolean; showsAnySku?: boolean };

function toWidgets({ deletion = 204, isOpenBelow = false, showsAnySku = false }: Options) {
  const { secret: _, ...shown } = sent;
  const widget = {
    type: 'object',
    required: ['id', 'sku', 'name', 'version'],
    properties: {
      id: { type: 'integer' },
      ...shown,
      ...(showsAnySku && { sku: { type: 'string' } }),
    },
  };
  const { version, ...creatable } = sent;
  const created = { type: 'object', required: ['sku', 'name'], properties: creatable };
  const replaced = {
    type: 'object',
    required: ['sku', 'name', 'version'],
    properties: { ...creatable, version },
  };
  const ok = { 200: jsonOf(widget), 401: error };
  const list = {
    type: 'object',
    properties: {
      data: { type: 'array', items: widget },
      total: { type: 'integer', description: 'Number of all widgets' },
    },
  };
  const queries = [
    { name: 'page', in: 'query', schema: { type: 'integer', default: 1, minimum: 1 } },
    { name: 'size', in: 'query', schema: { type: 'integer', maximum: 300, default: 5 } },
  ];
  return {
    '/widgets': {
      get: {
        operationId: 'list',
        parameters: queries,
        responses: { 200: jsonOf(list), 401: error },
      },
      post: {
        operationId: 'add',
        requestBody: { required: true, ...jsonOf(created) },
        responses: { 201: jsonOf(widget), 401: error, 409: error, 422: error },
      },
    },
    '/widgets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'read', responses: { ...ok, 404: error } },
      put: {
        operationId: 'put',
        requestBody: { required: true, ...jsonOf(replaced) },
        responses: { ...ok, 404: error, 409: error, 422: error },
      },
      delete: {
        operationId: 'remove',
        responses: { [deletion]: { description: 'gone' }, 401: error, 404: error },
      },
    },
    ...(isOpenBelow && {
      '/widgets/{id}/parts': {
        parameters: [
          { name: 'id', in: 'path', required: true, example: 4711, schema: { type: 'integer' } },
        ],
        get: {
          operationId: 'parts',
          responses: { 200: jsonOf({ type: 'object' }), 404: error },
        },
      },
    }),
  };
}

/** Writes a document of widgets, which asks for a key; a deletion is answered with a status. */
export function writeWidgets(options: Options = {}): Promise<string> {
  const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
  const more = { components: { securitySchemes }, security: [{ key: [] }] };
  return writeJson(toDocument(toWidgets(options), more));
}

/**
 * Starts a deployment of widgets that ends with the test. It is right, but for what `answer` gives
 * instead: no two widgets have the same SKU, and a replacement must name the version it replaces.
 */
export async function startWidgets(
  answer: (call: WidgetCall) => WidgetAnswer = () => undefined,
  { seeds = 7 } = {},
) {
  const widgets = new Map<number, Widget>();
  for (let id = 1; id <= seeds; id++)
    widgets.set(id, { id, sku: `AAA-100${id}`, name: `first ${id}`, version: 1 });
  const calls: WidgetCall[] = [];
  const url = await startServer(({ method, segments, query, headers, text }) => {
    const segment = segments[1];
    const call: WidgetCall = {
      method: method.replace('HEAD', 'GET'),
      id: segment === undefined ? undefined : Number(segment),
      ...{ query, text, widgets },
      isAllowed: headers['x-key'] === widgetKey,
    };
    calls.push(call);
    const { status, body } =
      segments.length > 2
        ? { status: widgets.has(call.id ?? 0) ? 200 : 404, body: {} }
        : (answer(call) ?? answerRightly(call));
    const allow = status === 405 && { Allow: 'GET, PUT, DELETE' };
    return { status, body, headers: { 'WWW-Authenticate': 'Key realm="widgets"', ...allow } };
  });
  return { url, widgets, calls };
}

/** What a right deployment answers. */
export function answerRightly({ method, id, query, text, isAllowed, widgets }: WidgetCall): {
  status: number;
  body?: unknown;
} {
  if (!isAllowed) return { status: 401 };
  const widget = id === undefined ? undefined : widgets.get(id);
  if (id === undefined && method === 'GET') {
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('size') ?? 5)];
    const data = [...widgets.values()].slice((page - 1) * size, page * size);
    return { status: 200, body: { data, total: widgets.size } };
  }
  if (id !== undefined && !widget) return { status: 404 };
  if (method === 'GET') return { status: 200, body: widget };
  if (method === 'DELETE' && id !== undefined) {
    widgets.delete(id);
    return { status: 204 };
  }
  if (!['POST', 'PUT'].includes(method)) return { status: 405 };
  const given = readObject(text);
  if (given === undefined) return { status: 400 };
  const { sku, name, secret = 'none', version = 1 } = given;
  const isValid =
    /^[A-Z]{3}-[0-9]{4}$/.test(String(sku)) &&
    typeof name === 'string' &&
    name.length > 0 &&
    name.length <= 80 &&
    typeof secret === 'string' &&
    Number.isInteger(version);
  if (!isValid) return { status: 422 };
  const isTaken = widgets.values().some((one) => one.sku === sku && one.id !== id);
  if (isTaken || (widget && version !== widget.version)) return { status: 409 };
  const ownId = id ?? Math.max(...widgets.keys(), lastOf(widgets)) + 1;
  const stored: Widget = { id: ownId, sku, name, version: Number(widget?.version ?? 0) + 1 };
  lasts.set(widgets, Math.max(ownId, lastOf(widgets)));
  widgets.set(ownId, stored);
  return { status: method === 'POST' ? 201 : 200, body: stored };
}

/** The largest id that was ever given. */
const lasts = new WeakMap<Map<number, Widget>, number>();

function lastOf(widgets: Map<number, Widget>): number {
  return lasts.get(widgets) ?? 0;
}

/** What a text says, empty where it is other JSON than an object; undefined where it is none. */
function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return undefined;
  }
}
