import { type Content, heldSchemaOf } from '../../contracts/description/content.ts';
import type {
  ApiDocument,
  Operation,
  ResponseDescription,
  Schema,
} from '../../contracts/description/document.ts';
import { describeScheme, usedSchemes } from '../../contracts/description/security.ts';
import { defaultResponse } from './responses.ts';
import { sequencesOf } from './sequences.ts';

/**
 * Where the answers of an operation come from: what is stored and changes, the stored item that an
 * action leaves as it is, or what the document says of its success.
 */
export type AnswerSource = 'store' | 'item' | 'example' | 'schema' | 'no content' | 'nothing';

/** Where the answers of an operation come from. */
export function answerSourceOf(operation: Operation): AnswerSource {
  const { kind, actsOn, part, sets, singleton, answersAs } = operation;
  if (answersAs) return answerSourceOf(answersAs);
  if ((kind ?? part ?? sets ?? singleton) !== undefined) return 'store';
  if (actsOn !== undefined) return 'item';
  const response = defaultResponse(operation);
  if (!response) return 'nothing';
  if (Object.keys(response.examples).length > 0 || response.text !== undefined) return 'example';
  const isMade = generatedSchemaOf(response) ?? textContentOf(response) ?? sequencesOf(response)[0];
  return isMade ? 'schema' : 'no content';
}

/** The schema of what is generated for a response: of its JSON, or else of its XML. */
export function generatedSchemaOf(response: ResponseDescription | undefined): Schema | undefined {
  return response && heldSchemaOf(response);
}

/** The first content of a response whose values are mere texts. */
export function textContentOf(response: ResponseDescription): Content | undefined {
  return response.contents.find(({ isText }) => isText);
}

const inWords: Readonly<Record<Exclude<AnswerSource, 'store'>, string>> = {
  item: 'the item in its path, unchanged',
  example: 'an example',
  schema: 'generated from the schema',
  'no content': 'no content',
  nothing: '501, because the document describes no response',
};

const maxNamed = 8;

/** The stateless operations, with what each of them answers; empty if there are none. */
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

/** What operations ask of their callers and the twin cannot check, so that it counts as given. */
export function findUnchecked({ operations }: ApiDocument): string[] {
  return usedSchemes(operations)
    .filter(({ type }) => type === 'mutualTLS' || type === 'unknown')
    .map((scheme) => `${scheme.name} (${describeScheme(scheme)})`);
}
