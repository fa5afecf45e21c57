import type { Transaction } from 'dredd';
import type {
  Api,
  Operation,
  Provenance,
  ResponseDescription,
  Schema,
} from '../../openapi/index.ts';

/**
 * Whether the interface itself states a node. One that says nothing of its source is stated by its
 * document.
 */
export function isStated({ source, assumed }: Provenance): boolean {
  return source === undefined
    ? assumed === undefined
    : source.split(', ').some((part) => part.startsWith('§'));
}

export function responseOf(operation: Operation, status: string): ResponseDescription | undefined {
  return operation.responses.find((response) => response.status === status);
}

/**
 * Completes what Dredd understood of a response: the body must fit the whole schema, and only the
 * headers that the interface states must be there.
 */
export function completeExpectation(
  { expected }: Transaction,
  operation: Operation,
  { asOpenApi }: Api,
): void {
  const response = responseOf(operation, expected.statusCode);
  if (!response) return;
  for (const [name, header] of Object.entries(response.headers))
    if (!header.required || !isStated(header)) delete expected.headers[name];
  if (response.schema) expected.bodySchema = toDraft7(asOpenApi(), response.schema);
}

/**
 * Takes a parameter of the media type for what it is: `application/json; charset=utf-8` is JSON.
 */
export function acceptMediaTypeParameters({ expected, real }: Transaction): void {
  const actual = real?.headers['content-type'];
  const name = Object.keys(expected.headers).find((one) => one.toLowerCase() === 'content-type');
  if (name && actual?.split(';')[0]?.trim() === expected.headers[name]?.split(';')[0]?.trim())
    expected.headers[name] = actual ?? '';
}

const mapsOfSchemas = ['properties', 'patternProperties', '$defs', 'definitions', 'schemas'];
const annotations = ['format', 'example', 'examples', 'default'];

/**
 * The same schema for Dredd's validator, which knows draft 7: it refuses a `format` that it does not
 * know, and takes an `id` inside an example for the schema's own.
 */
function toDraft7(whole: ReturnType<Api['asOpenApi']>, schema: Schema): object {
  const maps = new WeakSet<object>();
  function translate(this: object, key: string, value: unknown): unknown {
    if (typeof value === 'bigint') return Number(value);
    const isName = maps.has(this);
    if (!isName && (annotations.includes(key) || key.startsWith('x-'))) return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    if (!isName && mapsOfSchemas.includes(key)) maps.add(value);
    return value;
  }
  const held = { ...schema, components: { schemas: whole.components?.schemas ?? {} } };
  return {
    ...JSON.parse(JSON.stringify(held, translate)),
    $schema: 'http://json-schema.org/draft-07/schema#',
  };
}
