import { toExcerpt } from '../../common/look/visible.ts';
import type { Api } from '../../openapi/index.ts';
import type { ExtraParts } from '../extra.ts';
import { type Locals, tolerate } from '../http/locals.ts';
import { createLenientBody } from './lenient/lenient-body.ts';
import { mountLenientPaths } from './lenient/lenient-paths.ts';

/** Returns the parts that tolerate deviations in requests, as most servers do. */
export function toLenientParts(document: Api): ExtraParts {
  return {
    mountBehind: (app) => mountLenientPaths(app, document),
    steps: [{ phase: 'around body', order: 10, of: createLenientBody }],
    values: () => ({ onUnacceptable: noteUnacceptable }),
  };
}

/**
 * Notes that the answer has the default media type, as Accept allows none that is described. A
 * vendor's type of JSON is JSON.
 */
function noteUnacceptable({ request, response }: Locals): void {
  const { accept = '' } = request.headers;
  if (!/\+json\b/.test(accept))
    tolerate(response, `Accept allows no media type of the response: ${toExcerpt(accept, 100)}.`);
}
