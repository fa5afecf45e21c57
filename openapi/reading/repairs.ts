import { isObject } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { textOf } from '../../common/text-of.ts';
import { namesOf, toPlainName } from '../../common/words.ts';
import { follow, forgetMerged, type RawDocument, resolveQuietly } from '../schema.ts';
import { type Fault, removal } from './fault.ts';
import { findMisplacedSchemas, findOldParameters, findTuples } from './misplaced-schemas.ts';
import {
  describedParameters,
  fieldsByKind,
  isReference,
  kindAt,
  kindIn,
  type PartKind,
  type Place,
  type ValueShape,
} from './parts.ts';
import { withoutPatterns } from './path-faults.ts';
import type { Places } from './places.ts';

/** Finds what is read otherwise than it is written, in parts of some kinds. */
type Repair = {
  /** All kinds by default. */
  kinds?: readonly PartKind[];
  find: (part: RawDocument, place: Place) => Fault[];
};

const withContent: readonly PartKind[] = ['request body', 'response', 'parameter', 'header'];
const listsOfTypes = ['consumes', 'produces'];

/** Repairs of documents of any version, each beside an example of what it mends. */
const repairs: readonly Repair[] = [
  // `$ref: https://example.com/api.json#/components/schemas/Pet`, where that is `$self`.
  { find: findOwnReferences },
  // `content: {$ref: '#/components/x-contents/Pets'}`, `parameters: {$ref: '#/x-paging'}`.
  { find: findFieldReferences },
  // `GET:` in a path item, `Responses:` in an operation, `Type:` in a schema.
  { find: findOtherCase },
  // `required: "true"`, `in: Query`, `servers: {url: /v1}`.
  { find: findOtherValues },
  // `Default:` and ` 200:` in responses.
  { kinds: ['operation'], find: findOtherStatuses },
  // `200: {schema: ...}`, `content: {schema: ...}`, `content: {application/json: {type: object}}`.
  { kinds: ['request body', 'response'], find: findMisplacedSchemas },
  // `produces: [json]`, `content: {json: ...}`.
  { kinds: ['document', 'operation', ...withContent], find: findBareTypes },
  // `content: {application/json: {$ref: '#/components/mediaTypes/Pets'}}`.
  { kinds: withContent, find: findMediaReferences },
  // `/pets/{id}` whose parameter is named `ID`.
  { kinds: ['path item'], find: findOtherNames },
  // `{name: page, in: query, type: integer}` in OpenAPI 3.
  { kinds: ['parameter', 'header'], find: findOldParameters },
  // `{type: array, items: [{type: string}, {type: integer}], additionalItems: false}`.
  { kinds: ['schema'], find: findTuples },
  // `properties: {name: {type: string, required: true}}`.
  { kinds: ['schema'], find: findRequiredProperties },
  // `examples: {one: {id: 1}}`.
  { kinds: ['components', 'media type', 'parameter', 'header'], find: findBareExamples },
  // `pets: {get: ...}` in paths.
  { kinds: ['document'], find: findBarePaths },
  // `host: https://api.example.com`, `basePath: v1`.
  { kinds: ['document'], find: findOtherHosts },
];

/**
 * Creates a visit that repairs a part in place, before the version of its document matters: `warn`
 * gets each fault before it is mended. `places` gets what is moved.
 */
export function createRepair(places: Places, warn: (fault: Fault) => void) {
  return (part: unknown, place: Place): void => {
    if (!isObject(part)) return;
    const finds = findsByKind[place.kind];
    let isNoted = false;
    for (const find of isAsWritten(part, place) ? finds.special : finds.all)
      for (const fault of find(part, place)) {
        warn(fault);
        if (!isNoted) places.noteAll(part, places.find(place.root, place.pointer));
        isNoted = true;
        fault.mend();
        forgetMerged(place.root);
      }
  };
}

/** All repairs of a kind, and those that look at more than its fields. */
const findsByKind = Object.fromEntries(
  Object.keys(fieldsByKind).map((kind) => {
    const all = repairs.filter(({ kinds }) => kinds?.includes(kind as PartKind) ?? true);
    const special = all.filter(({ kinds }) => kinds !== undefined);
    return [kind, { all: all.map(({ find }) => find), special: special.map(({ find }) => find) }];
  }),
) as Readonly<Record<PartKind, Record<'all' | 'special', Repair['find'][]>>>;

