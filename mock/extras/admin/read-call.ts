import type { IncomingMessage, ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { oncePer } from '../../../common/once-per.ts';
import type { Api, Operation } from '../../../openapi/index.ts';
import type { Answer } from '../../answers/answer.ts';
import { createReadParameters } from '../../http/parameters/read-parameters.ts';
import { createReadBody } from '../../http/read-body.ts';
import { integerFormats } from '../../json/formats.ts';
import { createSchemaCompiler } from '../../json/validator.ts';

/** The input of a call besides its path. */
export type ReadCall = {
  query: Readonly<Record<string, string>>;
  /** The parsed body; large integers are bigints. */
  body: unknown;
  /** The size of the body in bytes; 0 without a body. */
  bodyBytes: number;
};

/** The most bytes of a body, and its media types, where they are not the default. */
type BodyOptions = { limit?: number; mediaTypes?: readonly string[] };

type OperationTraits = {
  body: BodyOptions;
  /** Whether its calls are in the journal of their sandbox. */
  isRecorded: boolean;
  /** The use of the sandbox's state: none, reading it or changing items only, or changing more. */
  state: 'unused' | 'read' | 'changed';
};

const mebibyte = 1024 * 1024;

/**
 * The maximum size of an imported snapshot: 64 MiB, or a 32nd of the heap in whole MiB if less.
 * Parsed JSON takes up to 25 times its length.
 */
const maxSnapshotBytes =
  Math.min(64, Math.floor(getHeapStatistics().heap_size_limit / 32 / mebibyte)) * mebibyte;

const unused = { state: 'unused' } as const;
const recorded = { isRecorded: true } as const;
const ofItems = { isRecorded: true, state: 'read' } as const;

/** Special traits of some operations, by their ids. */
const special: Readonly<Record<string, Partial<OperationTraits>>> = {
  // These work whatever is wrong with the store.
  ...{ getVersion: unused, shutdown: unused, listOperations: unused, getDescription: unused },
  // These are about other sandboxes than that of the call.
  ...{ listSandboxes: unused, getSandbox: unused, putSandbox: unused },
  ...{ deleteSandbox: unused, deleteSandboxes: unused },
  getAuthority: unused,
  // Its tools call the admin again.
  callMcp: unused,
  // These change it themselves, step by step.
  ...{ setClock: unused, runTask: unused, resendWebhook: unused },
  // With a pattern as their body, they change nothing.
  findRequests: { state: 'read' },
  countRequests: { state: 'read' },
  // It only waits.
  nextWebhook: { state: 'read' },
  // Changes of items are in the journal, like the requests that made items.
  ...{ createItem: ofItems, deleteItems: ofItems, putItem: ofItems, deleteItem: ofItems },
  patchItem: {
    ...ofItems,
    body: { mediaTypes: ['application/merge-patch+json', 'application/json'] },
  },
  ...{ setProject: recorded, addDomain: recorded, removeDomain: recorded, verifyDomain: recorded },
  ...{ addRedirect: recorded, removeRedirect: recorded, setDns: recorded },
  putSnapshot: { body: { limit: maxSnapshotBytes } },
};

/** Returns the traits of an operation; by default a GET reads, and other methods change. */
export function traitsOf({ id, method }: Operation): OperationTraits {
  const state = method === 'GET' ? 'read' : 'changed';
  return { body: {}, isRecorded: false, state, ...special[id] };
}

/**
 * Reads the query and body of a call, or returns the answer to an invalid one. `bytes` is the body,
 * and `text` its text if it is UTF-8.
 */
type ReadAdminCall = (
  request: IncomingMessage & { url: string },
  response: ServerResponse,
) => Promise<
  { bytes?: Buffer | undefined; text?: string | undefined } & (
    | { read: ReadCall; refusal?: never }
    | { read?: never; refusal: Answer }
  )
>;

/** Handlers parse times themselves, and accept more than the format `date-time` does. */
const compilerOf = oncePer((document: Api) =>
  createSchemaCompiler(document, { formats: integerFormats }),
);

/** Creates the reader of an admin operation's calls. */
export function createReadCall(
  operation: Operation,
  document: Api,
  options: BodyOptions,
): ReadAdminCall {
  const compileSchema = compilerOf(document);
  // What an object stands for are parameters of any names, which its handler reads itself.
  const asked = operation.parameters.filter((parameter) => parameter.in === 'query');
  const parameters = asked.filter(({ schema }) => schema.type !== 'object');
  const readParameters = createReadParameters(document, { parameters }, compileSchema, {
    refusesOthers: parameters.length === asked.length,
  });
  const validate = operation.body ? compileSchema(operation.body.schema) : () => undefined;
  const readBody = createReadBody({ ...operation.body, ...options }, validate);
  return async (request, response) => {
    const { texts: query, refusal } = readParameters(request);
    if (refusal) return { refusal };
    if (operation.method === 'GET') return { read: { query, body: undefined, bodyBytes: 0 } };
    const { body, bytes, text, refusal: problem } = await readBody(request, response);
    return problem
      ? { refusal: problem, bytes, text }
      : { read: { query, body, bodyBytes: bytes?.length ?? 0 }, bytes, text };
  };
}
