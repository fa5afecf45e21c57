import { documentOf } from './document-of.ts';
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

type Options = { deletion?: number; isOpenBelow?: boolean; showsAnySku?: boolean };

const schemas = {
  Sku: { type: 'string', pattern: '^[A-Z]{3}-[0-9]{4}$' },
  Name: { type: 'string', minLength: 1, maxLength: 80 },
  Secret: { type: 'string', writeOnly: true, minLength: 3 },
  Total: { type: 'integer', description: 'Number of all widgets' },
  Page: { type: 'integer', default: 1, minimum: 1 },
  Size: { type: 'integer', maximum: 300, default: 5 },
};

function toWidgets({ deletion = 204, isOpenBelow = false, showsAnySku = false }: Options) {
  const created = 'sku!: Sku, name!: Name, secret: Secret';
  const lines = `
    list: GET /widgets?page:Page&size:Size -> { data: [Widget], total: Total }, 401
    add: POST /widgets { ${created} }! -> 201 Widget, 401, 409, 422
    read: GET /widgets/{id} -> Widget, 401, 404
    put: PUT /widgets/{id} { ${created}, version!: int }! -> Widget, 401, 404, 409, 422
    remove: DELETE /widgets/{id} -> ${deletion}, 401, 404
    ${isOpenBelow ? 'parts: GET /widgets/{id}/parts -> object, 404' : ''}`;
  const sku = showsAnySku ? 'text' : 'Sku';
  const Widget = `{ id!: int, sku!: ${sku}, name!: Name, version!: int }`;
  const key = { type: 'apiKey', in: 'header', name: 'X-Key' };
  const components = { securitySchemes: { key } };
  const document = documentOf(
    lines,
    { ...schemas, Widget },
    { components, security: [{ key: [] }] },
  );
  const { parameters } = document.paths['/widgets/{id}/parts'] ?? {};
  if (parameters) parameters[0].example = 4711;
  return document;
}

/** Writes a document of widgets, which asks for a key; a deletion is answered with a status. */
export function writeWidgets(options: Options = {}): Promise<string> {
  return writeJson(toWidgets(options));
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

/** Returns what a right deployment answers. */
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

/**
 * Returns what a text says, empty where it is other JSON than an object; undefined where it is
 * none.
 */
function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return undefined;
  }
}
