import type { Api, Operation } from '../../openapi/index.ts';

/** An operation with its first examples, as Dredd replays it against each documented response. */
export type Scenario = {
  operation: Operation;
  /** The part of the request that must have an example and has none, if there is one. */
  missing: string | undefined;
  /** The document of this operation alone, as JSON. */
  text: string;
};

/**
 * Splits the document into one document an operation, since Dredd reads no `examples` of a parameter.
 * Its `summary` is its place in the list, so that a transaction's action name tells where it comes
 * from.
 */
export function toScenarios({ operations, asOpenApi }: Api): Scenario[] {
  const { openapi } = asOpenApi();
  return operations.map((operation, place) => {
    const { path, method } = operation;
    const described = { summary: String(place), ...describe(operation) };
    const info = { title: 'Replay', version: '1' };
    const paths = { [path]: { [method.toLowerCase()]: described } };
    const text = JSON.stringify({ openapi, info, paths }, asDouble);
    return { operation, missing: missingExample(operation), text };
  });
}

/** A path parameter needs no example: the run finds an id that exists. */
function missingExample({ parameters, body }: Operation): string | undefined {
  const bare = parameters.find(
    ({ required, in: at, examples }) => required && at !== 'path' && first(examples) === undefined,
  );
  if (bare) return `${bare.in} parameter "${bare.name}"`;
  return body?.required && first(body.examples) === undefined ? 'body' : undefined;
}

function describe({ parameters, body, responses }: Operation): object {
  const example = first(body?.examples ?? {});
  return {
    parameters: parameters
      .filter(({ required }) => required)
      .map(({ name, in: at, examples }) => ({
        ...{ name, in: at, required: true },
        example: first(examples) ?? 'none',
      })),
    ...(example !== undefined && { requestBody: toJsonContent(example) }),
    responses: Object.fromEntries(
      responses.map(({ status, description, headers, schema, examples }) => [
        status,
        {
          description,
          headers: Object.fromEntries(Object.keys(headers).map((name) => [name, {}])),
          ...(schema && toJsonContent(first(examples) ?? null)),
        },
      ]),
    ),
  };
}

function first(examples: Record<string, unknown>): unknown {
  return Object.values(examples)[0];
}

function toJsonContent(example: unknown): object {
  return { content: { 'application/json': { example } } };
}

/** Dredd holds every number as a double. */
function asDouble(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
