import type { ApiDocument, Operation } from '../../contracts/document.ts';
import { toByteText } from '../byte-text.ts';
import type { Answer } from '../http/answer.ts';

/**
 * The answer that `@stoplight/prism-http` gives to an operation; undefined where it is not installed, cannot read the
 * document or has none. It takes
 * longer to load than everything else together, so it is loaded here and never before.
 */
export async function answerWithPrism(document: ApiDocument, operation: Operation): Promise<Answer | undefined> {
  const prism = await import('@stoplight/prism-http').catch(ignoreAbsence);
  return prism && (await askPrism(prism, document, operation).catch(() => undefined));
}

async function askPrism(prism: Prism, document: ApiDocument, operation: Operation): Promise<Answer | undefined> {
  const operations = await prism.getHttpOperationsFromSpec(structuredClone(document.raw));
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
  const result = await instance.request({ method: operation.method.toLowerCase() as 'get', url: { path } }, operations)();
  if (result._tag === 'Left') return undefined;
  const { statusCode, body } = result.right.output;
  return body === undefined ? undefined : { status: statusCode, json: toByteText(JSON.stringify(body)) };
}

type Prism = typeof import('@stoplight/prism-http');

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
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
