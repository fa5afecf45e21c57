import {
  type ApiDocument,
  boundedPageSize,
  findResource,
  type Operation,
  type Resource,
} from '../description/document.ts';
import { keyPlacesOf } from '../description/key-places.ts';
import { isBearer, type Requirement } from '../description/security.ts';
import { takesOtherBodiesAlone } from '../description/sendable-body.ts';
import { unusedMethod } from '../description/stated.ts';
import { planBodies, toBodyText, validFields } from './bodies.ts';
import type { Case, CredentialForm } from './case.ts';
import { completeCase, exampleBody } from './example-call.ts';
import { keyOrderCases } from './key-order-cases.ts';
import { isTriedNested } from './nested-cases.ts';
import {
  createCase,
  filterValues,
  hasResourceCases,
  listCase,
  readCase,
} from './resource-cases.ts';

/**
 * Calls of operations of which the document says too little to judge them by more than the general
 * clauses, with its examples or made values.
 */
export function callCases(document: ApiDocument): Case[] {
  return document.operations.flatMap((operation) =>
    whyNoCall(document, operation) === undefined && operation.kind === undefined
      ? [callCase(document, operation)]
      : [],
  );
}

/**
 * The operations that no case calls, each with the reason. `isFree`: what the run has not created
 * may be changed.
 */
