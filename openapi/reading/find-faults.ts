import { isObject } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { nodeHttp } from '../../common/node-http.ts';
import { hintProblemOf } from '../hint.ts';
import { follow, type RawDocument, resolveQuietly } from '../schema.ts';
import { alternativesOf } from '../security.ts';
import { toServerUrl } from '../servers.ts';
import {
  findCircularSchemas,
  findEndlessSchemas,
  type LinkedSchema,
  leadsOn,
} from './endless-schemas.ts';
import { each, type Fault, removal } from './fault.ts';
import { methods, type PartKind, type Place, walkDocument } from './parts.ts';
import { findOtherPaths, findSamePaths } from './path-faults.ts';
import type { Places } from './places.ts';
import { findSchemaFaults } from './schema-faults.ts';

/**
 * The parts of an OpenAPI 3.1 or 3.2 document that cannot be used, from the outside in. `places` gets
 * what mending a fault moves.
 */
export function findFaults(
  document: RawDocument,
  places: Places,
): { faults: Fault[]; linked: LinkedSchema[] } {
  const faults: Fault[] = [];
  const linked: LinkedSchema[] = [];
  const ids = new Map<string, string>();
  walkDocument(document, (part, place) => {
    const { kind, holder, key } = place;
    // An empty path is no mistake.
    if (part === null && kind === 'path item') return;
    if (kind === 'schema') faults.push(...findSchemaFaults(part, place, places));
    else if (!isObject(part)) {
      const problem = `it is no ${kind} and is left out`;
      faults.push({ pointer: place.pointer, problem, mend: removal(holder, key) });
    }
    if (!isObject(part)) return;
    if (kind === 'schema' && leadsOn(part)) linked.push({ schema: part, place });
    const { $ref } = part;
    const problem = '$ref is no text and is ignored';
    if ($ref !== undefined && typeof $ref !== 'string')
      faults.push({ pointer: `${place.pointer}/$ref`, problem, mend: removal(part, '$ref') });
    if (typeof $ref === 'string') {
      const fault = findDeadReference(part, place, document);
      if (fault) faults.push(fault);
      if (fault || kind !== 'path item') return;
    }
    if (kind === 'schema') return;
    faults.push(...findByRules(part, place, document));
    if (kind !== 'operation' && kind !== 'document') return;
    const { pointer } = place;
    if (isObject(part.security))
      faults.push({
        pointer: `${pointer}/security`,
        problem: 'it is not a list and is read as one that holds it',
        mend: () => (part.security = [part.security]),
      });
    faults.push(...findImpossible(part, pointer, document));
    if (kind === 'operation') faults.push(...findSameId(part, place, ids));
  });
  // Paths may be the same until they are read as others.
  const others = findOtherPaths(document, places);
  faults.push(
    ...(others.length > 0 ? others : findSamePaths(document)),
    ...findCircularSchemas(linked, document),
    ...findEndlessSchemas(linked, document),
  );
  return { faults, linked };
}

function findDeadReference(part: RawDocument, place: Place, root: RawDocument): Fault | undefined {
  const { kind, holder, key } = place;
  const $ref: string = part.$ref;
  const isSchema = kind === 'schema';
  const target = isSchema ? follow(root, $ref) : resolveQuietly(root, part);
  if (isObject(target) || (isSchema && typeof target === 'boolean')) return undefined;
  const isUnread = /^https?:/i.test($ref);
  const what = isUnread ? `"${$ref}" is not fetched` : `"${$ref}" leads to nothing`;
  return {
    pointer: `${place.pointer}/$ref`,
    problem: `${what}; ${isSchema ? 'any value is taken here' : `the ${kind} is left out`}`,
    mend: isSchema ? removal(part, '$ref') : removal(holder, key),
  };
}

/** What is wrong with a value, or with a name, and what comes of it; undefined where nothing is. */
type FindProblem<Value> = (value: Value, root: RawDocument) => string | undefined;

