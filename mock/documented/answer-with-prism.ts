import type { JsonObject } from '../../common/json.ts';
import type { Api, Operation, Schemas } from '../../openapi/index.ts';
import { type Answer, isJsonType, type TextAnswer } from '../answers/answer.ts';
import { toByteText } from '../json/exact-json.ts';
import type { Log } from '../log.ts';

/**
 * The answer of `@stoplight/prism-http` to an operation, as text if its media type is not
 * application/json; undefined if it is not installed, fails or has none.
 */
export type AnswerWithPrism = (operation: Operation) => Promise<Answer | TextAnswer | undefined>;

export type LoadPrism = () => Promise<Prism>;

/**
 * Asks `@stoplight/prism-http` for the answers of a document, and logs a failure once. It is not
 * asked of a large one, as it would hold all requests up. It takes longer to load than everything
 * else together, so it is loaded for the first such answer, not before.
 */
export function createAnswerWithPrism(
  document: Api,
  log: Log,
  load: LoadPrism = () => import('@stoplight/prism-http'),
): AnswerWithPrism {
  let isReported = false;
  return async (operation) => {
    const excerpt = toExcerpt(document, operation);
    if (!excerpt) return undefined;
    try {
      return await askPrism(await load(), excerpt, operation);
    } catch (error) {
      if (isReported || isAbsence(error)) return undefined;
      isReported = true;
      const [reason] = (error as Error).message.split('\n');
      log.warn(
        `@stoplight/prism-http cannot be used, so only what the mock can generate itself is answered: ${reason}`,
      );
      return undefined;
    }
  };
}

async function askPrism(
  prism: Prism,
  excerpt: JsonObject,
  operation: Operation,
): Promise<Answer | TextAnswer | undefined> {
  const operations = await prism.getHttpOperationsFromSpec(excerpt);
  const instance = prism.createInstance(
    {
      isProxy: false,
      mock: { dynamic: false },
      validateRequest: false,
      validateResponse: false,
      checkSecurity: false,
      errors: false,
      upstreamProxy: undefined,
    },
    { logger: silentLogger as never },
  );
  const path = operation.path.replace(/\{[^{}]+\}/g, '1');
  const result = await instance.request(
    { method: operation.method.toLowerCase() as 'get', url: { path } },
    operations,
  )();
  if (result._tag === 'Left') return undefined;
  const { statusCode: status, headers = {}, body } = result.right.output;
  const [, mediaType = ''] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  if (body === undefined) return undefined;
  if (/^application\/json$/i.test(mediaType))
    return { status, json: toByteText(JSON.stringify(body)) };
  if (isJsonType(mediaType)) return { status, text: JSON.stringify(body), mediaType };
  return typeof body === 'string' ? { status, text: body, mediaType } : undefined;
}

type Prism = typeof import('@stoplight/prism-http');

/**
 * Whether it is `@stoplight/prism-http` itself that is not installed, rather than a package that it
 * needs.
 */
function isAbsence(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' && message.includes("'@stoplight/prism-http'");
}

const silence = () => {};
const silentLogger = {
  level: 'silent',
  trace: silence,
  debug: silence,
  info: silence,
  warn: silence,
  error: silence,
  fatal: silence,
  success: silence,
  child: () => silentLogger,
};

/** The most schemas of a document that is given to it: for a large one, it takes seconds. */
const maxSchemas = 100;

/** The most parts of one whose references are written out, as it writes out all of them. */
const maxParts = 50_000;

function isSmall(excerpt: JsonObject, schemas: Schemas): boolean {
  let left = maxParts;
  const above = new Set<unknown>();
  const visit = (node: JsonObject | undefined): void => {
    if (typeof node !== 'object' || node === null || above.has(node) || --left < 0) return;
    above.add(node);
    for (const inner of Object.values(node)) visit(inner);
    if (typeof node.$ref === 'string') visit(schemas.follow(node.$ref) as JsonObject);
    above.delete(node);
  };
  visit(excerpt);
  return left >= 0;
}

/** The part of a document that describes the responses of one operation, if it is not too large. */
function toExcerpt(
  { asOpenApi, schemas }: Api,
  { path, method }: Operation,
): JsonObject | undefined {
  const { openapi, info, components = {}, paths: all } = asOpenApi();
  if (Object.keys(components.schemas ?? {}).length > maxSchemas) return undefined;
  const item = schemas.resolve(all[path]);
  const name = method.toLowerCase();
  const { operationId, responses } = item[name] ?? item.additionalOperations?.[method] ?? {};
  const paths = { [path]: { [name]: { operationId, responses } } };
  const excerpt = { openapi, info, paths, components };
  return isSmall(excerpt, schemas) ? structuredClone(excerpt) : undefined;
}
