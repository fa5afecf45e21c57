import { isObject } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { toPlainName } from '../../common/words.ts';
import { type RawDocument, resolveQuietly } from '../schema.ts';
import { type Fault, removal } from './fault.ts';
import { fieldsByKind, methods, type PartKind, type Place, type ValueShape } from './parts.ts';
import type { Places } from './places.ts';
import { parameterKeywords } from './swagger.ts';

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
  // `GET:` in a path item, `Responses:` in an operation, `Type:` in a schema.
  { find: findOtherCase },
  // `required: "true"`, `in: Query`, `servers: {url: /v1}`.
  { find: findOtherValues },
  // `Default:` and ` 200:` in responses.
  { kinds: ['operation'], find: findOtherStatuses },
  // `produces: [json]`, `content: {json: ...}`.
  { kinds: ['document', 'operation', ...withContent], find: findBareTypes },
  // `content: {application/json: {$ref: '#/components/mediaTypes/Pets'}}`.
  { kinds: withContent, find: findMediaReferences },
  // `/pets/{id}` whose parameter is named `ID`.
  { kinds: ['path item'], find: findOtherNames },
  // `{name: page, in: query, type: integer}` in OpenAPI 3.
  { kinds: ['parameter', 'header'], find: findOldParameters },
  // `properties: {name: {type: string, required: true}}`.
  { kinds: ['schema'], find: findRequiredProperties },
  // `examples: {one: {id: 1}}`.
  { kinds: ['example'], find: findBareExamples },
  // `host: https://api.example.com`, `basePath: v1`.
  { kinds: ['document'], find: findOtherHosts },
];

/**
 * Creates a visit that repairs a part in place, before the version of its document matters: `warn`
 * gets each fault before it is mended. `places` gets what is moved.
 */
export function createRepair(places: Places, warn: (fault: Fault) => void) {
  return (part: unknown, place: Place): void => {
    if (!isObject(part) || (place.kind === 'schema' && isAsWritten(part, place.root))) return;
    for (const { kinds, find } of repairs)
      for (const fault of (kinds?.includes(place.kind) ?? true) ? find(part, place) : []) {
        warn(fault);
        places.noteAll(part, places.find(place.root, place.pointer));
        fault.mend();
      }
  };
}

/** Tells quickly of a schema, as documents have many, that no repair finds anything in it. */
function isAsWritten(schema: RawDocument, { $self }: RawDocument): boolean {
  const { shapes, byLowerCase } = fieldsByKind.schema;
  for (const key of Object.keys(schema)) {
    const shape = shapes.get(key);
    if (shape === undefined ? byLowerCase.has(key.toLowerCase()) : isOther(schema[key], shape))
      return false;
  }
  const { properties, $ref } = schema;
  for (const name of Object.keys(isObject(properties) ? properties : {}))
    if ((properties[name]?.required ?? []).constructor !== Array) return false;
  return $self === undefined || $ref === undefined;
}

function isOther(value: unknown, shape: ValueShape): boolean {
  return shape !== 'any' && toMeant(value, shape) !== undefined;
}

function rename(holder: RawDocument, before: string, after: string): () => void {
  return () => {
    const entries = Object.entries(holder);
    for (const [key] of entries) delete holder[key];
    for (const [key, value] of entries) holder[key === before ? after : key] = value;
  };
}

function findOwnReferences(part: RawDocument, { pointer, root }: Place): Fault[] {
  const { $ref } = part;
  const [address, fragment] = typeof $ref === 'string' ? $ref.split('#') : [];
  if (typeof root.$self !== 'string' || fragment === undefined || !address) return [];
  const toUrl = (one: string) =>
    URL.parse(one, new URL(root.$self, 'https://localhost').href)?.href;
  if (toUrl(address) !== toUrl(root.$self)) return [];
  return [{ pointer: `${pointer}/$ref`, mend: () => (part.$ref = `#${fragment}`) }];
}

function findOtherCase(part: RawDocument, { kind, pointer }: Place): Fault[] {
  const { shapes, byLowerCase } = fieldsByKind[kind];
  return Object.keys(part).flatMap((key) => {
    const field = shapes.has(key) ? undefined : byLowerCase.get(key.toLowerCase());
    if (field === undefined || Object.hasOwn(part, field)) return [];
    const problem = `OpenAPI names this field "${field}"; it is read as that`;
    return [{ pointer: `${pointer}/${toToken(key)}`, problem, mend: rename(part, key, field) }];
  });
}

