import type { Request, Response } from 'express';
import { stringifyExact } from '../../../common/json.ts';
import { withAt } from '../../../common/property-path.ts';
import type {
  Api,
  Content,
  Operation,
  Resource,
  ResponseDescription,
} from '../../../openapi/index.ts';
import { findResource } from '../../../openapi/model/api.ts';
import { isJsonContent, toSentType, withoutContent } from '../../../openapi/model/content.ts';
import { isolationOf } from '../../answers/answer.ts';
import type { ErrorCode } from '../../answers/errors.ts';
import { createShowNoMore } from '../../behaviours/list-answer.ts';
import { chooseAccepted } from '../../documented/accepted.ts';
import { headersOf } from '../../documented/response-headers.ts';
import {
  documentedStatuses,
  findExample,
  findResponse,
  findSuccess,
  statusOf,
} from '../../documented/responses.ts';
import { hashOf } from '../../faults/random.ts';
import type { Security } from '../../http/authenticate.ts';
import { localsOf } from '../../http/locals.ts';
import { createWriteXml } from '../../http/xml/write-xml.ts';
import { toItemId } from '../../items/stored-item.ts';
import { noBytes, parseExact, toByteText } from '../../json/exact-json.ts';
import { makerOf } from '../../json/make-fitting.ts';
import { quote } from '../../json/quote.ts';
import { fits } from '../../json/validator.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { Preferences, Problem } from './preferences.ts';
import { createAnswerWithStatus, type StatusAnswer, toWholeRange } from './status-answers.ts';

/** A forced answer, and the preferences that it honours. */
export type ForcedAnswer = StatusAnswer & { honoured: readonly (keyof Preferences)[] };

/**
 * Returns the response that preferences ask for; undefined if they leave the response to the
 * operation.
 */
export type ForceAnswer = (
  preferences: Preferences,
  call: { request: Request; response: Response },
) => ForcedAnswer | Problem | undefined;

/** The codes of the twin's 429. */
const limitCodes: readonly unknown[] = ['rate_limit_exceeded', 'key_banned'] satisfies ErrorCode[];

/**
 * Creates the forced responses of an operation. Errors are as the twin gives them; successes come
 * from the document's examples, or from its schema. Examples are first looked for in the success.
 */
export function createForceAnswer(
  operation: Operation,
  document: Api,
  security: Security,
): ForceAnswer {
  const answerWithStatus = createAnswerWithStatus(operation, document, security);
  const makeContent = createMakeContent(operation, document);
  const writeXml = createWriteXml(document);
  const write = (value: unknown, content: Content | undefined): string => {
    if (!content || isJsonContent(content)) return stringifyExact(value);
    if (typeof value === 'string') return value;
    return content.isXml ? writeXml(content.schema ?? {}, value) : stringifyExact(value);
  };
  /** Names no further page, as each would be the same. */
  const withoutMore = ({ schema }: ResponseDescription, content: unknown): unknown => {
    if (!schema || operation.method !== 'GET') return content;
    const shown = createShowNoMore(document, schema)(content);
    return fits(document, schema, shown) ? shown : content;
  };
  const find = ({ code, example }: Preferences) => {
    if (code !== undefined) return findResponse(operation, code);
    return example === undefined ? findSuccess(operation) : findExample(operation, example);
  };

  const make: ForceAnswer = (preferences, call) => {
    const { code, example } = preferences;
    const isDynamic = asksForDynamic(preferences);
    const namesAnswer = code !== undefined || example !== undefined;
    if (!namesAnswer && !isDynamic) return undefined;
    const accepted = toAccepted(find(preferences), call.request, example);
    const { response: found, content, mediaType } = accepted;
    if (example !== undefined && !Object.hasOwn(found?.examples ?? {}, example))
      return toExampleProblem(operation, example, code);
    if (!namesAnswer && !found?.schema) return undefined;

    const status = code ?? statusOf(found as ResponseDescription, operation);
    const value = example === undefined ? undefined : found?.examples[example];
    const forced = answerWithStatus(status, { ...call, banned: codeOf(value) === 'key_banned' });
    const asked: (keyof Preferences)[] = code === undefined ? [] : ['code'];
    const fill = (value: unknown, ...honoured: (keyof Preferences)[]): ForcedAnswer => {
      const json = value === undefined ? noBytes : toByteText(write(value, content));
      const { error: _, ...answer } = forced.answer;
      const described = found && headersOf(document, operation, found, example);
      const headers = { ...described, ...answer.headers };
      const overrides = mediaType && {
        overrides: { ...isolationOf(mediaType), 'Content-Type': mediaType },
      };
      return {
        ...forced,
        answer: { ...answer, headers, json, ...overrides },
        honoured: [...asked, ...honoured],
      };
    };
    // The message of a 429 says how long to wait, as its headers do, so only the code is taken from
    // the example.
    if (status === 429 && limitCodes.includes(codeOf(value)))
      return { ...forced, honoured: [...asked, 'example'] };
    if (example !== undefined) return fill(value, 'example');
    const hasContent = status < 400 && !withoutContent.includes(status);
    if (!found || !hasContent) return { ...forced, honoured: asked };
    const seed = seedFor(preferences, localsOf(call.response).sandbox);
    const made = makeContent(found, { seed, dynamic: isDynamic });
    return fill(withoutMore(found, made), ...honouredBy(preferences, found));
  };
  return (preferences, call) => {
    const forced = make(preferences, call);
    return forced && 'answer' in forced && forced.answer.status === 206
      ? { ...forced, answer: toWholeRange(forced.answer) }
      : forced;
  };
}

