import type { Api, Content, Operation, ResponseDescription } from '../../openapi/index.ts';
import { textExampleOf } from '../../openapi/model/content.ts';
import { describeScheme, usedSchemes } from '../../openapi/model/security.ts';
import { defaultResponse } from './responses.ts';

/**
 * Names the source of an operation's answers. An action that changes nothing answers with its `item`.
 */
export type AnswerSource = 'store' | 'item' | 'example' | 'schema' | 'no content' | 'nothing';

export function answerSourceOf(operation: Operation): AnswerSource {
  const { kind, actsOn, copies, part, sets, stamps, takes, singleton } = operation;
  const other = operation.answersAs ?? operation.readAs;
  if (other) return answerSourceOf(other);
  const effect = copies ?? part ?? sets ?? stamps ?? takes;
  if ((kind ?? effect ?? singleton) !== undefined) return 'store';
  if (actsOn !== undefined) return 'item';
  const response = defaultResponse(operation);
  if (!response) return 'nothing';
  if (Object.keys(response.examples).length > 0 || textExampleOf(response)) return 'example';
  return response.contents.length > 0 ? 'schema' : 'no content';
}

/** Whether an operation answers with stored items. */
export function hasState(operation: Operation): boolean {
  return ['store', 'item'].includes(answerSourceOf(operation));
}

/** Returns the first text content of a response. */
export function textContentOf(response: ResponseDescription): Content | undefined {
  return response.contents.find(({ isText }) => isText);
}

const inWords: Readonly<Record<Exclude<AnswerSource, 'store'>, string>> = {
  item: 'the stored item, unchanged',
  example: 'example from the document',
  schema: 'generated from the schema',
  'no content': 'no content',
  nothing: '501, because the document describes no response',
};

const maxNamed = 8;

/** Lists the stateless operations with the source of their responses; empty without any. */
export function describeStateless({ operations }: Api): string {
  const bySource = Map.groupBy(operations, answerSourceOf);
  const groups = Object.entries(inWords).flatMap(([source, words]) => {
    const ids = (bySource.get(source as AnswerSource) ?? []).map(({ id }) => id);
    const named =
      ids.length > maxNamed ? [...ids.slice(0, maxNamed), `${ids.length - maxNamed} more`] : ids;
    return ids.length === 0 ? [] : [`${named.join(', ')} (${words})`];
  });
  return groups.join(', ');
}

/** Returns the security schemes that the mock cannot check, and so takes for satisfied. */
export function findUnchecked({ operations }: Api): string[] {
  return usedSchemes(operations)
    .filter(({ type }) => type === 'mutualTLS' || type === 'unknown')
    .map((scheme) => `${scheme.name} (${describeScheme(scheme)})`);
}
