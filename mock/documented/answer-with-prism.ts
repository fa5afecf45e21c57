import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import { fromFragmentToken } from '../../contracts/description/json-pointer.ts';
import { follow, type RawDocument, resolve } from '../../contracts/description/schema.ts';
import type { Answer, TextAnswer } from '../answers/answer.ts';
import { isJsonType } from '../answers/isolation.ts';
import { toByteText } from '../json/exact-json.ts';
import type { Log } from '../log.ts';

/**
 * The answer of `@stoplight/prism-http` to an operation, as text if its media type is not
 * application/json; undefined if it is not installed, fails or has none.
 */
export type AnswerWithPrism = (operation: Operation) => Promise<Answer | TextAnswer | undefined>;

export type LoadPrism = () => Promise<Prism>;

/**
 * Asks `@stoplight/prism-http` for the answers of a document, and logs a failure once. It is given
 * what the operation refers to, and not asked where that is much: it would hold all requests up. It takes
 * longer to load than everything else together, so it is loaded for the first such answer, not
 * before.
 */
export function createAnswerWithPrism(
  document: ApiDocument,
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
        `@stoplight/prism-http cannot be used, so only what the twin can generate itself is answered: ${reason}`,
      );
      return undefined;
    }
  };
}

async function askPrism(
  prism: Prism,
  excerpt: RawDocument,
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

/** The maximum of parts that an excerpt may refer to. */
const maxParts = 50;

/**
 * The part of a document that describes the responses of one operation, as a document: what looks
 * at all of a large one takes seconds. Undefined where that refers to so much that it would too.
 */
export function toExcerpt(
  { raw }: ApiDocument,
  { path, method }: Operation,
): RawDocument | undefined {
  const item = resolve(raw, raw.paths[path]);
  const name = method.toLowerCase();
  const { operationId, responses } = item[name] ?? item.additionalOperations?.[method] ?? {};
  const excerpt: RawDocument = {
    openapi: raw.openapi,
    info: raw.info,
    paths: { [path]: { [name]: structuredClone({ operationId, responses }) } },
  };
  const placed = new Set<string>();
  const bringIn = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as RawDocument;
    if (typeof $ref === 'string' && !placed.has($ref) && placed.size <= maxParts) {
      placed.add($ref);
      const target = structuredClone(follow(raw, $ref));
      if (target !== undefined) put(excerpt, $ref, target);
      bringIn(target);
    }
    for (const inner of Object.values(node)) bringIn(inner);
  };
  bringIn(excerpt.paths);
  return placed.size <= maxParts ? excerpt : undefined;
}

/** Puts a part where a reference looks for it, unless what is around it is there. */
function put(root: RawDocument, $ref: string, part: unknown): void {
  const keys = $ref.slice(2).split('/').map(fromFragmentToken);
  const last = keys.pop() as string;
  let holder = root;
  for (const key of keys) holder = holder[key] ??= {};
  holder[last] ??= part;
}
