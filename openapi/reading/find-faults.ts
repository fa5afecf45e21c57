import { isObject } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { nodeHttp } from '../../common/node-http.ts';
import { textOf } from '../../common/text-of.ts';
import { each, toPlainName } from '../../common/words.ts';
import { documentHintProblemOf, hintProblemOf } from '../hint.ts';
import { follow, type RawDocument, resolveQuietly } from '../schema.ts';
import { alternativesOf } from '../security.ts';
import { toServerUrl } from '../servers.ts';
import { findClosedSchemas } from './closed-schemas.ts';
import {
  findCircularSchemas,
  findEndlessSchemas,
  type LinkedSchema,
  leadsBack,
  leadsOn,
} from './endless-schemas.ts';
import { type Fault, removal } from './fault.ts';
import {
  describedParameters,
  fieldsByKind,
  methods,
  type Part,
  type PartKind,
  type Place,
  placesOfParameters,
} from './parts.ts';
import { findOtherPaths, findSamePaths, findUndescribed, withoutPatterns } from './path-faults.ts';
import type { Places } from './places.ts';
import { findSchemaFaults } from './schema-faults.ts';

/**
 * The parts of an OpenAPI 3.1 or 3.2 document that cannot be used, of all that it has, in this order.
 * `places` gets what mending a fault moves.
 */
export function findFaults(
  document: RawDocument,
  parts: readonly Part[],
  places: Places,
): { faults: Fault[]; linked: LinkedSchema[] } {
  const faults: Fault[] = [];
  const linked: LinkedSchema[] = [];
  const ids = new Map<string, string>();
  const intoOneOf: RawDocument[] = [];
  const add = (found: readonly Fault[]) => {
    if (found.length > 0) faults.push(...found);
  };
  for (const { part, place } of parts) {
    const { kind } = place;
    // An empty path is no mistake.
    if (part === null && kind === 'path item') continue;
    if (kind === 'schema') add(findSchemaFaults(part, place, places));
    else if (!isObject(part)) faults.push(toLeftOut(place, `it is no ${kind} and`));
    if (!isObject(part)) continue;
    if (kind === 'schema' && leadsOn(part)) linked.push({ schema: part, place });
    const { $ref } = part;
    const problem = '$ref is no text and is ignored';
    if ($ref !== undefined && typeof $ref !== 'string')
      faults.push({ pointer: `${place.pointer}/$ref`, problem, mend: removal(part, '$ref') });
    if (typeof $ref === 'string') {
      if ($ref.includes('/oneOf/')) intoOneOf.push(part);
      const fault = findDeadReference(part, place, document);
      if (fault) faults.push(fault);
      if (fault || kind !== 'path item') continue;
    }
    if (kind === 'schema') continue;
    add(findByRules(part, place, document));
    add(findSameParameters(part, place, document));
    if (kind !== 'operation' && kind !== 'document') continue;
    add(findImpossible(part, place, document));
    if (kind === 'operation') add(findSameId(part, place, ids));
  }
  // Paths may be the same until they are read as others.
  const others = findOtherPaths(document, places);
  add(others.length > 0 ? others : [...findSamePaths(document), ...findUndescribed(document)]);
  if (leadsBack(linked, document))
    add([...findCircularSchemas(linked, document), ...findEndlessSchemas(linked, document)]);
  add(findClosedSchemas(linked, document));
  const mend = () => {
    for (const part of intoOneOf) followMoved(part, document);
  };
  // The first one is mended last.
  if (faults.length > 0) faults.unshift({ pointer: '', mend, isSettled: true });
  return { faults, linked };
}

/** Has a reference into a `oneOf` that is read as `anyOf` lead there. */
function followMoved(part: RawDocument, root: RawDocument): void {
  const { $ref } = part;
  if (typeof $ref !== 'string' || follow(root, $ref) !== undefined) return;
  let path = '#';
  for (const token of $ref.split('/').slice(1)) {
    const isMoved = token === 'oneOf' && follow(root, `${path}/${token}`) === undefined;
    path += `/${isMoved ? 'anyOf' : token}`;
  }
  if (follow(root, path) !== undefined) part.$ref = path;
}

