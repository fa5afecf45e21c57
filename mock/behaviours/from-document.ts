import { isObject, isSame, stringifyExact } from '../../common/json.ts';
import { toPlainName } from '../../common/words.ts';
import type { Api, Operation, Schema } from '../../openapi/index.ts';
import { heldSchemaOf, textExampleOf } from '../../openapi/model/content.ts';
import { asks } from '../../openapi/model/operation.ts';
import { contradicted, kindsOf, type PlainSchema } from '../../openapi/values/plain-schema.ts';
import {
  type Answer,
  bodyOf,
  isolated,
  type TextAnswer,
  toErrorAnswer,
} from '../answers/answer.ts';
import { textContentOf } from '../documented/answer-source.ts';
import type { AnswerWithPrism } from '../documented/answer-with-prism.ts';
import { createFindLike } from '../documented/like-examples.ts';
import { defaultResponse, statusOf } from '../documented/responses.ts';
import { makeSequence, makeText, sequencesOf, textsOf } from '../documented/sequences.ts';
import { fieldsOf } from '../items/stored-item.ts';
import { noBytes, toByteText } from '../json/exact-json.ts';
import { describeMisfit, type MadeJson, makerOf } from '../json/make-fitting.ts';
import { compilerOf, fits } from '../json/validator.ts';
import type { Log } from '../log.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createEcho } from './echo.ts';
import { createShowNoMore } from './list-answer.ts';

/** Seeds made values, so that they are the same each time. */
const seed = 1;

export type FromDocumentOptions = {
  document: Api;
  operation: Operation;
  answerWithPrism: AnswerWithPrism;
  /** Returns the challenge of an operation's 401 (RFC 9110 §15.5.2), if there is one. */
  challengeOf?: (operation: Operation) => string | undefined;
  log: Log;
};

/**
 * Answers an operation without a kind from the document: with an example, as far as it fits the
 * schema, or with a generated value. Values of the call replace the corresponding members.
 * `@stoplight/prism-http` generates JSON if nothing else fits. A generated value that does not fit is
 * logged. Throws a DocumentError for an unusable schema.
 */
export function createFromDocumentBehaviour(options: FromDocumentOptions): Behaviour {
  const { document, operation } = options;
  const response = defaultResponse(operation);
  const schema = response && heldSchemaOf(response);
  if (schema) compilerOf(document)(schema, 'writeOnly');
  const challenge = options.challengeOf?.(operation);
  const challenged = (made: Answer | TextAnswer): Answer | TextAnswer =>
    made.status === 401 && challenge !== undefined
      ? { ...made, headers: { ...made.headers, 'WWW-Authenticate': challenge } }
      : made;
  const isAsked = operation.method === 'GET' || asks(operation);
  const showNoMore = schema && isAsked ? createShowNoMore(document, schema) : undefined;
  const withoutMore = (made: Answer): Answer => {
    const value = bodyOf(made);
    const shown = showNoMore?.(value);
    const isChanged =
      shown !== undefined && !isSame(shown, value) && fits(document, schema ?? {}, shown);
    return isChanged ? { ...made, json: toByteText(stringifyExact(shown)) } : made;
  };
  const echo = createEcho(document, operation, schema);
  const choose = createChoose(options, schema);
  const answers = new Map<string, Promise<Answer | TextAnswer>>();
  return async (call) => {
    const { key, ...chosen } = choose(call);
    let answer = answers.get(key);
    if (!answer) {
      answer = answerFrom(options, chosen).then((made) =>
        challenged('text' in made ? isolated(made) : withoutMore(made)),
      );
      answers.set(key, answer);
    }
    return echo(await answer, call);
  };
}

/** The sources of an answer: the alternative of its schema, if not the first, and its examples in order. */
type Chosen = { kind?: Schema | undefined; examples: readonly unknown[] };

/**
 * Creates a step that chooses the alternative that has the values of a path, and the example that a
 * call is like, or that has these values.
 */
function createChoose({ document, operation }: FromDocumentOptions, schema: Schema | undefined) {
  const named = Object.entries(defaultResponse(operation)?.examples ?? {});
  const examples = named.map(([, example]) => example);
  const kinds = schema ? kindsOf([schema], document.schemas.describeShown) : [];
  if (kinds.length < 2 && examples.length < 2) return () => ({ key: '', examples });
  const findLike = createFindLike(
    operation,
    named.map(([name]) => name),
  );
  const shown = [...kinds.map(({ properties }) => properties), ...examples.filter(isObject)];
  const names = Map.groupBy(new Set(shown.flatMap((one) => Object.keys(one))), toPlainName);
  return (call: Call): Chosen & { key: string } => {
    const given = Object.entries(call.params).flatMap(([parameter, value]) =>
      (names.get(toPlainName(parameter)) ?? []).map((name) => [name, value] as const),
    );
    const isContradicted = (one: PlainSchema) =>
      contradicted(Object.fromEntries(given), one).length > 0;
    const kind = kinds.findIndex((one) => !isContradicted(one));
    const like = findLike?.(call);
    const isGiven = (example: unknown) =>
      isObject(example) && given.every(([name, value]) => String(example[name]) === value);
    const own = named.findIndex(([name, example]) =>
      like === undefined ? given.length > 0 && isGiven(example) : name === like,
    );
    return {
      key: `${kind} ${own}`,
      // The first one needs no choice.
      ...(kind > 0 && { kind: kinds[kind]?.schema }),
      examples: own > 0 ? [examples[own], ...examples] : examples,
    };
  };
}

async function answerFrom(
  { document, operation, answerWithPrism, log }: FromDocumentOptions,
  { kind, examples }: Chosen,
): Promise<Answer | TextAnswer> {
  const response = defaultResponse(operation);
  if (!response)
    return toErrorAnswer(
      'no_response_described',
      `The document describes no response of ${operation.id}.`,
    );
  const status = statusOf(response, operation);
  const shown = textExampleOf(response);
  if (shown) return { status, ...shown };
  const [sequence] = response.schema ? [] : sequencesOf(response);
  const schema = sequence ? undefined : (kind ?? heldSchemaOf(response));
  if (!schema && examples.length > 0)
    return { status, json: toByteText(stringifyExact(examples[0]) ?? 'null') };
  const makeFitting = makerOf(document);
  const asText = schema ? undefined : textContentOf(response);
  if (asText) return { status, ...makeText(asText, makeFitting) };
  const warn = (made: MadeJson) =>
    log.warn(
      `The response generated for ${operation.id} does not match its schema. Add an example to the document. ${describeMisfit(made)}`,
    );
  if (sequence) {
    const items = makeSequence(sequence, makeFitting);
    const misfit = items.find(({ problems }) => problems);
    if (misfit) warn(misfit);
    const text = sequence.write(textsOf(items));
    return { status, text, mediaType: sequence.content.fullType };
  }
  if (!schema) {
    const [first] = response.contents;
    const other = response.contents.find((one) => one.schema) ?? first;
    return { status, ...(other ? makeText(other, makeFitting) : { json: noBytes }) };
  }
  const made = makeFitting(schema, { seed, examples }) ?? { text: 'null' };
  if (made.problems) {
    const answer = await answerWithPrism(operation);
    if (answer && 'json' in answer && fits(document, schema, fieldsOf(answer.json))) return answer;
    warn(made);
  }
  return { status, json: toByteText(made.text) };
}
