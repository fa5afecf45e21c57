import { createRequire } from 'node:module';
import type { ApiDocument } from '../../description/document.ts';
import { isAnswered } from '../exchange.ts';
import { sampleOf } from '../sample.ts';
import type { SecondOpinions, Transcript } from '../transcript.ts';

/** Whether prism-http is installed; this does not load it. */
export function hasSecondValidator(): boolean {
  try {
    createRequire(import.meta.url).resolve('@stoplight/prism-http');
    return true;
  } catch {
    return false;
  }
}

/**
 * Loads prism-http, which takes a while, and judges the success bodies of a transcript with it. It
 * stops when it is late, and has no opinion of what is left.
 */
export async function createSecondOpinion(
  document: ApiDocument,
): Promise<(transcript: Transcript, isLate: () => boolean) => SecondOpinions> {
  const [{ getHttpOperationsFromSpec }, { validateOutput }] = await Promise.all([
    import('@stoplight/prism-http/dist/utils/operations.js'),
    import('@stoplight/prism-http/dist/validator/index.js'),
  ]);
  const operations = await getHttpOperationsFromSpec(structuredClone(document.raw));
  return ({ exchanges }, isLate) => {
    const opinions = new Map<number, string[]>();
    for (const exchange of exchanges.filter(isAnswered)) {
      const { number, case: testCase, response } = exchange;
      const resource = operations.find(
        ({ method, path }) =>
          method === testCase.operation?.method.toLowerCase() && path === testCase.operation?.path,
      );
      const body = sampleOf(response.json);
      if (!resource || testCase.method === 'HEAD' || response.status >= 300 || body === undefined)
        continue;
      if (isLate()) break;
      if (holdsLargeInteger(body)) continue;
      const headers = Object.fromEntries(
        response.headers.map(([name, value]) => [name.toLowerCase(), value]),
      );
      const element = { statusCode: response.status, headers, body };
      const result = validateOutput({ resource: resource as never, element });
      const problems = result._tag === 'Left' ? result.left : [];
      opinions.set(
        number,
        problems.filter(({ path }) => path?.[0] === 'body').map(({ message }) => message),
      );
    }
    return opinions;
  };
}

/** Its validators know doubles only, and hold an int64 to what a double can count. */
function holdsLargeInteger(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(holdsLargeInteger);
}
