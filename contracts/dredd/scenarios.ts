import type { ApiDocument, Operation } from '../description/document.ts';

/**
 * One call of an operation with one set of examples, as Dredd replays it against each documented
 * response.
 */
export type Scenario = {
  operation: Operation;
  /**
   * What sets this scenario apart from the operation's first, e.g. `limit=3`; empty for the first.
   */
  label: string;
  /** The part of the request that must have an example and has none, if there is one. */
  missing: string | undefined;
  /** The document of this scenario alone, as JSON. */
  text: string;
};

/** The examples of a scenario: a body, and a query parameter that may be left out. */
type Choice = { label: string; body: unknown; parameter?: { name: string; example: unknown } };

/**
 * Splits the document into one document a scenario, since Dredd reads one example of a body and no
 * `examples` of a parameter. The first scenario of an operation holds all its responses, any other
 * the successful ones. A scenario's `summary` is its place in the list, so that a transaction's
 * action name tells where it comes from.
 */
export function toScenarios({ operations, raw: { openapi } }: ApiDocument): Scenario[] {
  const chosen = operations.flatMap((operation) =>
    choicesOf(operation).map((choice) => ({ operation, choice })),
  );
  return chosen.map(({ operation, choice }, place) => {
    const { path, method } = operation;
    const described = { summary: String(place), ...describe(operation, choice) };
    const info = { title: 'Replay', version: '1' };
    const paths = { [path]: { [method.toLowerCase()]: described } };
    return {
      operation,
      label: choice.label,
      missing: missingExample(operation),
      text: JSON.stringify({ openapi, info, paths }, asDouble),
    };
  });
}

function choicesOf({ parameters, body }: Operation): Choice[] {
  const [[, first] = [], ...others] = Object.entries(body?.examples ?? {});
  const queries = parameters.filter((one) => !one.required && one.in === 'query');
  return [
    { label: '', body: first },
    ...others.map(([label, example]) => ({ label, body: example })),
    ...queries.flatMap(({ name, examples }) =>
      Object.values(examples).map((example) => ({
        label: `${name}=${example}`,
        body: first,
        parameter: { name, example },
      })),
    ),
  ];
}

/** A path parameter needs no example: the run finds an id that exists. */
function missingExample({ parameters, body }: Operation): string | undefined {
  const bare = parameters.find(
    ({ required, in: at, examples }) => required && at !== 'path' && isEmpty(examples),
  );
  if (bare) return `${bare.in} parameter "${bare.name}"`;
  return body?.required && isEmpty(body.examples) ? 'body' : undefined;
}

/** What a document says of an operation with these examples. */
function describe(operation: Operation, { label, body, parameter }: Choice): object {
  const responses = operation.responses.filter(
    ({ status }) => label === '' || status.startsWith('2'),
  );
  const required = operation.parameters.filter((one) => one.required);
  const sent = [
    ...required.map(({ name, in: at, examples }) => ({
      ...{ name, in: at },
      example: Object.values(examples)[0] ?? 'none',
    })),
    ...(parameter ? [{ ...parameter, in: 'query' }] : []),
  ];
  const ofResponse = ({ description, headers, schema, examples }: (typeof responses)[number]) => ({
    description,
    headers: Object.fromEntries(Object.keys(headers).map((name) => [name, {}])),
    ...(schema && toJsonContent(Object.values(examples)[0] ?? null)),
  });
  return {
    parameters: sent.map((one) => ({ ...one, required: true })),
    ...(body !== undefined && { requestBody: toJsonContent(body) }),
    responses: Object.fromEntries(responses.map((one) => [one.status, ofResponse(one)])),
  };
}

function toJsonContent(example: unknown): object {
  return { content: { 'application/json': { example } } };
}

function isEmpty(examples: Record<string, unknown>): boolean {
  return Object.keys(examples).length === 0;
}

/** Dredd holds every number as a double. */
function asDouble(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
