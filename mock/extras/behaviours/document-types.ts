// biome-ignore lint/suspicious/noExplicitAny: without the types of a document, values are of any.
type Any = any;

/** The types of a document that nothing is said of. */
export type UntypedDocument = {
  operations: { [name: string]: UntypedOperation };
  items: { [collection: string]: Any };
};

export type UntypedOperation = {
  params: Record<string, Any>;
  query: Record<string, Any>;
  headers: Record<string, string | undefined>;
  body: Any;
  success: Any;
  answers: { [status: number]: Any };
};

/**
 * The types of a document, from what openapi-typescript writes of it: its `paths`, and for
 * `operationId`s its `operations`.
 */
export type TypesOf<Paths, Operations> = unknown extends Paths
  ? UntypedDocument
  : {
      operations: OfOperations<NamedMembers<Operations>> &
        OfOperations<OperationsByCall<NamedMembers<Paths>>>;
      items: UntypedDocument['items'];
    };

/** A type with names of its own: without any, openapi-typescript writes `Record<string, never>`. */
type NamedMembers<T> = string extends keyof T ? object : T;

/** The operations of paths, each as `METHOD /path`. */
type OperationsByCall<Paths> = {
  [Call in CallsOf<Paths>]: Call extends `${infer Method} ${infer Path extends keyof Paths & string}`
    ? NonNullable<Paths[Path][Lowercase<Method> & keyof Paths[Path]]>
    : never;
};

type CallsOf<Paths> = {
  [Path in keyof Paths & string]: `${Uppercase<MethodsOf<Paths[Path]>>} ${Path}`;
}[keyof Paths & string];

type MethodsOf<Item> = {
  [Method in keyof Item]: Item[Method] extends { responses: object } ? Method : never;
}[keyof Item] &
  string;

type OfOperations<Operations> = {
  [Id in keyof Operations]: {
    params: ParametersOf<Operations[Id], 'path'>;
    query: ParametersOf<Operations[Id], 'query'>;
    headers: Record<string, string | undefined>;
    body: BodyOf<Operations[Id]>;
    success: SuccessOf<ResponsesOf<Operations[Id]>>;
    answers: AnswersOf<ResponsesOf<Operations[Id]>>;
  };
};

type ParametersOf<Operation, Place extends string> = Operation extends {
  parameters: { [In in Place]?: infer Parameters extends object };
}
  ? Parameters
  : object;

type BodyOf<Operation> = Operation extends { requestBody: infer Body }
  ? ContentOf<Body>
  : Operation extends { requestBody?: infer Body }
    ? ContentOf<Body> | undefined
    : undefined;

type ResponsesOf<Operation> = Operation extends { responses: infer Responses } ? Responses : object;

/** The values that content may have, whatever its media type. */
type ContentOf<T> = T extends { content: infer Content extends object }
  ? Content[keyof Content]
  : undefined;

/** The contents of all 2xx responses, or of all other responses without any. */
type SuccessOf<Responses> = [SuccessesOf<Responses>] extends [never]
  ? ContentOf<Responses[keyof Responses]>
  : ContentOf<Responses[SuccessesOf<Responses>]>;

type SuccessesOf<Responses> = {
  [Status in keyof Responses]: `${Status & (string | number)}` extends `2${string}`
    ? Status
    : never;
}[keyof Responses];

/** `default` allows every status, and `4XX` each that begins with its digit. */
type AnswersOf<Responses> = {
  [Status in keyof Responses as Status extends number
    ? Status
    : Status extends `${infer First}XX`
      ? StatusesOf<First>
      : number]: ContentOf<Responses[Status]>;
};

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

type StatusesOf<First extends string> =
  `${First}${Digit}${Digit}` extends `${infer Status extends number}` ? Status : never;
