import { METHODS } from 'node:http';
import { hintProblemOf } from '../hint.ts';
import { toToken } from '../json-pointer.ts';
import { DocumentError, follow, type RawDocument, resolve } from '../schema.ts';
import type { Steps } from '../steps.ts';
import { type Fault, removal } from './fault.ts';
import { findCircularSchemas } from './find-circular-schemas.ts';
import { findEndlessSchemas } from './find-endless-schemas.ts';
import { findContentFaults, findHeaderFaults } from './header-faults.ts';
import { methods, type PartKind } from './parts.ts';
import { findSameAlternatives } from './same-alternatives.ts';
import { findSchemaFaults } from './schema-faults.ts';
import { isRecord, type Place, walkDocument } from './walk.ts';

/** Finds what is wrong with a part, all that it holds aside. */
type FindFaults = (part: RawDocument, place: Place, root: RawDocument) => Fault[];

export type FindFaultsOptions = {
  /** Gets what mending a fault moves. */
  moves: Map<string, string>;
  /**
   * Whether operations may have the same path but for the names of its parameters, which nobody can
   * call apart and everybody can read.
   */
  allowsSamePaths: boolean;
};

/** How many parts are looked at in a step. */
const partsOfStep = 1_000;

/** The parts of an OpenAPI 3.1 or 3.2 document that cannot be used, from the outside in. */
export function* findFaults(
  document: RawDocument,
  { moves, allowsSamePaths }: FindFaultsOptions,
): Steps<Fault[]> {
  const faults: Fault[] = [];
  const ids = new Map<string, Place>();
  const parts: [part: unknown, place: Place][] = [];
  walkDocument(document, (part, place) => parts.push([part, place]));
  const look = (part: unknown, place: Place): void => {
    const { kind } = place;
    if (kind === 'schema') faults.push(...findSchemaFaults(part, place, moves));
    else if (!isRecord(part)) {
      // An empty path is no mistake.
      if (part === null && kind === 'path item') return;
      faults.push(removed(place, `it is no ${kind} and is left out`));
      return;
    }
    if (!isRecord(part)) return;
    if (kind === 'schema')
      faults.push(...findSameAlternatives(part, place, { root: document, moves }));
    if (typeof part.$ref === 'string') {
      const fault = findDeadReference(part, place, document);
      if (fault) faults.push(fault);
      if (fault || kind !== 'path item') return;
    }
    faults.push(...misshapen(part, place), ...(finders[kind]?.(part, place, document) ?? []));
    if (kind === 'operation') faults.push(...findSameId(part, place, ids));
  };
  for (const [index, [part, place]] of parts.entries()) {
    if (index % partsOfStep === 0) yield;
    look(part, place);
  }
  yield;
  if (!allowsSamePaths) faults.push(...findSamePaths(document));
  faults.push(...findCircularSchemas(document));
  yield;
  faults.push(...findEndlessSchemas(document));
  return faults;
}

function removed({ pointer, holder, key }: Place, problem: string): Fault {
  return { pointer, problem, mend: removal(holder, key) };
}

/** A fault of a field of a part. */
function ofField(part: RawDocument, { pointer }: Place, field: string, problem: string): Fault {
  return { pointer: `${pointer}/${toToken(field)}`, problem, mend: removal(part, field) };
}

function findDeadReference(part: RawDocument, place: Place, root: RawDocument): Fault | undefined {
  const { kind, pointer: at, holder, key } = place;
  const $ref: string = part.$ref;
  const target = kind === 'schema' ? follow(root, $ref) : resolveQuietly(root, part);
  if (isRecord(target) || (kind === 'schema' && typeof target === 'boolean')) return undefined;
  const isUnread = /^https?:/i.test($ref);
  const fault = isUnread ? `"${$ref}" is not fetched` : `"${$ref}" leads to nothing`;
  return kind === 'schema'
    ? {
        pointer: `${at}/$ref`,
        problem: `${fault}; any value is taken here`,
        mend: removal(part, '$ref'),
      }
    : {
        pointer: `${at}/$ref`,
        problem: `${fault}; the ${kind} is left out`,
        mend: removal(holder, key),
      };
}