/** Tells quickly that the fields of a part are written as OpenAPI has them. */
function isAsWritten(part: RawDocument, { kind, root }: Place): boolean {
  const { shapes, byLowerCase } = fieldsByKind[kind];
  for (const key in part) {
    const shape = shapes.get(key);
    if (shape === undefined ? byLowerCase.has(key.toLowerCase()) : isOther(part[key], shape))
      return false;
  }
  return root.$self === undefined || part.$ref === undefined;
}

function isOther(value: unknown, shape: ValueShape): boolean {
  return shape === 'object' ? isReference(value) : toMeant(value, shape) !== undefined;
}

/** Creates a test that is true once for each name that an object does not have. */
function createIsFree(holder: RawDocument): (name: string) => boolean {
  const taken = new Set(Object.keys(holder));
  return (name) => taken.size < taken.add(name).size;
}

function rename(holder: RawDocument, before: string, after: string): () => void {
  return () => {
    const entries = Object.entries(holder);
    for (const [key] of entries) delete holder[key];
    for (const [key, value] of entries) holder[key === before ? after : key] = value;
  };
}

function findOwnReferences(part: RawDocument, place: Place): Fault[] {
  const { root } = place;
  const { $ref } = part;
  const [address, fragment] = typeof $ref === 'string' ? $ref.split('#') : [];
  if (typeof root.$self !== 'string' || fragment === undefined || !address) return [];
  const own = URL.parse(root.$self, 'https://localhost')?.href;
  if (own === undefined || URL.parse(address, own)?.href !== own) return [];
  return [{ pointer: `${place.pointer}/$ref`, mend: () => (part.$ref = `#${fragment}`) }];
}

/** References in place of lists, maps and operations. */
function findFieldReferences(part: RawDocument, { kind, pointer, root }: Place): Fault[] {
  const { shapes } = fieldsByKind[kind];
  return Object.entries(part).flatMap(([field, value]: [string, unknown]) => {
    const isList = shapes.get(field) === 'list';
    if ((!isList && shapes.get(field) !== 'object') || !isReference(value)) return [];
    const { $ref, ...beside } = value;
    const target: unknown = resolveQuietly(root, { $ref });
    if (isList ? !Array.isArray(target) : !isObject(target)) return [];
    const problem = 'OpenAPI has no reference here; it is read as what it refers to';
    // No part is at two places: it might be of two kinds, or within itself.
    const isPart = kindAt(`${$ref.slice(1)}/*`) !== undefined && follow(root, $ref) === target;
    const isHeld = isPart && kindIn(kind, field) !== undefined;
    if (!isHeld && `#${pointer}/`.startsWith(`${$ref}/`)) return [];
    const mend = () => {
      const parts = isHeld ? toReferences(target, $ref) : Object.entries(target as RawDocument);
      part[field] = isList
        ? parts.map(([, one]) => one)
        : { ...Object.fromEntries(parts), ...beside };
    };
    return [{ pointer: `${pointer}/${field}/$ref`, problem, mend }];
  });
}

/** The parts that a list or a map holds, by reference to where they are. */
function toReferences(holder: unknown, $ref: string): [key: string, part: unknown][] {
  return Object.entries(holder as RawDocument).map(([key, one]) => [
    key,
    isObject(one) && !isReference(one) ? { $ref: `${$ref}/${toToken(key)}` } : one,
  ]);
}

function findOtherCase(part: RawDocument, place: Place): Fault[] {
  const { kind } = place;
  const { shapes, byLowerCase } = fieldsByKind[kind];
  const isFree = createIsFree(part);
  return Object.keys(part).flatMap((key) => {
    const field = shapes.has(key) ? undefined : byLowerCase.get(key.toLowerCase());
    if (field === undefined || !isFree(field)) return [];
    const problem = `OpenAPI names this field "${field}"; it is read as that`;
    return [
      { pointer: `${place.pointer}/${toToken(key)}`, problem, mend: rename(part, key, field) },
    ];
  });
}

/** Flags as texts, words in another case, and one value where a list belongs. */
function findOtherValues(part: RawDocument, place: Place): Fault[] {
  const { kind } = place;
  const { shapes } = fieldsByKind[kind];
  return Object.entries(part).flatMap(([field, value]: [string, unknown]) => {
    const shape = shapes.get(field) ?? 'any';
    const named = field === 'parameters' && shape === 'list' && toNamed(value);
    const meant = named || toMeant(value, shape);
    // A place or a scheme that is none is a fault of its own.
    if (meant === undefined || (meant === null && /^(in|type)$/.test(field))) return [];
    const end = meant === null ? 'it is ignored' : `it is read as ${textOf(meant)}`;
    const problem = named
      ? 'it is not a list and is read as one of what it holds'
      : Array.isArray(meant)
        ? 'it is not a list and is read as one that holds it'
        : `"${value}" is no value of this field; ${end}`;
    const mend = () => {
      if (meant === null) delete part[field];
      else part[field] = meant;
    };
    return [{ pointer: `${place.pointer}/${field}`, problem, mend }];
  });
}

