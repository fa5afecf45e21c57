import { randomBytes } from 'node:crypto';
import { stringifyExact } from '../../../common/json.ts';
import type { Api, KeyPlace, Operation } from '../../../openapi/index.ts';
import { keyPlacesOf } from '../../../openapi/model/key-places.ts';
import { writeParameter } from '../../../openapi/model/write-parameter.ts';
import { toKeyed, toTarget } from '../../curl/place-key.ts';
import type { Entry } from '../../journal/entry.ts';
import type { KeyView } from '../admin/limit-handlers.ts';
import type { RequestsView } from '../admin/request-handlers.ts';
import { callAdmin, findOperation, send, ToolError, type TwinClient } from './twin-client.ts';

/** A call as a tool is asked for it. */
type AskedCall = {
  operation?: string;
  parameters?: Record<string, unknown>;
  body?: unknown;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  key?: string;
};

type OutgoingCall = {
  method: string;
  /** The path with its query, below the base path. */
  target: string;
  headers?: Record<string, string>;
  cookies?: [name: string, value: string][];
  mediaType?: string | undefined;
  places: readonly KeyPlace[];
};

/** A call with its response, and its entry of the journal unless that is off. */
type AnsweredCall = {
  sent: string;
  /** Undefined where the connection broke. */
  response: Response | undefined;
  body: string;
  entry: Entry | undefined;
};

/** Sends a call to the twin. Throws {@link ToolError} for a call that the document does not have. */
export async function callOperation(client: TwinClient, asked: AskedCall): Promise<AnsweredCall> {
  const document = await client.document();
  const { operation, method: otherMethod, path: otherPath } = asked;
  if (operation !== undefined && (otherMethod ?? otherPath) !== undefined)
    throw new ToolError('Give "operation", or "method" and "path", but not both.');
  const call =
    operation === undefined
      ? toPlainCall(document, asked)
      : toDescribedCall(findOperation(document, operation), asked);
  const { method, places } = call;
  const key = await findKey(client, asked.key, places);
  const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
  const { body } = asked;
  const keyed = toKeyed({ ...call, body }, key === undefined ? [] : places, key ?? '');
  const path = document.basePath + keyed.target;
  const headers = { ...keyed.headers, ...asked.headers, traceparent };
  // The last of one name counts, however it is written; fetch would join them.
  const byName = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const init = {
    method,
    headers: Object.fromEntries(byName),
    body: body === undefined || typeof body === 'string' ? (body ?? null) : stringifyExact(body),
  };
  const sent = `${method} ${client.root}${document.basePath}${call.target}`;
  try {
    const response = await send(client, path, init);
    const text = await response.text();
    return { sent, response, body: text, entry: await findEntry(client, traceparent) };
  } catch (error) {
    // A fault may have broken the connection; what never arrived has no entry.
    const entry = await findEntry(client, traceparent);
    if (!entry) throw error;
    return { sent, response: undefined, body: '', entry };
  }
}

/** The entry of a call, by a header that no other call has. */
async function findEntry(client: TwinClient, traceparent: string): Promise<Entry | undefined> {
  const pattern = { headers: { traceparent: { equalTo: traceparent } } };
  const found = await callAdmin<RequestsView>(client, 'POST', 'requests/find', pattern).catch(
    (error) => (error instanceof ToolError ? undefined : Promise.reject(error)),
  );
  return found?.requests[0];
}

/** The text of a key, by its name or as it is given; undefined where none is to be sent. */
async function findKey(
  client: TwinClient,
  given: string | undefined,
  places: readonly KeyPlace[],
): Promise<string | undefined> {
  if (given === 'none' || (given === undefined && places.length === 0)) return undefined;
  if (given !== undefined) return client.secrets.get(given) ?? given;
  const [first] = client.secrets.values();
  if (first !== undefined) return first;
  // The demo keys are their own names.
  const { keys } = await callAdmin<{ keys: KeyView[] }>(client, 'GET', 'limits');
  return keys[0]?.name;
}

/** Takes a method and a path as they are; the key is where operations of the document have it. */
function toPlainCall({ operations, basePath }: Api, asked: AskedCall): OutgoingCall {
  const { method = 'GET', path, parameters } = asked;
  if (!path?.startsWith('/'))
    throw new ToolError('Give "operation", or "method" and a "path" such as /pets/1.');
  if (parameters) throw new ToolError('"parameters" belong to "operation"; put these into "path".');
  return {
    method: method.toUpperCase(),
    target: path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path,
    places: operations.map(keyPlacesOf).find(({ length }) => length > 0) ?? [],
  };
}

function toDescribedCall(operation: Operation, { parameters = {} }: AskedCall): OutgoingCall {
  const { id, method, path, body, otherBody } = operation;
  const placed = { path: {}, header: {}, cookie: {} } as Record<string, Record<string, string>>;
  const query: [string, string][] = [];
  for (const [name, value] of Object.entries(parameters)) {
    const parameter = operation.parameters.find((one) => one.name === name);
    if (!parameter) {
      const names = operation.parameters.map((one) => one.name).join(', ') || 'none';
      throw new ToolError(`${id} has no parameter "${name}", only ${names}; "path" sends any.`);
    }
    const written = writeParameter(parameter, value);
    const pairs = 'pairs' in written ? written.pairs : [[name, written.text] as [string, string]];
    const place = placed[parameter.in];
    if (place) Object.assign(place, Object.fromEntries(pairs));
    else query.push(...pairs);
  }
  const { path: values = {}, header = {}, cookie = {} } = placed;
  const lacking = operation.parameters.find((one) => one.in === 'path' && !(one.name in values));
  if (lacking)
    throw new ToolError(`${id} needs the parameter "${lacking.name}"; describe_api shows one.`);
  return {
    method,
    target: toTarget(path, { path: values, query }),
    headers: header,
    cookies: Object.entries(cookie),
    mediaType: body ? body.mediaTypes?.[0] : otherBody?.contents[0]?.mediaType,
    places: keyPlacesOf(operation),
  };
}
