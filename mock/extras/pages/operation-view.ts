import { stringifyExact } from '../../../common/json.ts';
import type { Api, KeyPlace, Operation, Parameter, Schema } from '../../../openapi/index.ts';
import { keyPlacesOf } from '../../../openapi/model/key-places.ts';
import type { CurlTrust } from '../../curl/curl-trust.ts';
import type { WriteXml } from '../../documented/example-bodies.ts';
import { createToExampleCall, type ExampleCall } from '../../documented/example-calls.ts';
import type { ApiKey, Plan } from '../../limits/plans.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';

/** The data that a page needs to call an operation, and to show how it is called. */
export type OperationView = Pick<Operation, 'id' | 'method' | 'path'> & {
  /** The places of the key in a call; none for an operation that needs no key. */
  keyPlaces: KeyPlace[];
  basePath: string;
  parameters: ParameterView[];
  /** Undefined where it takes none. */
  body?: { required: boolean; examples: NamedText[] };
  /** A call that succeeds; null where no body can be made that the document allows. */
  call: ExampleCall | null;
  keys: KeyView[];
  /** The curl options that trust the twin's certificate. */
  trust: string[];
};

/** A parameter; values are texts, as they are typed. */
export type ParameterView = Pick<Parameter, 'name' | 'in' | 'required'> & {
  type: string;
  /** Whether it takes a list of values. */
  isList: boolean;
  /** The values that it may have, where the document lists them. */
  options: string[];
  default?: string;
  examples: string[];
};

/** An example by its name. */
export type NamedText = { name: string; text: string };

/** A key of the twin. Only the built-in keys, which are no secrets, are shown themselves. */
export type KeyView = Pick<ApiKey, 'name'> & { plan: Plan; key?: string };

export type OperationViewOptions = {
  served: {
    document: Api;
    keys: readonly ApiKey[];
    writeXml: WriteXml;
    /** The source of the limits: plans, the document, or none. */
    limits: 'plans' | 'documented' | 'none';
  };
  /** Whether the keys are the built-in ones, which are no secrets. */
  demoKeys: boolean;
  /** Whether the server listens on loopback alone. */
  loopback: boolean;
  curlTrust: CurlTrust;
};

/**
 * Creates the view of an operation in a sandbox; `base` is the origin and path of the API there.
 */
export async function toOperationView(
  operation: Operation,
  { base, sandbox, ...options }: OperationViewOptions & { base: string; sandbox: Sandbox },
): Promise<OperationView> {
  const { document, writeXml } = options.served;
  const { id, method, path, parameters, body } = operation;
  const toExampleCall = createToExampleCall(document, { store: sandbox.store, writeXml });
  return {
    id,
    method,
    path,
    keyPlaces: keyPlacesOf(operation),
    basePath: document.basePath,
    parameters: parameters.map((parameter) => toParameterView(document, parameter)),
    ...(body && { body: { required: body.required, examples: toNamedTexts(body.examples) } }),
    call: (await toExampleCall(operation)) ?? null,
    keys: toKeyViews(sandbox, options),
    trust: options.curlTrust(base),
  };
}

/**
 * The keys with the plans that they are on in a sandbox. Pages are open to everybody, so beyond
 * loopback they name none of a file.
 */
export function toKeyViews(
  { limiter }: Sandbox,
  { served, demoKeys, loopback }: Pick<OperationViewOptions, 'served' | 'demoKeys' | 'loopback'>,
): KeyView[] {
  if (!demoKeys && !loopback) return [];
  return served.keys.map((key) => ({
    name: key.name,
    plan: limiter.planOf(key),
    ...(demoKeys && { key: key.key }),
  }));
}

function toParameterView(document: Api, parameter: Parameter): ParameterView {
  const { name, in: place, required, examples } = parameter;
  const schema = document.schemas.resolve(parameter.schema);
  const isList = typesOf(schema).includes('array');
  const items = isList ? document.schemas.resolve((schema.items ?? {}) as Schema) : schema;
  const { enum: options } = items;
  return {
    name,
    in: place,
    required,
    type: typesOf(items).join(' or '),
    isList,
    options: Array.isArray(options) ? options.map(toTypedText) : [],
    ...(schema.default !== undefined && { default: toTypedText(schema.default) }),
    examples: Object.values(examples).map(toTypedText),
  };
}

function typesOf({ type }: Schema): string[] {
  return [type ?? []].flat().map(String);
}

/** A value as one types it into a form. */
function toTypedText(value: unknown): string {
  return typeof value === 'string' ? value : (stringifyExact(value) ?? '');
}

function toNamedTexts(examples: Readonly<Record<string, unknown>>): NamedText[] {
  return Object.entries(examples).map(([name, value]) => ({ name, text: stringifyExact(value) }));
}
