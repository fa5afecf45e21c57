import { parseJson } from '../../../common/json.ts';
import type { Api, Operation } from '../../../openapi/index.ts';
import { toDocumentYaml } from '../../../reference/document-files.ts';
import { explain } from '../../explain/explanation.ts';
import type { OperationView } from '../pages/operation-view.ts';
import { send, type TwinClient } from './twin-client.ts';

/** The source of the mock's responses, for each operation. */
export type ExplainedOperation = ReturnType<typeof explain>['operations'][number];

/** Says in a phrase what an operation does in the mock. */
export function toEffect({ kind, collection, answers }: ExplainedOperation): string {
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
  const view = parseJson(await response.text()) as OperationView | undefined;
  return response.ok && view?.id === id ? view : undefined;
}

function toExample({ id, call }: OperationView): string {
  const { values, headers, body } = call ?? {};
  const parameters = { ...values?.path, ...Object.fromEntries(values?.query ?? []), ...headers };
  const args = {
    operation: id,
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(body !== undefined && { body: parseJson(body) ?? body }),
  };
  return JSON.stringify(args, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
}

/** Notes on where a description comes from, which tell a caller nothing. */
const ownNotes = ['x-source', 'x-assumed'];

/** How many references lead on from an operation; in large documents, all lead to everything. */
const maxDepth = 3;

/** Returns the node of an operation, and the parts of the document that it refers to. */
function excerptOf(document: Api, { path, method }: Operation): Record<string, unknown> {
  const { schemas, asOpenApi } = document;
  const item = schemas.resolve(asOpenApi().paths[path]);
  let found = new Set<string>();
  const copy = (node: object) =>
    JSON.parse(
      JSON.stringify(node, (name, value) => {
        if (name === '$ref') found.add(value);
        return ownNotes.includes(name) ? undefined : value;
      }),
    );
  const { parameters } = item;
  const own = copy({ ...(parameters && { parameters }), ...item[method.toLowerCase()] });
  const excerpt = { [`${method} ${path}`]: own };
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const refs = [...found].filter(($ref) => !($ref in excerpt));
    found = new Set();
    for (const $ref of refs) excerpt[$ref] = copy(schemas.resolve({ $ref }));
  }
  return excerpt;
}
