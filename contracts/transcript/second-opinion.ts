import { createRequire } from 'node:module';
import type { ApiDocument } from '../document.ts';
import { isAnswered } from './exchange.ts';
import type { SecondOpinions, Transcript } from './transcript.ts';

/** Whether prism-http is installed; this does not load it. */
export function hasSecondValidator(): boolean {
  try {
    createRequire(import.meta.url).resolve('@stoplight/prism-http');
    return true;
  } catch {
    return false;
  }
}

/** Loads prism-http, which takes a while, and judges the success bodies of a transcript with it. */
export async function createSecondOpinion(document: ApiDocument): Promise<(transcript: Transcript) => SecondOpinions> {
  const [{ getHttpOperationsFromSpec }, { validateOutput }] = await Promise.all([
    import('@stoplight/prism-http'),
    import('@stoplight/prism-http/dist/validator/index.js'),
  ]);
  const operations = await getHttpOperationsFromSpec(structuredClone(document.raw));
  return ({ exchanges }) => {
    const opinions = new Map<number, string[]>();
    for (const { number, case: one, response } of exchanges.filter(isAnswered)) {
      const resource = operations.find(
        ({ method, path }) => method === one.operation?.method.toLowerCase() && path === one.operation?.path,
      );
      if (
        !resource ||
        one.method === 'HEAD' ||
        response.status >= 300 ||
        response.json === undefined ||
        holdsLargeInteger(response.json)
      )
        continue;
      const element = {
        statusCode: response.status,
        headers: Object.fromEntries(response.headers.map(([name, value]) => [name.toLowerCase(), value])),
        body: response.json,
      };
      const result = validateOutput({ resource: resource as never, element });
      const problems =
        result._tag === 'Left' ? result.left.filter(({ path }) => path?.[0] === 'body').map(({ message }) => message) : [];
      opinions.set(number, problems);
    }
    return opinions;
  };
}

/** Its validators know doubles only, and hold an int64 to what a double can count. */
function holdsLargeInteger(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(holdsLargeInteger);
}