/** Returns the parameters that an object has by their names, in place of a list. */
function toNamed(value: unknown): RawDocument[] | undefined {
  const named = isObject(value) && !('name' in value || '$ref' in value) && Object.entries(value);
  if (!named || named.length === 0 || !named.every(([, one]) => isObject(one))) return undefined;
  return named.map(([name, one]) => (isReference(one) ? one : { name, ...one }));
}

/** Whether a value is a flag, or the text of one. */
function isFlag(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && /^(true|false)$/i.test(value));
}

/** Returns the value that is meant by one that a field cannot have; null if it may be anything. */
function toMeant(value: unknown, shape: ValueShape): unknown {
  const isText = typeof value === 'string';
  if (shape === 'list') return isText || isObject(value) ? [value] : undefined;
  if (shape === 'names') return isText && !isFlag(value) ? [value] : undefined;
  if (shape === 'any' || shape === 'object' || !isText || shape.includes(value)) return undefined;
  const all = shape === 'flag' ? ['true', 'false'] : shape;
  const word = all.find((one) => toPlainName(one) === toPlainName(value));
  return shape === 'flag' && word !== undefined ? word === 'true' : (word ?? null);
}

function findOtherStatuses({ responses }: RawDocument, place: Place): Fault[] {
  if (!isObject(responses)) return [];
  const isFree = createIsFree(responses);
  return Object.keys(responses).flatMap((status) => {
    const own = status.trim().replace(/^default$/i, 'default');
    if (own === status || !isFree(own)) return [];
    const problem = `"${status}" is no status; it is read as ${own}`;
    const mend = rename(responses, status, own);
    return [{ pointer: `${place.pointer}/responses/${toToken(status)}`, problem, mend }];
  });
}

/** A media type without parameters, as RFC 9110 §8.3.1 writes it. */
const mediaType = /^[^\s/,;\\]+\/[^\s/,;\\]+$/;

/** Returns the media type that a text means: one of several, or one of JSON or XML by its end. */
function toMediaType(text: string): string | undefined {
  const [first = ''] = text.toLowerCase().replace(/\s/g, '').replaceAll('\\', '/').split(',');
  if (mediaType.test(first)) return first;
  return /^[.+/]?((?:[\w.-]+\+)?(?:json|xml|yaml))$/.exec(first)?.[1]?.replace(/^/, 'application/');
}

function findBareTypes(part: RawDocument, place: Place): Fault[] {
  const { root } = place;
  const faultOf = (type: unknown, at: string, mendBy: (type?: string) => () => void): Fault[] => {
    if (typeof type !== 'string' || mediaType.test(type.replace(/\s*;.*/s, ''))) return [];
    const whole = toMediaType(type);
    const end = whole === undefined ? 'left out' : `read as ${whole}`;
    const problem = `"${type}" is no media type; it is ${end}`;
    return [{ pointer: `${place.pointer}/${at}`, problem, mend: mendBy(whole) }];
  };
  const ofLists = listsOfTypes.flatMap((name) =>
    [part[name] ?? []].flat().flatMap((type, index) =>
      faultOf(type, `${name}/${index}`, (whole) => () => {
        part[name] = part[name].with(index, whole ?? null);
      }),
    ),
  );
  const ofMaps = ['content', ...(root.swagger === undefined ? [] : ['examples'])].flatMap(
    (name) => {
      const byType: unknown = part[name];
      if (!isObject(byType)) return [];
      const isFree = createIsFree(byType);
      return Object.keys(byType).flatMap((type) =>
        faultOf(type, `${name}/${toToken(type)}`, (whole) =>
          whole !== undefined && isFree(whole)
            ? rename(byType, type, whole)
            : removal(byType, type),
        ),
      );
    },
  );
  return [...ofLists, ...ofMaps];
}

/** Media types by reference, since OpenAPI 3.2, take the place of what refers to them. */
function findMediaReferences({ content }: RawDocument, place: Place): Fault[] {
  const { root } = place;
  if (!isObject(content)) return [];
  return Object.entries<RawDocument>(content).flatMap(([type, node]) => {
    const target = typeof node?.$ref === 'string' && resolveQuietly(root, node);
    if (!isObject(target)) return [];
    const mend = () => {
      content[type] = target;
    };
    return [{ pointer: `${place.pointer}/content/${toToken(type)}`, mend }];
  });
}