type Rules = {
  /** What a field itself may be. */
  fields?: Readonly<Record<string, FindProblem<unknown>>>;
  /** What the items of a list in a field may be. */
  items?: Readonly<Record<string, FindProblem<unknown>>>;
  /** What the names may be that an object in a field has. */
  names?: Readonly<Record<string, FindProblem<string>>>;
};

function findByRules(part: RawDocument, place: Place, root: RawDocument): Fault[] {
  const faults: Fault[] = [];
  const ofKind = ruleLists[place.kind];
  if (!ofKind) return faults;
  const { fields, items, names } = ofKind;
  const add = (holder: RawDocument, key: string | number, below: string, problem?: string) => {
    if (problem === undefined) return;
    const pointer = `${place.pointer}${below}/${toToken(String(key))}`;
    faults.push({ pointer, problem, mend: removal(holder, key) });
  };
  for (const [field, problemOf] of fields)
    if (part[field] !== undefined) add(part, field, '', problemOf(part[field], root));
  for (const [field, problemOf] of items)
    if (Array.isArray(part[field]))
      for (const [index, item] of part[field].entries())
        add(part[field], index, `/${field}`, problemOf(item, root));
  for (const [field, problemOf] of names)
    if (isObject(part[field]))
      for (const name of Object.keys(part[field]))
        add(part[field], name, `/${field}`, problemOf(name, root));
  return faults;
}

const isList: FindProblem<unknown> = (value) =>
  Array.isArray(value) ? undefined : 'it is not a list and is left out';
/** One requirement alone is mended, see {@link findFaults}. */
const isSecurity: FindProblem<unknown> = (value, root) =>
  isObject(value) ? undefined : isList(value, root);
const isMap: FindProblem<unknown> = (value) =>
  isObject(value) ? undefined : 'it is not an object and is left out';

/** A name that matches, but for extensions. */
const named =
  (pattern: RegExp, problem: string): FindProblem<string> =>
  (name) =>
    pattern.test(name) || name.startsWith('x-') ? undefined : problem;

const ofParameter = { fields: each('content examples', isMap) };