/** Flags as texts, words in another case, and one value where a list belongs. */
function findOtherValues(part: RawDocument, { kind, pointer }: Place): Fault[] {
  const { shapes } = fieldsByKind[kind];
  return Object.entries(part).flatMap(([field, value]: [string, unknown]) => {
    const meant = toMeant(value, shapes.get(field) ?? 'any');
    // A place or a scheme that is none is a fault of its own.
    if (meant === undefined || (meant === null && /^(in|type)$/.test(field))) return [];
    const end = meant === null ? 'it is ignored' : `it is read as ${meant}`;
    const problem = Array.isArray(meant)
      ? 'it is not a list and is read as one that holds it'
      : `"${value}" is no value of this field; ${end}`;
    const mend = () => {
      if (meant === null) delete part[field];
      else part[field] = meant;
    };
    return [{ pointer: `${pointer}/${field}`, problem, mend }];
  });
}

/** What a value is meant as that is none of a field; null if it may be anything. */
function toMeant(value: unknown, shape: ValueShape): unknown {
  const isText = typeof value === 'string';
  if (shape === 'list') return isText || isObject(value) ? [value] : undefined;
  if (shape === 'any' || !isText || shape.includes(value)) return undefined;
  const all = shape === 'flag' ? ['true', 'false'] : shape;
  const word = all.find((one) => toPlainName(one) === toPlainName(value));
  return shape === 'flag' && word !== undefined ? word === 'true' : (word ?? null);
}

function findOtherStatuses({ responses }: RawDocument, { pointer }: Place): Fault[] {
  return Object.keys(isObject(responses) ? responses : {}).flatMap((status) => {
    const own = status.trim().replace(/^default$/i, 'default');
    if (own === status || Object.hasOwn(responses, own)) return [];
    const problem = `"${status}" is no status; it is read as ${own}`;
    const mend = rename(responses, status, own);
    return [{ pointer: `${pointer}/responses/${toToken(status)}`, problem, mend }];
  });
}

/** A media type without parameters, as RFC 9110 §8.3.1 writes it. */
const mediaType = /^[^\s/,;\\]+\/[^\s/,;\\]+$/;

/** What a text is meant as that is no media type: one of several, or the end of one of JSON or XML. */
function toMediaType(text: string): string | undefined {
  const [first = ''] = text.toLowerCase().replace(/\s/g, '').replaceAll('\\', '/').split(',');
  if (mediaType.test(first)) return first;
  return /^[.+/]?((?:[\w.-]+\+)?(?:json|xml|yaml))$/.exec(first)?.[1]?.replace(/^/, 'application/');
}

function findBareTypes(part: RawDocument, { pointer }: Place): Fault[] {
  const faultOf = (type: unknown, at: string, mendBy: (type?: string) => () => void): Fault[] => {
    if (typeof type !== 'string' || mediaType.test(type.replace(/\s*;.*/s, ''))) return [];
    const whole = toMediaType(type);
    const end = whole === undefined ? 'left out' : `read as ${whole}`;
    const problem = `"${type}" is no media type; it is ${end}`;
    return [{ pointer: `${pointer}/${at}`, problem, mend: mendBy(whole) }];
  };
  const { content } = part;
  const ofLists = listsOfTypes.flatMap((name) =>
    [part[name] ?? []].flat().flatMap((type, index) =>
      faultOf(type, `${name}/${index}`, (whole) => () => {
        part[name] = part[name].with(index, whole ?? null);
      }),
    ),
  );
  const ofContent = Object.keys(isObject(content) ? content : {}).flatMap((type) =>
    faultOf(type, `content/${toToken(type)}`, (whole) =>
      whole === undefined ? removal(content, type) : rename(content, type, whole),
    ),
  );
  return [...ofLists, ...ofContent];
}