/** Fields that must be lists or objects, by the kind of their part. */
const shapes: Partial<Record<PartKind, Record<string, 'a list' | 'an object'>>> = {
  document: { paths: 'an object', webhooks: 'an object', servers: 'a list', security: 'a list' },
  'path item': { parameters: 'a list', additionalOperations: 'an object', servers: 'a list' },
  operation: {
    parameters: 'a list',
    responses: 'an object',
    security: 'a list',
    servers: 'a list',
    callbacks: 'an object',
    tags: 'a list',
  },
  response: { headers: 'an object', content: 'an object', links: 'an object' },
  parameter: { content: 'an object', examples: 'an object' },
  header: { content: 'an object', examples: 'an object' },
  'request body': { content: 'an object' },
  'media type': { examples: 'an object', encoding: 'an object' },
};

function misshapen(part: RawDocument, place: Place): Fault[] {
  return Object.entries(shapes[place.kind] ?? {}).flatMap(([field, shape]) => {
    const value: unknown = part[field];
    if (value === undefined) return [];
    if (shape === 'a list' ? Array.isArray(value) : isRecord(value)) return [];
    return [ofField(part, place, field, `it is not ${shape} and is left out`)];
  });
}

const finders: Partial<Record<PartKind, FindFaults>> = {
  document: (root, place) => [
    ...findServerFaults(root, place),
    ...findPathFaults(root),
    ...findSecurityFaults(root, place, root),
  ],
  operation: (operation, place, root) => [
    ...findIdFaults(operation, place),
    ...findParameterFaults(operation, place, root),
    ...findSecurityFaults(operation, place, root),
    ...findDateFaults(operation, place),
    ...findHintFaults(operation, place),
    ...findStatusFaults(operation, place),
  ],
  'path item': (item, place, root) => [
    ...findParameterFaults(item, place, root),
    ...findMethodFaults(item, place),
  ],
  response: (response, place) => [
    ...findHeaderFaults(response, place),
    ...findContentFaults(response, place),
  ],
  'request body': findContentFaults,
};

function findServerFaults(root: RawDocument, place: Place): Fault[] {
  const { servers } = root;
  if (!Array.isArray(servers)) return [];
  return servers.flatMap((server, index) => {
    const problem = serverProblem(server);
    if (problem === undefined) return [];
    const pointer = `${place.pointer}/servers/${index}`;
    return [{ pointer, problem: `${problem} and is left out`, mend: removal(servers, index) }];
  });
}

function serverProblem(server: unknown): string | undefined {
  if (!isRecord(server) || typeof server.url !== 'string') return 'it has no url that is a text';
  const url = toServerUrl(server);
  return URL.canParse(url, 'http://localhost') ? undefined : `"${url}" is not a URL`;
}

/** The URL of a server, with the defaults of its variables. */
export function toServerUrl({ url, variables }: RawDocument): string {
  return String(url).replace(/\{(.+?)\}/g, (_, name) => variables?.[name]?.default ?? name);
}

function findPathFaults({ paths }: RawDocument): Fault[] {
  if (!isRecord(paths)) return [];
  return Object.keys(paths).flatMap((path) => {
    if (path.startsWith('/') || path.startsWith('x-')) return [];
    const problem = 'a path must start with a slash; it is left out';
    return [{ pointer: `/paths/${toToken(path)}`, problem, mend: removal(paths, path) }];
  });
}

/** Whether a document describes any operation. */
export function hasOperations({ paths }: RawDocument): boolean {
  const items: unknown[] = isRecord(paths) ? Object.values(paths) : [];
  const fields = [...methods, '$ref', 'additionalOperations'];
  return items.some((item) => isRecord(item) && fields.some((field) => field in item));
}

/** Operations whose paths differ in the names of their parameters only. */
function findSamePaths({ paths }: RawDocument): Fault[] {
  if (!isRecord(paths)) return [];
  const taken = new Map<string, string>();
  return Object.entries(paths).flatMap(([path, item]) => {
    const template = path.replace(/\{[^{}]*\}/g, '{}');
    return methods.flatMap((method) => {
      if (!isRecord(item) || item[method] === undefined) return [];
      const first = taken.get(`${method} ${template}`);
      taken.set(`${method} ${template}`, first ?? path);
      if (first === undefined) return [];
      const pointer = `/paths/${toToken(path)}/${method}`;
      const problem = `no request can tell it from that of "${first}"; it is left out`;
      return [{ pointer, problem, mend: removal(item, method) }];
    });
  });
}

function findIdFaults(operation: RawDocument, place: Place): Fault[] {
  const { operationId } = operation;
  if (operationId === undefined || (typeof operationId === 'string' && operationId !== ''))
    return [];
  return [ofField(operation, place, 'operationId', 'it is no text and is ignored')];
}

