import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import { type Answer, type TextAnswer, toErrorAnswer } from '../answers/answer.ts';
import { isolated } from '../answers/isolation.ts';
import { answerSourceOf } from '../documented/answer-source.ts';
import type { AnswerWithPrism } from '../documented/answer-with-prism.ts';
import { createMakeContent } from '../documented/make-content.ts';
import { defaultResponse, statusOf } from '../documented/responses.ts';
import { noBytes, toByteText, toText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { parseExact } from '../json/exact-json.ts';
import { type CompileSchema, toSentences, type Validate } from '../json/validator.ts';
import type { Log } from '../log.ts';
import type { Behaviour } from './behaviour.ts';

/** Made values are the same ones each time. */
const seed = 1;

export type FromDocumentOptions = {
  compileSchema: CompileSchema;
  answerWithPrism: AnswerWithPrism;
  log: Log;
};

/**
 * Answers an operation of no known kind with what the document says of it: an example, or a value
 * made from the schema. `@stoplight/prism-http` is asked where none can be made that fits, and for
 * content that is no JSON and has no example. A made value that does not fit is logged. Throws a
 * DocumentError for a schema that cannot be used.
 */
export function createFromDocumentBehaviour(
  document: ApiDocument,
  operation: Operation,
  options: FromDocumentOptions,
): Behaviour {
  const { schema } = defaultResponse(operation) ?? {};
  const validate =
    schema && answerSourceOf(operation) === 'schema'
      ? options.compileSchema(schema, 'writeOnly')
      : undefined;
  let answer: Promise<Answer | TextAnswer> | undefined;
  return async () => {
    answer ??= answerFrom(document, operation, { ...options, validate })
      .then((made) => ('text' in made ? isolated(made) : made))
      .catch((error) => {
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
  const response = defaultResponse(operation);
  if (!response)
    return toErrorAnswer(
      'no_response_described',
      `The document describes no response of ${operation.id}.`,
    );
  const status = statusOf(response, operation);
  if (response.text)
    return { status, text: response.text.example, mediaType: response.text.mediaType };
  if (!response.schema) {
    const answer = response.mediaTypes.length > 0 ? await answerWithPrism(operation) : undefined;
    return answer ?? { status, json: noBytes };
  }
  const content = stringifyExact(
    createMakeContent(operation, document)(response, { seed }) ?? null,
  );
  const made = { status, json: toByteText(content) };
  const problems = validate?.(parseExact(content).doubles, content.length);
  if (!problems) return made;
  const answer = await answerWithPrism(operation);
  if (answer && 'json' in answer && !validate?.(parseExact(toText(answer.json)).doubles))
    return answer;
  log.warn(
    `The response generated for ${operation.id} does not match its schema. Add an example to the document. ${toSentences(problems)}`,
  );
  return made;
}