const rules: Readonly<Partial<Record<PartKind, Rules>>> = {
  document: {
    fields: { ...each('paths webhooks', isMap), servers: isList, security: isSecurity },
    items: {
      servers: problemOfServer,
      security: problemOfRequirement,
      'x-silences': problemOfSilence,
    },
    names: {
      paths: (path, root) =>
        path.includes('}{')
          ? 'a path needs text between two parameters; it is left out'
          : named(/^\//, 'a path must start with a slash; it is left out')(path, root),
    },
  },
  'path item': {
    fields: { ...each('parameters servers', isList), additionalOperations: isMap },
    items: { parameters: problemOfParameter, servers: problemOfServer },
    names: {
      additionalOperations: (method) =>
        nodeHttp.METHODS.includes(method)
          ? undefined
          : 'Node serves no such method; it is left out',
    },
  },
  operation: {
    fields: {
      ...each('parameters servers tags', isList),
      security: isSecurity,
      ...each('responses callbacks', isMap),
      operationId: (id) =>
        typeof id === 'string' && id !== '' ? undefined : 'it is no text and is ignored',
      'x-deprecated-sunset': problemOfDate,
      'x-deprecated-since': (since) => problemOfDate((since as RawDocument | null)?.date),
      'x-twin': (hint) => {
        const problem = hintProblemOf(hint);
        return problem && `x-twin ${problem}; it is ignored`;
      },
    },
    items: {
      parameters: problemOfParameter,
      servers: problemOfServer,
      security: problemOfRequirement,
    },
    names: {
      responses: named(
        /^([1-5](\d\d|XX)|default)$/i,
        'it is not a status such as 200, 4XX or default; it is left out',
      ),
    },
  },
  response: {
    fields: each('headers content links', isMap),
    names: {
      // RFC 9110 §5.1.
      headers: named(
        /^[\w!#$%&'*+.^`|~-]+$/,
        'it is not a name that a header can have; it is left out',
      ),
    },
  },
  'request body': { fields: { content: isMap } },
  'media type': { fields: each('examples encoding', isMap) },
  parameter: ofParameter,
  header: ofParameter,
};

const ruleLists = Object.fromEntries(
  Object.entries(rules).map(([kind, { fields = {}, items = {}, names = {} }]) => [
    kind,
    {
      fields: Object.entries(fields),
      items: Object.entries(items),
      names: Object.entries(names),
    },
  ]),
);

function problemOfSilence(silence: unknown): string | undefined {
  const texts = ['id', 'question', 'twin', 'source', 'x-assumed'];
  const isSilence = isObject(silence) && texts.every((name) => typeof silence[name] === 'string');
  return isSilence ? undefined : `it lacks one of ${texts.join(', ')} as a text and is left out`;
}

function problemOfServer(server: unknown): string | undefined {
  if (!isObject(server) || typeof server.url !== 'string')
    return 'it has no url that is a text and is left out';
  const url = toServerUrl(server);
  const parsed = URL.parse(url, 'http://localhost');
  if (parsed && /^(https?|wss?):$/.test(parsed.protocol)) return undefined;
  return `"${url}" is not a URL${parsed ? ' of HTTP' : ''} and is left out`;
}

const places = ['query', 'path', 'header', 'cookie', 'querystring'];

function problemOfParameter(given: unknown, root: RawDocument): string | undefined {
  const parameter = isObject(given) && resolveQuietly(root, given);
  if (!parameter || (typeof parameter.name === 'string' && places.includes(parameter.in)))
    return undefined;
  return 'a parameter needs a name, and an "in" of query, path, header or cookie; it is left out';
}

function problemOfRequirement(requirement: unknown, root: RawDocument): string | undefined {
  if (!isObject(requirement)) return 'it is no object and is left out';
  const schemes: RawDocument = root.components?.securitySchemes ?? {};
  const missing = Object.keys(requirement).find((name) => !isObject(schemes[name]));
  if (missing === undefined) return undefined;
  return `components.securitySchemes does not define "${missing}"; it is left out`;
}

/** Security that needs one field for several schemes: they are alternatives, whatever is written. */
function findImpossible({ security }: RawDocument, pointer: string, root: RawDocument): Fault[] {
  if (!Array.isArray(security)) return [];
  return security.flatMap((requirement, index) => {
    if (problemOfRequirement(requirement, root) !== undefined) return [];
    const found = alternativesOf(root, requirement);
    if (!found) return [];
    const names = found.names.map((name) => `"${name}"`).join(' and ');
    const problem = `${names} need the same field, so no request meets all; they are read as alternatives`;
    const mend = () => void security.splice(index, 1, ...found.ways);
    return [{ pointer: `${pointer}/security/${index}`, problem, mend }];
  });
}

function problemOfDate(date: unknown): string | undefined {
  if (!Number.isNaN(new Date(String(date)).getTime())) return undefined;
  return `"${date}" is not a date such as 2030-12-05; it is ignored`;
}

/** Whether a document describes any operation. */
export function hasOperations({ paths }: RawDocument): boolean {
  const items: unknown[] = isObject(paths) ? Object.values(paths) : [];
  const fields = [...methods, '$ref', 'additionalOperations'];
  return items.some((item) => isObject(item) && fields.some((field) => field in item));
}

function findSameId(operation: RawDocument, { pointer }: Place, ids: Map<string, string>): Fault[] {
  const { operationId } = operation;
  if (typeof operationId !== 'string' || !pointer.startsWith('/paths/')) return [];
  const first = ids.get(operationId);
  ids.set(operationId, first ?? pointer);
  if (first === undefined) return [];
  const problem = `"${operationId}" is that of #${first} too; it is ignored here`;
  return [{ pointer: `${pointer}/operationId`, problem, mend: removal(operation, 'operationId') }];
}
