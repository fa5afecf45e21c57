import { stringifyExact } from '../../../common/json.ts';
import type { Api, Operation, ResponseDescription } from '../../../openapi/index.ts';
import { heldSchemaOf, toSentType } from '../../../openapi/model/content.ts';
import {
  type Answer,
  bodyOf,
  isolated,
  sentStatus,
  type TextAnswer,
} from '../../answers/answer.ts';
import {
  documentedStatuses,
  findExample,
  findResponse,
  findSuccess,
  statusOf,
} from '../../documented/responses.ts';
import { noBytes, parseExact, toByteText } from '../../json/exact-json.ts';
import { quote } from '../../json/quote.ts';
import { type CompileSchema, toSentences } from '../../json/validator.ts';
import { UseError } from './context.ts';
import type { Reply, ToReply } from './define.ts';
import { whereIs } from './where.ts';

type SomeAnswer = Answer | TextAnswer;

/** An answer that a behaviour makes; it notes where that was. */
export class OwnReply extends Error implements Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it is an Error, in the form of the document. */
  readonly code: string | undefined;

  constructor(
    status: number,
    { body, headers = {}, code }: { body?: unknown; headers?: Reply['headers']; code?: string },
  ) {
    super(`A reply of ${status}.`);
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.code = code;
  }
}

/** The error that `next` throws if the twin itself refuses a call; its response is the call's. */
export class Refusal extends Error {
  readonly answer: SomeAnswer;
  readonly status: number;
  readonly body: unknown;

  constructor(answer: SomeAnswer) {
    const status = sentStatus(answer);
    super(`The mock answers ${status}.`);
    this.answer = answer;
    this.status = status;
    this.body = bodyOf(answer);
  }
}

/** Creates the replies of an operation. */
export function createToReply(operation: Operation): ToReply {
  const reply = (status: number, body?: unknown, headers?: Reply['headers']) => {
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw new UseError(`reply() needs a status from 200 to 599, but got ${status}.`);
    for (const [name, value] of Object.entries(headers ?? {}))
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(String(value)))
        throw new UseError(`reply() has the header ${quote(name)}, which no response can have so.`);
    return new OwnReply(status, { body, ...(headers && { headers }) });
  };
  return Object.assign(reply, {
    error(status: number, code: string, message: string) {
      if (!Number.isInteger(status) || status < 400 || status > 599)
        throw new UseError(`reply.error() needs a status from 400 to 599, but got ${status}.`);
      return new OwnReply(status, { code, body: message });
    },
    example(name: string) {
      const response = findExample(operation, name);
      if (response) return reply(statusOf(response, operation), response.examples[name]);
      const names = operation.responses.flatMap(({ examples }) => Object.keys(examples));
      throw new UseError(
        `${operation.id} has no example ${quote(name)}. The document has ${names.join(', ') || 'none'}.`,
      );
    },
  }) as ToReply;
}

/** Converts a behaviour's result to an answer; `last` is the answer of its last `next`. */
export type ToAnswer = (given: unknown, last: SomeAnswer | undefined) => SomeAnswer;

/**
 * Creates a function that checks the results of behaviours against the document. Throws {@link
 * UseError}.
 */
export function createToAnswer(
  operation: Operation,
  { document, compileSchema }: { document: Api; compileSchema: CompileSchema },
): ToAnswer {
  const success = findSuccess(operation);
  const toBody = (status: number, body: unknown): SomeAnswer => {
    const response = findResponse(operation, status);
    if (!response) throw new UseError(`It answers ${status}. ${documentedStatuses(operation)}`);
    return body === undefined
      ? toEmpty(response, { operation, status })
      : toContent(response, { document, compileSchema, status, body });
  };
  const toReplied = ({ status, body, headers, code }: OwnReply): SomeAnswer =>
    code === undefined
      ? { ...toBody(status, body), headers }
      : { ...toError(status, code, String(body)), headers };
  return (given, last) => {
    if (given instanceof OwnReply) {
      try {
        return toReplied(given);
      } catch (error) {
        throw new UseError((error as Error).message, whereIs(given));
      }
    }
    if (last && isSame(given, last)) return last;
    const status = last ? sentStatus(last) : success ? statusOf(success, operation) : 200;
    const headers = last?.headers;
    return { ...toBody(status, given), ...(headers && { headers }) };
  };
}

function isSame(given: unknown, last: SomeAnswer): boolean {
  if (given === undefined) return 'json' in last && last.json === noBytes;
  if ('text' in last) return given === last.text;
  return toByteText(stringifyExact(given) ?? '') === last.json;
}

/** The Error, whose code is the user's own. */
function toError(status: number, code: string, message: string): Answer {
  const error = { code, message, status } as NonNullable<Answer['error']>;
  return { status, json: toByteText(JSON.stringify(error)), error };
}

function toEmpty(
  { contents }: ResponseDescription,
  { operation, status }: { operation: Operation; status: number },
): Answer {
  if (contents.length === 0 || operation.method === 'HEAD') return { status, json: noBytes };
  throw new UseError(
    `It gives no body, but the document describes one for ${status}. Return one, such as what next() gives.`,
  );
}

type ContentOptions = {
  document: Api;
  compileSchema: CompileSchema;
  status: number;
  body: unknown;
};

function toContent(
  { contents, schema }: ResponseDescription,
  { document, compileSchema, status, body }: ContentOptions,
): SomeAnswer {
  const text = contents.find(({ mediaType }) => mediaType.startsWith('text/'));
  if (contents.length === 0)
    throw new UseError(`It gives a body, but the document describes none for ${status}.`);
  const json = document.schemas.jsonContentOf(contents);
  if (!json && typeof body === 'string') {
    const mediaType = text ? toSentType(text) : (contents[0]?.mediaType ?? 'text/plain');
    return isolated({ status, text: body, mediaType });
  }
  const written = stringifyExact(body);
  if (written === undefined) throw new UseError('It gives what JSON cannot have.');
  const held = heldSchemaOf({ contents, ...(schema && { schema }) });
  const problems = held && compileSchema(held, 'writeOnly')(parseExact(written));
  if (problems) throw new UseError(`The document forbids its answer: ${toSentences(problems)}`);
  return { status, json: toByteText(written) };
}
