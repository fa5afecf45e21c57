import type { ApiDocument, Operation } from '../../contracts/document.ts';
import { toByteText } from '../byte-text.ts';
import { type Answer, toErrorAnswer } from '../http/answer.ts';
import type { Behaviour } from './behaviour.ts';

/**
 * Answers an operation of no known kind with what the document says of it: an example, or a value made from the schema.
 * `@stoplight/prism-http` does so; it takes longer to load than everything else together, so it is loaded at the first call.
 */
export function createFromDocumentBehaviour(document: ApiDocument, operation: Operation): Behaviour {
  let answer: Promise<Answer> | undefined;
  return async () => {
    answer ??= answerWithPrism(document, operation).catch((error) => {
      answer = undefined;
      throw error;
    });
    return answer;
  };
}

async function answerWithPrism(document: ApiDocument, operation: Operation): Promise<Answer> {
  const { createInstance, getHttpOperationsFromSpec } = await import('@stoplight/prism-http');
  const operations = await getHttpOperationsFromSpec(structuredClone(document.raw));
  const instance = createInstance(
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
  if (result._tag === 'Left')
    return toErrorAnswer('internal_error', `The document gives no answer for ${operation.id}: ${result.left.message}`);
  const { statusCode, body } = result.right.output;
  return { status: statusCode, json: toByteText(JSON.stringify(body) ?? '') };
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