/** Takes a part out; a response stays, as one without content. */
function toLeftOut({ kind, pointer, holder, key }: Place, problem: string, at = ''): Fault {
  const isResponse = kind === 'response' && !Array.isArray(holder);
  const mend = isResponse ? () => (holder[key] = { description: '' }) : removal(holder, key);
  const end = isResponse ? 'is read as one without content' : 'is left out';
  return { pointer: pointer + at, problem: `${problem} ${end}`, mend };
}

/** The sections of the components where parts of a kind stand. */
const sections: Readonly<Partial<Record<PartKind, string>>> = {
  schema: 'schemas',
  response: 'responses',
  parameter: 'parameters',
  example: 'examples',
  'request body': 'requestBodies',
  header: 'headers',
  'media type': 'mediaTypes',
};

/** Returns the only component with the name at the end of a reference, if its kind fits. */
function findNamesake(kind: PartKind, $ref: string, root: RawDocument): string | undefined {
  const section = sections[kind] ?? '';
  const name = toPlainName($ref.split(/[/#]/).at(-1) ?? '');
  const all = Object.keys(root.components?.[section] ?? {});
  const [found, ...more] = all.filter((one) => name !== '' && toPlainName(one) === name);
  return found === undefined || more.length > 0
    ? undefined
    : `#/components/${section}/${toToken(found)}`;
}

function findDeadReference(part: RawDocument, place: Place, root: RawDocument): Fault | undefined {
  const { kind } = place;
  const $ref: string = part.$ref;
  const isSchema = kind === 'schema';
  const target = isSchema ? follow(root, $ref) : resolveQuietly(root, part);
  if (isObject(target) || (isSchema && typeof target === 'boolean')) return undefined;
  const isUnread = /^https?:/i.test($ref);
  const what = isUnread ? `"${$ref}" is not fetched` : `"${$ref}" does not exist`;
  const namesake = isUnread ? undefined : findNamesake(kind, $ref, root);
  if (namesake !== undefined && namesake !== $ref) {
    const problem = `${what}; it is read as "${namesake}"`;
    return { pointer: `${place.pointer}/$ref`, problem, mend: () => (part.$ref = namesake) };
  }
  if (!isSchema) return toLeftOut(place, `${what}; the ${kind}`, '/$ref');
  const problem = `${what}; any value is accepted here`;
  return { pointer: `${place.pointer}/$ref`, problem, mend: removal(part, '$ref') };
}

/** Returns the problem of a value or a name, and its consequence; undefined if there is none. */
type FindProblem<Value> = (value: Value, root: RawDocument) => string | undefined;

type Rules = {
  fields?: Readonly<Record<string, FindProblem<unknown>>>;
  /** Checks of the items of lists, by the field of the list. */
  items?: Readonly<Record<string, FindProblem<unknown>>>;
  /** Checks of the names in objects, by the field of the object. */
  names?: Readonly<Record<string, FindProblem<string>>>;
};

function findByRules(part: RawDocument, place: Place, root: RawDocument): Fault[] {
  const faults: Fault[] = [];
  const { fields = {}, items = {}, names = {} } = rules[place.kind] ?? {};
  const add = (holder: RawDocument, key: string | number, below: string, problem?: string) => {
    if (problem === undefined) return;
    const pointer = `${place.pointer}${below}/${toToken(textOf(key))}`;
    faults.push({ pointer, problem, mend: removal(holder, key) });
  };
  for (const field in fields)
    if (part[field] !== undefined) add(part, field, '', fields[field]?.(part[field], root));
  for (const field in items)
    if (Array.isArray(part[field]))
      for (const [index, item] of part[field].entries())
        add(part[field], index, `/${field}`, items[field]?.(item, root));
  for (const field in names)
    if (isObject(part[field]))
      for (const name of Object.keys(part[field]))
        add(part[field], name, `/${field}`, names[field]?.(name, root));
  return faults;
}

const isList: FindProblem<unknown> = (value) =>
  Array.isArray(value) ? undefined : 'it is not a list and is left out';
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
    fields: {
      ...each('paths webhooks', isMap),
      ...{ servers: isList, security: isList },
      'x-twin': (hint) => {
        const problem = documentHintProblemOf(hint);
        return problem && `x-twin ${problem}; its rules are ignored`;
      },
    },
    items: {
      servers: problemOfServer,
      security: problemOfRequirement,
      'x-silences': problemOfSilence,
    },
    names: {
      paths: (path, root) => {
        if (path.includes('}{') && !hasStyledPath(root.paths[path], root))
          return 'a path needs text between two parameters; it is left out';
        if (/[{}]/.test(withoutPatterns(path).replace(/\{[^{}]+\}/g, '')) && !path.startsWith('x-'))
          return 'each brace needs another one, and a name between them; it is left out';
        return named(/^\//, 'a path must start with a slash; it is left out')(path, root);
      },
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
      security: isList,
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
  example: { fields: { externalValue: () => 'it is not fetched and is ignored' } },
};

/** Whether parameters of a path begin with a text of their own, which stands in the path later. */
function hasStyledPath(item: unknown, root: RawDocument): boolean {
  const parameters = isObject(item) ? describedParameters(item, root) : [];
  return parameters.some(({ parameter: { style } }) => style === 'label' || style === 'matrix');
}

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

function problemOfParameter(given: unknown, root: RawDocument): string | undefined {
  const parameter = resolveQuietly(root, given);
  if (
    !parameter ||
    (typeof parameter.name === 'string' && placesOfParameters.includes(parameter.in))
  )
    return undefined;
  return 'a parameter needs a name, and an "in" of query, path, header or cookie; it is left out';
}

function findSameParameters({ parameters }: RawDocument, place: Place, root: RawDocument): Fault[] {
  if (!Array.isArray(parameters)) return [];
  const seen = new Set<string>();
  return parameters.flatMap((given, index) => {
    const { name, in: where } = resolveQuietly(root, given) ?? {};
    const key = `${textOf(where)} ${textOf(name)}`;
    const isSame = name !== undefined && seen.has(key);
    seen.add(key);
    if (!isSame) return [];
    const pointer = `${place.pointer}/parameters/${index}`;
    const problem = `"${name}" stands before it; it is left out`;
    return [{ pointer, problem, mend: removal(parameters, index) }];
  });
}

function problemOfRequirement(requirement: unknown, root: RawDocument): string | undefined {
  if (!isObject(requirement)) return 'it is no object and is left out';
  const schemes: RawDocument = root.components?.securitySchemes ?? {};
  const missing = Object.keys(requirement).find((name) => !isObject(schemes[name]));
  if (missing === undefined) return undefined;
  return `components.securitySchemes does not define "${missing}"; it is left out`;
}

/** Security that needs one field for several schemes: they are alternatives, whatever is written. */
function findImpossible({ security }: RawDocument, place: Place, root: RawDocument): Fault[] {
  if (!Array.isArray(security)) return [];
  return security.flatMap((requirement, index) => {
    if (problemOfRequirement(requirement, root) !== undefined) return [];
    const found = alternativesOf(root, requirement);
    if (!found) return [];
    const names = found.names.map((name) => `"${name}"`).join(' and ');
    const problem = `${names} need the same field, so no request meets all; they are read as alternatives`;
    const mend = () => void security.splice(index, 1, ...found.ways);
    return [{ pointer: `${place.pointer}/security/${index}`, problem, mend }];
  });
}

function problemOfDate(date: unknown): string | undefined {
  if (!Number.isNaN(new Date(textOf(date)).getTime())) return undefined;
  return `"${date}" is not a date such as 2030-12-05; it is ignored`;
}

const withFields: ReadonlySet<PartKind> = new Set([
  ...(['path item', 'operation', 'parameter', 'header'] as const),
  ...(['request body', 'response', 'media type', 'encoding'] as const),
]);

/** The fields of a part that OpenAPI does not know; they stay, and nothing reads them. */
export function findUnknownFields(part: unknown, place: Place): Fault[] {
  const { kind } = place;
  if (!withFields.has(kind) || !isObject(part) || part.$ref !== undefined) return [];
  const { shapes } = fieldsByKind[kind];
  const unknown = Object.keys(part).filter((key) => !shapes.has(key) && !/^x-/i.test(key));
  const faults: Fault[] = unknown.map((key) => ({
    pointer: `${place.pointer}/${toToken(key)}`,
    problem: `OpenAPI has no field "${key}" in ${/^[aeo]/.test(kind) ? 'an' : 'a'} ${kind}; it is ignored`,
    mend: () => {},
  }));
  if (kind === 'request body' && part.content === undefined) {
    const problem = 'it has no content; any body is taken';
    faults.push({ pointer: place.pointer, problem, mend: () => {} });
  }
  return faults;
}

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
