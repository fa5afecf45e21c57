import type { ApiDocument, Operation, Parameter } from '../description/document.ts';

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
  missing?: string;
  /** The document of this scenario alone, as JSON. */
  text: string;
};

type Choice = { label: string; optional?: Parameter; optionalValue?: unknown; body?: unknown };

/**
 * Splits the document into one document a scenario, since Dredd reads one example of a body and no
 * `examples` of a parameter. The first scenario of an operation holds all its responses, any other
 * the successful ones. A scenario's `summary` is its place in the list, so that a transaction's
 * action name tells where it comes from.
 */
export function toScenarios(document: ApiDocument): Scenario[] {
  return document.operations
    .flatMap((operation) =>
      choicesOf(operation).map((choice, index) => ({ operation, choice, first: index === 0 })),
    )
    .map(({ operation, choice, first }, place) => {
      const missing = missingExample(operation);
      const text = JSON.stringify(
        toDreddDocument(document, { operation, choice, first, place }),
        asDouble,
      );
      return { operation, label: choice.label, ...(missing && { missing }), text };
    });
}

function choicesOf({ parameters, body }: Operation): Choice[] {
  const bodies = Object.entries(body?.examples ?? {});
  const queries = parameters.filter((parameter) => !parameter.required && parameter.in === 'query');
  return [
    { label: '', body: bodies[0]?.[1] },
    ...bodies.slice(1).map(([label, value]) => ({ label, body: value })),
    ...queries.flatMap((optional) =>
      Object.values(optional.examples).map((value) => ({
        label: `${optional.name}=${value}`,
        optional,
        optionalValue: value,
        body: bodies[0]?.[1],
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

function toDreddDocument(
  { raw }: ApiDocument,
  {
    operation,
    choice,
    first,
    place,
  }: { operation: Operation; choice: Choice; first: boolean; place: number },
): object {
  const responses = operation.responses.filter(({ status }) => first || status.startsWith('2'));
  const required = operation.parameters.filter((parameter) => parameter.required);
  const parameters = [
    ...required.map((parameter) =>
      toParameter(parameter, Object.values(parameter.examples)[0] ?? 'none'),
    ),
    ...(choice.optional ? [toParameter(choice.optional, choice.optionalValue)] : []),
  ];
  return {
    openapi: raw.openapi,
    info: { title: 'Replay', version: '1' },
    paths: {
      [operation.path]: {
        [operation.method.toLowerCase()]: {
          summary: String(place),
          parameters,
          ...(choice.body !== undefined && {
            requestBody: { content: { 'application/json': { example: choice.body } } },
          }),
          responses: Object.fromEntries(
            responses.map(({ status, description, headers, schema, examples }) => [
              status,
              {
                description,
                headers: Object.fromEntries(Object.keys(headers).map((name) => [name, {}])),
                ...(schema && {
                  content: { 'application/json': { example: Object.values(examples)[0] ?? null } },
                }),
              },
            ]),
          ),
        },
      },
    },
  };
}

function toParameter({ name, in: at }: Parameter, example: unknown): object {
  return { name, in: at, required: true, example };
}

function isEmpty(examples: Record<string, unknown>): boolean {
  return Object.keys(examples).length === 0;
}

/** Dredd holds every number as a double. */
function asDouble(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