/** Media types by reference, since OpenAPI 3.2, take the place of what refers to them. */
function findMediaReferences({ content }: RawDocument, { pointer, root }: Place): Fault[] {
  if (!isObject(content)) return [];
  return Object.entries<RawDocument>(content).flatMap(([type, node]) => {
    const target = typeof node?.$ref === 'string' && resolveQuietly(root, node);
    if (!isObject(target)) return [];
    const mend = () => {
      content[type] = target;
    };
    return [{ pointer: `${pointer}/content/${toToken(type)}`, mend }];
  });
}

/** Path parameters that differ from the name in the path in case or separators, or are the only one left. */
function findOtherNames(item: RawDocument, { pointer, key, root }: Place): Fault[] {
  const inPath = [...String(key).matchAll(/\{([^{}=\s?*:+]+)[}=]/g)].map(([, name = '']) => name);
  const holders = [item, ...methods.map((method) => item[method])].filter((one) =>
    Array.isArray(one?.parameters),
  );
  if (!pointer.startsWith('/paths/') || inPath.length === 0) return [];
  const given = holders.flatMap(({ parameters }) =>
    parameters.flatMap((one: RawDocument) => {
      const parameter = isObject(one) ? resolveQuietly(root, one) : undefined;
      return parameter?.in === 'path' ? [parameter.name] : [];
    }),
  );
  const [left, ...more] = inPath.filter((name) => !given.includes(name));
  const isOnlyOne = new Set(given.filter((name) => !inPath.includes(name))).size === 1;
  const only = isOnlyOne && more.length === 0 ? left : undefined;
  return holders.flatMap((holder) => {
    const at = holder === item ? '' : `/${methods.find((one) => item[one] === holder)}`;
    return holder.parameters.flatMap((given: RawDocument, index: number) => {
      const parameter = isObject(given) ? resolveQuietly(root, given) : undefined;
      if (parameter?.in !== 'path' || inPath.includes(parameter.name)) return [];
      const isLike = (one: string) => toPlainName(one) === toPlainName(String(parameter.name));
      const like = inPath.find(isLike) ?? only;
      if (like === undefined) return [];
      const problem = `the path has {${like}}, and no "${parameter.name}"; it is read as "${like}"`;
      const mend = () => {
        holder.parameters[index] = { ...parameter, name: like };
      };
      return [{ pointer: `${pointer}${at}/parameters/${index}`, problem, mend }];
    });
  });
}

/** Parameters and headers that say what they are as in Swagger 2.0. */
function findOldParameters(part: RawDocument, { pointer, root }: Place): Fault[] {
  const isNew = root.swagger !== undefined || (part.schema ?? part.content) !== undefined;
  if (isNew || typeof part.type !== 'string') return [];
  const problem = 'this is of Swagger 2.0; it is read as that of a schema';
  const mend = () => {
    part.schema = {};
    for (const keyword of parameterKeywords.filter((one) => part[one] !== undefined)) {
      part.schema[keyword] = part[keyword];
      delete part[keyword];
    }
  };
  return [{ pointer: `${pointer}/type`, problem, mend }];
}

/** Properties that say themselves whether they are required. */
function findRequiredProperties(part: RawDocument, { pointer }: Place): Fault[] {
  const { properties } = part;
  return Object.entries<RawDocument>(isObject(properties) ? properties : {}).flatMap(
    ([name, property]) => {
      const required = isObject(property) ? property.required : undefined;
      if (!/^(true|false)$/i.test(String(required))) return [];
      const is = String(required).toLowerCase() === 'true';
      const problem = `its object lists what it requires; it is read as ${is ? 'one of these' : 'none'}`;
      const mend = () => {
        delete property.required;
        if (is) part.required = [...new Set([part.required ?? [], name].flat())];
      };
      return [{ pointer: `${pointer}/properties/${toToken(name)}/required`, problem, mend }];
    },
  );
}

/** Examples that are the value itself. */
function findBareExamples(part: RawDocument, { pointer, holder, key }: Place): Fault[] {
  const { shapes } = fieldsByKind.example;
  const isField = (name: string) => shapes.has(name) || name === '$ref' || name.startsWith('x-');
  if (Object.keys(part).some(isField)) return [];
  const mend = () => {
    holder[key] = { value: part };
  };
  return [{ pointer, problem: 'an example has a value; it is read as that', mend }];
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