/** Path parameters that differ from the name in the path in case or separators, or are the only one left. */
function findOtherNames(item: RawDocument, place: Place): Fault[] {
  const { key, root } = place;
  const found = withoutPatterns(textOf(key)).matchAll(/\{([^{}=\s?*:+]+)[}=]/g);
  const inPath = [...found].map(([, name = '']) => name);
  if (!place.pointer.startsWith('/paths/') || inPath.length === 0) return [];
  const described = describedParameters(item, root).filter(
    ({ parameter }) => parameter.in === 'path',
  );
  const given = described.map(({ parameter }) => parameter.name);
  const [left, ...more] = inPath.filter((name) => !given.includes(name));
  const isOnlyOne = new Set(given.filter((name) => !inPath.includes(name))).size === 1;
  const only = isOnlyOne && more.length === 0 ? left : undefined;
  return described.flatMap(({ parameter, holder, at, index }) => {
    if (inPath.includes(parameter.name)) return [];
    const isLike = (one: string) => toPlainName(one) === toPlainName(textOf(parameter.name));
    const like = inPath.find(isLike) ?? only;
    if (like === undefined) return [];
    const problem = `the path has {${like}}, and no "${textOf(parameter.name)}"; it is read as "${like}"`;
    const mend = () => {
      holder.parameters[index] = { ...parameter, name: like };
    };
    return [{ pointer: `${place.pointer}${at}/parameters/${index}`, problem, mend }];
  });
}

/** Properties that say themselves whether they are required. */
function findRequiredProperties(part: RawDocument, place: Place): Fault[] {
  const { properties } = part;
  if (!isObject(properties)) return [];
  const stated: string[] = [];
  for (const name in properties) if (isFlag(properties[name]?.required)) stated.push(name);
  return stated.map((name) => {
    const property = properties[name];
    const { required } = property;
    const is = textOf(required).toLowerCase() === 'true';
    const problem = `its object lists what it requires; it is read as ${is ? 'one of these' : 'none'}`;
    const mend = () => {
      delete property.required;
      if (is) part.required = [...new Set([part.required ?? [], name].flat())];
    };
    return { pointer: `${place.pointer}/properties/${toToken(name)}/required`, problem, mend };
  });
}

/** Examples that are the value itself. */
function findBareExamples({ examples }: RawDocument, place: Place): Fault[] {
  if (!isObject(examples)) return [];
  return Object.entries(examples).flatMap(([name, value]) => {
    if (value === null || name.startsWith('x-') || isExample(value)) return [];
    const mend = () => {
      examples[name] = { value };
    };
    const problem = 'an example has a value; it is read as that';
    return [{ pointer: `${place.pointer}/examples/${toToken(name)}`, problem, mend }];
  });
}

const withValue = namesOf('$ref value externalValue dataValue serializedValue');

/** Whether a value has the form of an example: with a value, or with notes alone. */
function isExample(value: unknown): boolean {
  if (!isObject(value)) return false;
  const isNote = (name: string) => /^(summary|description|x-.*)$/.test(name);
  return withValue.some((name) => name in value) || Object.keys(value).every(isNote);
}

/** Paths that begin with a name. */
function findBarePaths({ paths }: RawDocument): Fault[] {
  if (!isObject(paths)) return [];
  const isFree = createIsFree(paths);
  return Object.keys(paths).flatMap((path) => {
    const whole = `/${path}`;
    if (!/^(?!x-)[\w{][^:]*$/i.test(path) || !isFree(whole)) return [];
    const problem = `a path must start with a slash; it is read as "${whole}"`;
    return [{ pointer: `/paths/${toToken(path)}`, problem, mend: rename(paths, path, whole) }];
  });
}

function findOtherHosts(part: RawDocument): Fault[] {
  const { swagger, host, basePath } = part;
  const toFault = (field: string, own: string): Fault => ({
    pointer: `/${field}`,
    problem: `"${part[field]}" is read as "${own}"`,
    mend: () => (part[field] = own),
  });
  if (swagger === undefined) return [];
  const isUrl = typeof host === 'string' && host.includes('://');
  const isBare = typeof basePath === 'string' && !basePath.startsWith('/');
  return [
    ...(isUrl ? [toFault('host', host.replace(/^.*:\/\/|\/$/g, ''))] : []),
    ...(isBare ? [toFault('basePath', `/${basePath}`)] : []),
  ];
}