export function operationsWithoutCases(
  document: ApiDocument,
  { isFree }: { isFree: boolean },
): { operation: Operation; reason: string }[] {
  const protects = 'it may change what the run has not created';
  const tried = (document.nested ?? [])
    .filter((resource) => isTriedNested(document, resource))
    .flatMap(({ operations }) => Object.values(operations).map(({ id }) => id));
  return document.operations.flatMap((operation) => {
    if (hasResourceCases(operation) || tried.includes(operation.id)) return [];
    const resource = findResource(document, operation);
    if (operation.kind) {
      const isTried = resource?.operations.create && resource.operations.read;
      return isTried ? [] : [{ operation, reason: protects }];
    }
    const isBarred = !isFree && changesOthers(operation);
    const reason = whyNoCall(document, operation) ?? (isBarred ? protects : undefined);
    return reason === undefined ? [] : [{ operation, reason }];
  });
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'];

/** Whether an operation without a kind may change something else than what it adds. */
function changesOthers({ method, path }: Operation): boolean {
  return !safeMethods.includes(method) && (method !== 'POST' || path.includes('{'));
}

/** Why nothing calls an operation without a kind; undefined where it can be called. */
function whyNoCall(document: ApiDocument, operation: Operation): string | undefined {
  const { responses } = operation;
  const isOnly = (form: RegExp) =>
    responses.length > 0 && responses.every(({ status }) => form.test(status));
  // Nothing would be sent with the key for a while.
  if (isOnly(/^429$/)) return 'it answers 429 to every call';
  if (isOnly(/^1/)) return 'it describes no response that ends a call';
  if (operation.otherBody?.required && takesOtherBodiesAlone(operation))
    return 'it takes neither JSON nor a form';
  const call = completeCase(document, plainCase(operation, 'plain'));
  if ('lacks' in call) return `no value is known for ${call.lacks}`;
  const body = exampleBody(document, operation);
  return body && 'lacks' in body ? `no value is known for ${body.lacks}` : undefined;
}

function callCase(document: ApiDocument, operation: Operation): Case {
  const body = exampleBody(document, operation);
  const isSafe = safeMethods.includes(operation.method);
  const needsValues =
    body !== undefined || operation.parameters.some(({ required }) => required === true);
  const plain: Case = {
    ...plainCase(operation, 'plain'),
    purpose: { kind: 'call', ...(needsValues && { isMadeUp: true }) },
    priority: isSafe ? 1 : 2,
    ...(changesOthers(operation) && { changesOthers: true }),
    writes: !isSafe,
  };
  if (!body || 'lacks' in body) return plain;
  const { mediaType, text, form } = body;
  return { ...plain, headers: { 'Content-Type': mediaType }, body: text, ...(form && { form }) };
}

const everyForm: CredentialForm[] = [
  'none',
  'unknown',
  'empty',
  'scheme-only',
  'truncated',
  'altered',
  'prefixed',
  'in-cookie',
  'extended',
  'other-case',
  'basic',
  'no-scheme',
  'other-scheme',
  'in-query',
  'in-header',
  'lower-case-scheme',
];
const showingTheKey: CredentialForm[] = ['in-query', 'in-header', 'in-cookie'];

/** Every operation with each form of an invalid credential. */
export function credentialCases(document: ApiDocument): Case[] {
  return document.operations
    .filter((one) => asksForKey(one) && (one.method === 'GET' || one.kind === 'create'))
    .filter((one) => !('lacks' in completeCase(document, plainCase(one, ''))))
    .flatMap((operation) =>
      formsFor(operation).map((form) => credentialCase(document, operation, form)),
    )
    .concat(document.resources.flatMap((resource) => withParameters(document, resource)));
}

function asksForKey(operation: Operation): boolean {
  return keyPlacesOf(operation).length > 0;
}

/** Where something else than a bearer token will do, a call may be wrong in fewer ways. */
function formsFor({ waysIn }: Operation): readonly CredentialForm[] {
  const isToken = waysIn.every((way) => way.length === 1 && way.every(isOfBearer));
  return isToken ? everyForm : ['none', 'unknown'];
}

function isOfBearer({ scheme }: Requirement): boolean {
  return isBearer(scheme);
}

/** A list with parameters needs a key too. */
function withParameters(document: ApiDocument, resource: Resource): Case[] {
  const filters = Object.fromEntries(filterValues({ document, resource }).slice(0, 1));
  const { list } = resource.operations;
  const size = boundedPageSize(resource);
  if (!list || !asksForKey(list)) return [];
  if (!size && Object.keys(filters).length === 0) return [];
  const asked = listCase({ document, resource }, list, {
    filters,
    ...(size && { limit: size.min }),
  });
  return [
    {
      ...asked,
      id: `${asked.id} (no key)`,
      credential: 'none',
      purpose: { kind: 'credential', form: 'none' },
    },
  ];
}

function credentialCase(document: ApiDocument, operation: Operation, form: CredentialForm): Case {
  const resource = findResource(document, operation);
  const purpose = { kind: 'credential', form } as const;
  const priority = form === 'none' || form === 'unknown' ? 1 : 2;
  if (operation.kind === 'create' && resource) {
    const marker = `${form} key {{run}}`;
    const plan = planBodies(document, resource);
    const body = toBodyText(plan, validFields(plan, marker));
    const made = createCase(operation, `key ${form}`, body, purpose, priority, marker);
    return { ...made, path: made.path + queryOf(form), credential: form };
  }
  const plain = plainCase(operation, `key ${form}`);
  return {
    ...plain,
    path: plain.path + queryOf(form),
    credential: form,
    purpose,
    priority,
    writes: showingTheKey.includes(form),
  };
}

function queryOf(form: CredentialForm): string {
  return form === 'in-query'
    ? '?access_token={{key}}&api_key={{key}}&apiKey={{key}}&key={{key}}&token={{key}}'
    : '';
}

/** Rules of RFCs where the interface is silent. */
export function protocolCases(document: ApiDocument): Case[] {
  return document.resources.flatMap(({ operations: { list, read } }): Case[] => [
    ...(list ? [protocolCase(list, 'HEAD', list.path, 'head')] : []),
    ...(read && unusedMethod(document, read) !== undefined
      ? [
          protocolCase(
            read,
            unusedMethod(document, read) as string,
            read.path.replace(/\{[^{}]+\}$/, `{{unknown.${read.resource}.far}}`),
            'method',
          ),
        ]
      : []),
  ]);
}

function protocolCase(
  operation: Operation,
  method: string,
  path: string,
  rule: 'head' | 'method',
): Case {
  const { operation: _, ...plain } = plainCase(operation, method);
  return {
    ...plain,
    id: `${method} ${operation.path}`,
    parametersOf: operation,
    method,
    path,
    purpose: { kind: 'protocol', rule },
    priority: 2,
    writes: rule === 'method',
  };
}

/** One or more probes for each thing that the interface leaves open and a request can show. */
export function silenceCases(document: ApiDocument): Case[] {
  return document.resources.flatMap((resource) => [
    ...listSilences(resource),
    ...createSilences(document, resource),
    ...readSilences(resource),
    ...keyOrderCases(document, resource),
  ]);
}

function listSilences(resource: Resource): Case[] {
  const { list } = resource.operations;
  if (!list) return [];
  const probe = (silence: string, query: string): Case => ({
    ...plainCase(list, `?${query}`),
    path: `${list.path}?${query}`,
    purpose: { kind: 'silence', silence, probe: `?${query}` },
    priority: 2,
  });
  const size = boundedPageSize(resource);
  const limits = size
    ? [size.min - 1, size.max + 1, size.max * 10, -1, '1.5', 'abc', '', '1e1']
    : [];
  return [
    ...limits.map((limit) => probe('limit-out-of-range', `${resource.pageSize?.name}=${limit}`)),
    ...resource.filters.map((filter) => probe('unknown-status-filter', `${filter}=no-such-value`)),
    probe('unknown-query-parameter', 'no-such-parameter=1'),
  ];
}

function createSilences(document: ApiDocument, resource: Resource): Case[] {
  const { create } = resource.operations;
  if (!create) return [];
  const plan = planBodies(document, resource);
  const probe = (
    silence: string,
    name: string,
    fields: Record<string, unknown>,
    { headers, unused }: { headers?: Record<string, string>; unused?: string } = {},
  ): Case => {
    const marker = `${name} {{run}}`;
    const purpose = {
      kind: 'silence',
      silence,
      probe: name,
      ...(unused !== undefined && { unused }),
    } as const;
    return {
      ...createCase(
        create,
        name,
        toBodyText(plan, validFields(plan, marker, fields)),
        purpose,
        2,
        marker,
      ),
      ...(headers && { headers }),
    };
  };
  const integer = plan.properties.find(({ schema }) => schema.format === 'int64');
  return [
    probe('unknown-body-field', 'unknown field', { noSuchField: 'x' }),
    ...(plan.markerProperty
      ? [probe('empty-name', `empty ${plan.markerProperty}`, { [plan.markerProperty]: '' })]
      : []),
    ...(integer
      ? [
          probe(
            'unknown-category',
            `an unused ${integer.name}`,
            { [integer.name]: 987_654_321 },
            { unused: integer.name },
          ),
          probe('integer-range', `${integer.name} beyond int64`, {
            [integer.name]: 9_223_372_036_854_775_808n,
          }),
        ]
      : []),
    probe('media-type', 'as text/plain', {}, { headers: { 'Content-Type': 'text/plain' } }),
    probe('repeated-create', 'sent once', {}),
    {
      ...probe('repeated-create', 'sent once', {}),
      id: `${create.id}/sent again`,
      purpose: { kind: 'silence', silence: 'repeated-create', probe: 'sent again' },
    },
  ];
}

function readSilences({ operations: { read }, idSchema }: Resource): Case[] {
  if (!read) return [];
  const ids =
    idSchema.type === 'integer' ? ['abc', '0', '-1', '1.0', '01', '9223372036854775808'] : ['%20'];
  return [
    ...ids.map((id) =>
      readCase(read, id, { kind: 'silence', silence: 'pet-id-form', probe: id }, 2),
    ),
    {
      ...withoutOperation(plainCase(read, 'unknown path')),
      path: '/no-such-path',
      purpose: { kind: 'silence', silence: 'unknown-path', probe: 'GET /no-such-path' },
    },
  ];
}

function withoutOperation({ operation: _, ...rest }: Case): Case {
  return rest;
}

function plainCase(operation: Operation, name: string): Case {
  return {
    id: `${operation.id}/${name}`,
    operation,
    method: operation.method,
    path: operation.resource
      ? operation.path.replace(/\{[^{}]+\}$/, `{{id.${operation.resource}.first|1}}`)
      : operation.path,
    credential: 'valid',
    purpose: { kind: 'call' },
    priority: 2,
    writes: false,
  };
}
