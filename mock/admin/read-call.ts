import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import type { Answer } from '../answers/answer.ts';
import { createParseQuery } from '../http/parse-query.ts';
import { createReadBody } from '../http/read-body.ts';
import { compileOnce } from '../json/compile-once.ts';
import { integerFormats } from '../json/formats.ts';
import { oncePer } from '../json/once-per.ts';
import { createSchemaCompiler } from '../json/validator.ts';

/** What a call gives besides its path. */
export type ReadCall = {
  query: Readonly<Record<string, string>>;
  /** The parsed body; large integers are bigints. */
  body: unknown;
  /** The body for a validator that knows doubles only, see ExactJson. */
  doubles: unknown;
  /** How many bytes the body has; 0 where there is none. */
  bodyBytes: number;
};

/** The most bytes of a body, and its media types, where they are not the default. */
export type BodyOptions = { limit?: number; mediaTypes?: readonly string[] };

/**
 * Reads query and body of a call, or gives the answer to one that does not fit; `bytes` are those of
 * the body, and `text` what they say if they are UTF-8.
 */
export type ReadAdminCall = (
  request: IncomingMessage & { url: string },
  response: ServerResponse,
  beforeParse?: () => Promise<void>,
) => Promise<
  { bytes?: Buffer | undefined; text?: string | undefined } & (
    | { read: ReadCall; refusal?: never }
    | { read?: never; refusal: Answer }
  )
>;

/** Handlers parse times themselves, and accept more than the format `date-time` does. */
const compilerOf = oncePer((document: ApiDocument) =>
  compileOnce(createSchemaCompiler(document, { formats: integerFormats })),
);

/** Makes the reader of the calls of an operation of the admin. */
export function createReadCall(
  operation: Operation,
  document: ApiDocument,
  options: BodyOptions,
): ReadAdminCall {
  const compileSchema = compilerOf(document);
  // What an object stands for are parameters of any names, which its handler reads itself.
  const parameters = operation.parameters.filter(({ schema }) => schema.type !== 'object');
  const parseQuery = createParseQuery(document, { parameters }, compileSchema, {
    refusesOthers: parameters.length === operation.parameters.length,
  });
  const validate = operation.body ? compileSchema(operation.body.schema) : () => undefined;
  const readBody = createReadBody({ ...operation.body, ...options }, validate);
  return async (request, response, beforeParse) => {
    const { values: query, refusal } = parseQuery(request.url);
    if (refusal) return { refusal };
    if (operation.method === 'GET')
      return { read: { query, body: undefined, doubles: undefined, bodyBytes: 0 } };
    const {
      body,
      doubles,
      bytes,
      text,
      refusal: problem,
    } = await readBody(request, response, beforeParse);
    return problem
      ? { refusal: problem, bytes, text }
      : { read: { query, body, doubles, bodyBytes: bytes?.length ?? 0 }, bytes, text };
  };
}