function findSameId(operation: RawDocument, place: Place, ids: Map<string, Place>): Fault[] {
  const { operationId } = operation;
  if (typeof operationId !== 'string' || !place.pointer.startsWith('/paths/')) return [];
  const first = ids.get(operationId);
  if (!first) {
    ids.set(operationId, place);
    return [];
  }
  const problem = `"${operationId}" is that of #${first.pointer} too; it is ignored here`;
  return [ofField(operation, place, 'operationId', problem)];
}

const places = ['query', 'path', 'header', 'cookie', 'querystring', 'body', 'formData'];

function findParameterFaults(part: RawDocument, place: Place, root: RawDocument): Fault[] {
  const { parameters } = part;
  if (!Array.isArray(parameters)) return [];
  return parameters.flatMap((one, index) => {
    if (!isRecord(one)) return [];
    const parameter = resolveQuietly(root, one);
    const isRight =
      !parameter || (typeof parameter.name === 'string' && places.includes(parameter.in));
    if (isRight) return [];
    const pointer = `${place.pointer}/parameters/${index}`;
    const problem =
      'a parameter needs a name, and an "in" of query, path, header or cookie; it is left out';
    return [{ pointer, problem, mend: removal(parameters, index) }];
  });
}

/** The part that another leads to; none where it leads nowhere, or back to itself. */
function resolveQuietly(root: RawDocument, part: RawDocument): RawDocument | undefined {
  try {
    return resolve(root, part);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

function findSecurityFaults(part: RawDocument, place: Place, root: RawDocument): Fault[] {
  const { security } = part;
  if (!Array.isArray(security)) return [];
  const schemes: unknown = root.components?.securitySchemes;
  return security.flatMap((requirement, index) => {
    const pointer = `${place.pointer}/security/${index}`;
    const mend = removal(security, index);
    if (!isRecord(requirement))
      return [{ pointer, problem: 'it is no object and is left out', mend }];
    const missing = Object.keys(requirement).find(
      (name) => !isRecord(schemes) || !isRecord(schemes[name]),
    );
    if (missing === undefined) return [];
    const problem = `components.securitySchemes does not define "${missing}"; it is left out`;
    return [{ pointer, problem, mend }];
  });
}

const dates = [
  ['x-deprecated-sunset', (value: unknown) => value],
  ['x-deprecated-since', (value: unknown) => (value as RawDocument | null)?.date],
] as const;

function findDateFaults(operation: RawDocument, place: Place): Fault[] {
  return dates.flatMap(([field, dateOf]) => {
    if (operation[field] === undefined) return [];
    const date = dateOf(operation[field]);
    if (!Number.isNaN(new Date(String(date)).getTime())) return [];
    const problem = `"${date}" is not a date such as 2030-12-05; it is ignored`;
    return [ofField(operation, place, field, problem)];
  });
}

function findHintFaults(operation: RawDocument, place: Place): Fault[] {
  if (!('x-twin' in operation)) return [];
  const problem = hintProblemOf(operation['x-twin']);
  if (problem === undefined) return [];
  return [ofField(operation, place, 'x-twin', `x-twin ${problem}; it is ignored`)];
}

function findStatusFaults(operation: RawDocument, place: Place): Fault[] {
  const { responses } = operation;
  if (!isRecord(responses)) return [];
  const pointer = `${place.pointer}/responses`;
  return Object.keys(responses).flatMap((status) => {
    if (status.startsWith('x-') || /^([1-5](\d\d|XX)|default)$/i.test(status)) return [];
    const problem = 'it is not a status such as 200, 4XX or default; it is left out';
    return [
      { pointer: `${pointer}/${toToken(status)}`, problem, mend: removal(responses, status) },
    ];
  });
}

/** Methods that no request to this server can have (OpenAPI 3.2 allows any). */
function findMethodFaults(item: RawDocument, place: Place): Fault[] {
  const { additionalOperations } = item;
  if (!isRecord(additionalOperations)) return [];
  return Object.keys(additionalOperations).flatMap((method) => {
    if (METHODS.includes(method)) return [];
    const pointer = `${place.pointer}/additionalOperations/${toToken(method)}`;
    const problem = 'Node serves no such method; it is left out';
    return [{ pointer, problem, mend: removal(additionalOperations, method) }];
  });
}