type AcceptedResponse = {
  response: ResponseDescription | undefined;
  content?: Content;
  mediaType?: string;
};

/**
 * Reduces a response to the accepted content: JSON, XML, or what has an example as a text, and an
 * example of the given name, if some has one.
 */
function toAccepted(
  response: ResponseDescription | undefined,
  request: Request,
  example: string | undefined,
): AcceptedResponse {
  const isText = (one: unknown) => typeof one === 'string';
  const all = (response?.contents ?? []).filter(
    (one) => isJsonContent(one) || one.isXml || Object.values(one.examples).some(isText),
  );
  const named = all.filter(({ examples }) => Object.hasOwn(examples, example ?? ''));
  const rankOf = (one: Content) =>
    Number(isJsonContent(one)) + Number(one.mediaType === 'application/json');
  const offered = (named.length > 0 ? named : all).toSorted(
    (left, right) => rankOf(right) - rankOf(left),
  );
  const [content] = [chooseAccepted(request, offered)?.content ?? offered[0]];
  const isAlone = all.length < 2 && content && isJsonContent(content);
  if (!response || !content || isAlone) return { response };
  const { examples, schema = {} } = content;
  return { response: { ...response, examples, schema }, content, mediaType: toSentType(content) };
}

/**
 * Whether the content is to be generated; a seed asks for that too, because it has no other use.
 */
function asksForDynamic({ example, dynamic, seed }: Preferences): boolean {
  return example === undefined && (dynamic ?? seed !== undefined);
}

/** The seed of the preference, or else a new one each time content is generated. */
function seedFor(preferences: Preferences, { settings, random }: Sandbox): number {
  if (!asksForDynamic(preferences)) return settings.seed;
  const { seed } = preferences;
  return seed === undefined ? Math.floor(random() * 2 ** 32) : hashOf(seed);
}

/** Which of the preferences the content of a response honours. */
function honouredBy(
  preferences: Preferences,
  { examples, schema }: ResponseDescription,
): (keyof Preferences)[] {
  const { dynamic, seed } = preferences;
  if (!asksForDynamic(preferences))
    return dynamic === false && Object.keys(examples).length > 0 ? ['dynamic'] : [];
  if (!schema) return [];
  return [
    ...(dynamic ? (['dynamic'] as const) : []),
    ...(seed === undefined ? [] : ['seed' as const]),
  ];
}

function codeOf(example: unknown): unknown {
  return typeof example === 'object' && example !== null && 'code' in example
    ? example.code
    : undefined;
}

function toExampleProblem(
  operation: Operation,
  example: string,
  code: number | undefined,
): Problem {
  const known = operation.responses
    .filter(({ status }) => code === undefined || findResponse(operation, code)?.status === status)
    .flatMap(({ status, examples }) => Object.keys(examples).map((name) => `${name} (${status})`));
  const where = `${operation.id}${code === undefined ? '' : ` with ${code}`}`;
  const has = known.length > 0 ? known.join(', ') : 'no examples';
  const problem = `Preference "example" is ${quote(example)}, but ${where} has ${has}.`;
  return { problem: `${problem} ${documentedStatuses(operation)}` };
}

/**
 * Returns the JSON content of an operation's response: its first example, else a value of its
 * schema. Examples and defaults of the schema come first; `dynamic` makes up all values. The
 * content is the same for the same seed (0 to 2^32 - 1); undefined if no JSON is described.
 */
type MakeContent = (
  response: ResponseDescription,
  options: { seed: number; dynamic?: boolean },
) => unknown;

/** Items of a list get ids of their own, as made ones would meet. */
function createMakeContent(operation: Operation, document: Api): MakeContent {
  const resource = findResource(document, operation);
  return ({ examples, schema }, { seed, dynamic = false }) => {
    const [example] = Object.values(examples);
    if (!dynamic && example !== undefined) return example;
    if (!schema) return undefined;
    const made = makerOf(document)(schema, { seed, own: !dynamic });
    const value = made && (parseExact(made.text) as unknown);
    return resource && Array.isArray(value)
      ? value.map((item, index) => withId(item, index + 1, resource))
      : value;
  };
}

function withId(item: object, n: number, { idProperty, idSchema }: Resource): object {
  return withAt(item as Readonly<Record<string, unknown>>, idProperty, toItemId(n, idSchema));
}
