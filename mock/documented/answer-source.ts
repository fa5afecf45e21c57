import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import { defaultResponse } from './responses.ts';

/**
 * Where the answers of an operation come from: what is stored, or what the document says of its
 * success; `prism` for content that `@stoplight/prism-http` alone can make.
 */
export type AnswerSource = 'store' | 'example' | 'schema' | 'prism' | 'no content' | 'nothing';

/** Where the answers of an operation come from. */
export function answerSourceOf(operation: Operation): AnswerSource {
  if (operation.kind) return 'store';
  const response = defaultResponse(operation);
  if (!response) return 'nothing';
  if (Object.keys(response.examples).length > 0 || response.text !== undefined) return 'example';
  if (response.schema) return 'schema';
  return response.mediaTypes.length > 0 ? 'prism' : 'no content';
}

const inWords: Readonly<Record<Exclude<AnswerSource, 'store'>, string>> = {
  example: 'an example',
  schema: 'generated from the schema',
  prism: 'made by @stoplight/prism-http, no content where it is not installed',
  'no content': 'no content',
  nothing: '501, because the document describes no response',
};

const maxNamed = 8;

/**
 * The operations that keep no state, with what each of them answers; empty where all of them do.
 */
export function describeStateless({ operations }: ApiDocument): string {
  const bySource = Map.groupBy(operations, answerSourceOf);
  const groups = Object.entries(inWords).flatMap(([source, words]) => {
    const ids = (bySource.get(source as AnswerSource) ?? []).map(({ id }) => id);
    const named =
      ids.length > maxNamed ? [...ids.slice(0, maxNamed), `${ids.length - maxNamed} more`] : ids;
    return ids.length === 0 ? [] : [`${named.join(', ')} (${words})`];
  });
  return groups.join(', ');
}

/** What operations ask of their callers and the twin does not check. */
export function findUnchecked({ operations }: ApiDocument): string[] {
  return [...new Set(operations.flatMap(({ alsoAsks }) => alsoAsks))];
}
