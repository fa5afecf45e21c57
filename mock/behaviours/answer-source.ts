import type {
  ApiDocument,
  Operation,
  ResponseDescription,
} from '../../contracts/description/document.ts';
import { findSuccess } from './documented.ts';

/**
 * Where the answers of an operation come from: what is stored, or what the document says of its
 * success.
 */
export type AnswerSource = 'store' | 'example' | 'schema' | 'no content' | 'nothing';

/** The response that answers an operation of no known kind: its success, else the first one. */
export function usualResponse(operation: Operation): ResponseDescription | undefined {
  return findSuccess(operation) ?? operation.responses[0];
}

/** Where the answers of an operation come from. */
export function answerSourceOf(operation: Operation): AnswerSource {
  if (operation.kind) return 'store';
  const response = usualResponse(operation);
  if (!response) return 'nothing';
  if (Object.keys(response.examples).length > 0 || response.text !== undefined) return 'example';
  return response.schema ? 'schema' : 'no content';
}

const inWords: Readonly<Record<Exclude<AnswerSource, 'store'>, string>> = {
  example: 'an example',
  schema: 'made from the schema',
  'no content': 'no content',
  nothing: '501, as the document describes no response',
};

const mostNamed = 8;

/**
 * The operations that keep no state, with what each of them answers; empty where all of them do.
 */
export function describeStateless({ operations }: ApiDocument): string {
  const bySource = Map.groupBy(operations, answerSourceOf);
  const groups = Object.entries(inWords).flatMap(([source, words]) => {
    const ids = (bySource.get(source as AnswerSource) ?? []).map(({ id }) => id);
    const named =
      ids.length > mostNamed ? [...ids.slice(0, mostNamed), `${ids.length - mostNamed} more`] : ids;
    return ids.length === 0 ? [] : [`${named.join(', ')} (${words})`];
  });
  return groups.join(', ');
}

/** What operations ask of their callers and the twin does not check. */
export function findUnchecked({ operations }: ApiDocument): string[] {
  return [...new Set(operations.flatMap(({ alsoAsks }) => alsoAsks))];
}
