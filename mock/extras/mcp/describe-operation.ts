import type { Api, Operation } from '../../../openapi/index.ts';
import { toDocumentYaml } from '../../../reference/document-files.ts';
import { explain } from '../../explain/explanation.ts';
import type { OperationView } from '../pages/operation-view.ts';
import { readJson, send, type TwinClient } from './twin-client.ts';

/** The source of the mock's responses, for each operation. */
export type Explained = ReturnType<typeof explain>['operations'][number];

/** Says in a phrase what an operation does in the mock. */
export function toEffect({ kind, collection, answers }: Explained): string {
  if (kind !== undefined) return `${kind} of ${collection}`;
  return answers === 'store' ? 'keeps state' : `without state, answered with: ${answers}`;
}

/** Returns the reference of an operation: its effect, an example call, and its part of the document. */
export async function describeOperation(client: TwinClient, operation: Operation): Promise<string> {
  const document = await client.document();
  const explained = explain(document).operations.find(({ id }) => id === operation.id);
  const view = await findView(client, operation);
  return [
    `${operation.id}: ${operation.method} ${operation.path}`,
    ...(explained ? [`In the mock: ${toEffect(explained)}; ${explained.because}`] : []),
    ...(explained?.overlay ? ['suggest_overlay shows a line that would give it state.'] : []),
    ...(view?.call ? [`Example: call_operation ${toExample(view)}`] : []),
    '',
    toDocumentYaml(excerptOf(document, operation)),
  ].join('\n');
}

/** Finds what the pages know of an operation; undefined if its path hides these pages. */
async function findView(client: TwinClient, { id }: Operation): Promise<OperationView | undefined> {
  const path = `/__pages/operation.json?id=${encodeURIComponent(id)}`;
  const response = await send(client, path, {});
  const view = readJson(await response.text()) as OperationView | undefined;
  return response.ok && view?.id === id ? view : undefined;
}

function toExample({ id, call }: OperationView): string {
  const { values, headers, body } = call ?? {};
  const parameters = { ...values?.path, ...Object.fromEntries(values?.query ?? []), ...headers };
  const args = {
    operation: id,
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(body !== undefined && { body: readJson(body) ?? body }),
  };
  return JSON.stringify(args, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
}

/** Notes on where a description comes from, which tell a caller nothing. */
const ownNotes = ['x-source', 'x-assumed'];

/** Returns the node of an operation, with each part of the document that it refers to. */
function excerptOf(document: Api, { path, method }: Operation): Record<string, unknown> {
  const { schemas, asOpenApi } = document.exact;
  const item = schemas.resolve(asOpenApi().paths[path]);
  const found = new Map<string, unknown>();
  const take = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(take);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string' && !found.has($ref)) {
      found.set($ref, undefined);
      found.set($ref, take(schemas.resolve({ $ref })));
    }
    const members = Object.entries(value).filter(([name]) => !ownNotes.includes(name));
    return Object.fromEntries(members.map(([name, inner]) => [name, take(inner)]));
  };
  const { parameters } = item;
  const own = {
    ...(parameters && { parameters: take(parameters) }),
    ...Object(take(item[method.toLowerCase()])),
  };
  return { [`${method} ${path}`]: own, ...Object.fromEntries(found) };
}
