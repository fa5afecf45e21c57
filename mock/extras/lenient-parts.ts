import type { Request, Response } from 'express';
import { toExcerpt } from '../../common/look/visible.ts';
import type { Api } from '../../openapi/index.ts';
import type { DocumentedAnswer } from '../call/documented-answer.ts';
import type { ExtraParts } from '../extra.ts';
import { tolerate } from '../http/locals.ts';
import { createLenientBody } from './lenient/lenient-body.ts';
import { mountLenientPaths } from './lenient/lenient-paths.ts';

/** What a twin tolerates in requests, as most servers do. */
export function toLenientParts(document: Api): ExtraParts {
  return {
    mountBehind: (app) => mountLenientPaths(app, document),
    changeCalls: (calls) => ({
      ...calls,
      documentedOf(operation) {
        const documented = calls.documentedOf(operation);
        return documented && acceptAny(documented);
      },
      changeBody: (read, operation) => createLenientBody(read, operation, calls),
    }),
  };
}

/**
 * Answers with the default media type where Accept allows none that is described. A vendor's type of
 * JSON is JSON.
 */
function acceptAny(documented: DocumentedAnswer): DocumentedAnswer {
  return {
    ...documented,
    refusal(request) {
      const { accept = '' } = request.headers;
      if (documented.refusal(request) && !/\+json\b/.test(accept))
        noteIn(request, `Accept allows no media type of the response: ${toExcerpt(accept, 100)}.`);
      return undefined;
    },
  };
}

function noteIn({ res }: Request, sentence: string): void {
  tolerate(res as Response, sentence);
}
