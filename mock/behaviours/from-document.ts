import {
  type ApiDocument,
  describeSchema,
  type Operation,
  type ResponseDescription,
} from '../../contracts/description/document.ts';
import { generateValue } from '../../fixtures/generate.ts';
import { type Answer, type TextAnswer, toErrorAnswer } from '../answers/answer.ts';
import { noBytes, toByteText, toText } from '../json/byte-text.ts';
import { parseExact, stringifyExact } from '../json/exact-json.ts';
import { type CompileSchema, toSentences, type Validate } from '../json/validator.ts';
import type { Log } from '../log.ts';
import { answerSourceOf, usualResponse } from './answer-source.ts';
import type { AnswerWithPrism } from './answer-with-prism.ts';
import type { Behaviour } from './behaviour.ts';
import { statusOf } from './documented.ts';

/** Made values are the same ones each time. */
const seed = 1;

export type FromDocumentOptions = {
  compileSchema: CompileSchema;
  answerWithPrism: AnswerWithPrism;
  log: Log;
};

/**
 * Answers an operation of no known kind with what the document says of it: an example, or a value
 * made from the schema, by `@stoplight/prism-http` where it is installed and makes one that fits; a
 * made one that does not fit is logged. Throws a DocumentError for a schema that cannot be used.
 */
export function createFromDocumentBehaviour(
  document: ApiDocument,
  operation: Operation,
  options: FromDocumentOptions,
): Behaviour {
  const { schema } = usualResponse(operation) ?? {};
  const validate =
    schema && answerSourceOf(operation) === 'schema' ? options.compileSchema(schema) : undefined;
  let answer: Promise<Answer | TextAnswer> | undefined;
  return async () => {
    answer ??= answerFrom(document, operation, { ...options, validate }).catch((error) => {
      answer = undefined;
      throw error;
    });
    return answer;
  };
}

async function answerFrom(
  document: ApiDocument,
  operation: Operation,
  { answerWithPrism, log, validate }: FromDocumentOptions & { validate: Validate | undefined },
): Promise<Answer | TextAnswer> {
  const response = usualResponse(operation);
  if (!response)
    return toErrorAnswer(
      'no_response_described',
      `The document describes no response of ${operation.id}.`,
    );
  const status = statusOf(response, operation);
  if (response.text)
    return { status, text: response.text.example, mediaType: response.text.mediaType };
  if (!response.schema) return { status, json: noBytes };
  const answer = await answerWithPrism(operation);
  if (answer && !validate?.(parseExact(toText(answer.json)).doubles)) return answer;
  const content = contentOf(document, response);
  const problems = validate?.(parseExact(content).doubles, content.length);
  if (problems)
    log.warn(
      `The answer of ${operation.id} does not fit its schema, as none could be made that does. ${toSentences(problems)}`,
    );
  return { status, json: toByteText(content) };
}

/** The first example, else a value of the schema: its own examples and defaults first. */
function contentOf(document: ApiDocument, { examples, schema = {} }: ResponseDescription): string {
  const [example] = Object.values(examples);
  if (example !== undefined) return stringifyExact(example);
  const describe = (one: typeof schema) => describeSchema(document, one);
  return stringifyExact(generateValue(schema, { seed, describe, own: true }) ?? null);
}
