import { isObject } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { textOf } from '../../common/text-of.ts';
import { each, namesOf } from '../../common/words.ts';
import { type RawDocument, resolveQuietly, schemaKeywords } from '../schema.ts';
import { isPlainSchema } from './plain-schemas.ts';

/** The kind of a node of an OpenAPI 3 document, by the names of its specification. */
export type PartKind =
  | 'document'
  | 'components'
  | 'path item'
  | 'operation'
  | 'parameter'
  | 'header'
  | 'request body'
  | 'response'
  | 'media type'
  | 'encoding'
  | 'callback'
  | 'example'
  | 'link'
  | 'security scheme'
  | 'schema';

/** The content of a field: one part, a list of parts, or parts by name. */
type FieldShape = { kind: PartKind; as: 'one' | 'list' | 'map' };

type Fields = Readonly<Record<string, FieldShape>>;

const one = (kind: PartKind): FieldShape => ({ kind, as: 'one' });
const list = (kind: PartKind): FieldShape => ({ kind, as: 'list' });
const map = (kind: PartKind): FieldShape => ({ kind, as: 'map' });

/** The methods that a path item has fields for; `query` since OpenAPI 3.2. */
export const methods = namesOf('get put post delete options head patch trace query');

const content = { content: map('media type') };
const examples = { examples: map('example') };
const ofParameter = { schema: one('schema'), ...content, ...examples };
const encoding = {
  encoding: map('encoding'),
  prefixEncoding: list('encoding'),
  itemEncoding: one('encoding'),
};

/** The fields of each kind that hold further parts; `*` stands for all names but extensions. */
const fieldsOf: Readonly<Record<PartKind, Fields>> = {
  document: {
    paths: map('path item'),
    webhooks: map('path item'),
    components: one('components'),
    // Those of Swagger 2.0, and of mixtures.
    definitions: map('schema'),
    parameters: map('parameter'),
    responses: map('response'),
    securityDefinitions: map('security scheme'),
  },
  components: {
    schemas: map('schema'),
    responses: map('response'),
    parameters: map('parameter'),
    examples: map('example'),
    requestBodies: map('request body'),
    headers: map('header'),
    securitySchemes: map('security scheme'),
    links: map('link'),
    callbacks: map('callback'),
    pathItems: map('path item'),
    mediaTypes: map('media type'),
  },
  'path item': {
    parameters: list('parameter'),
    ...each(methods.join(' '), one('operation')),
    additionalOperations: map('operation'),
  },
  operation: {
    parameters: list('parameter'),
    requestBody: one('request body'),
    responses: map('response'),
    callbacks: map('callback'),
  },
  parameter: ofParameter,
  header: ofParameter,
  'request body': content,
  response: { headers: map('header'), ...content, links: map('link') },
  'media type': { schema: one('schema'), itemSchema: one('schema'), ...examples, ...encoding },
  encoding: { headers: map('header'), ...encoding },
  callback: { '*': one('path item') },
  example: {},
  link: {},
  'security scheme': {},
  schema: {
    ...each(schemaKeywords.one.join(' '), one('schema')),
    ...each(schemaKeywords.list.join(' '), list('schema')),
    ...each(schemaKeywords.map.join(' '), map('schema')),
  },
};

/**
 * The value of a field: a flag, a list, one of names, an object that is no reference, one of some
 * words, or any.
 */
export type ValueShape = 'flag' | 'list' | 'names' | 'object' | 'any' | readonly string[];

/** The places of parameters in a request. */
export const placesOfParameters = namesOf('query path header cookie querystring');
const styles = namesOf(
  'form simple matrix label spaceDelimited pipeDelimited tabDelimited dotDelimited deepObject cookie',
);
const flagsOfParameter = each<ValueShape>(
  'required deprecated allowEmptyValue allowReserved explode',
  'flag',
);
const described = each<ValueShape>('summary description', 'any');
const ofHeader: Readonly<Record<string, ValueShape>> = {
  ...described,
  ...flagsOfParameter,
  example: 'any',
  style: styles,
};

/** Further fields of each kind; those of Swagger 2.0 stand where a document has no others like them. */
const valuesOf: Readonly<Partial<Record<PartKind, Readonly<Record<string, ValueShape>>>>> = {
  document: {
    ...each<ValueShape>('openapi $self swagger info host basePath', 'any'),
    ...each<ValueShape>('servers security tags schemes consumes produces', 'list'),
  },
  'path item': { ...described, servers: 'list' },
  operation: {
    ...each<ValueShape>('summary description externalDocs operationId', 'any'),
    ...each<ValueShape>('servers security tags schemes consumes produces', 'list'),
    deprecated: 'flag',
  },
  parameter: { ...ofHeader, name: 'any', in: [...placesOfParameters, 'body', 'formData'] },
  header: ofHeader,
  'request body': { description: 'any', required: 'flag' },
  response: described,
  'media type': each<ValueShape>('example description', 'any'),
  encoding: {
    ...each<ValueShape>('contentType style', 'any'),
    ...each<ValueShape>('explode allowReserved', 'flag'),
  },
  example: each<ValueShape>(
    'summary description value externalValue dataValue serializedValue',
    'any',
  ),
  'security scheme': {
    type: namesOf('apiKey http oauth2 openIdConnect mutualTLS basic'),
    in: placesOfParameters,
    ...each<ValueShape>('name scheme flows bearerFormat openIdConnectUrl', 'any'),
  },
  schema: {
    ...each<ValueShape>('$ref type format pattern minimum maximum minLength maxLength', 'any'),
    ...each<ValueShape>('default example title description', 'any'),
    ...each<ValueShape>('nullable readOnly writeOnly deprecated uniqueItems', 'flag'),
    required: 'names',
    enum: 'list',
  },
};

type FieldsOfKind = {
  shapes: ReadonlyMap<string, ValueShape>;
  /** The names of the fields by these in lower case. */
  byLowerCase: ReadonlyMap<string, string>;
};

function toShape({ kind, as }: FieldShape): ValueShape {
  if (as === 'list') return 'list';
  return as === 'map' || kind === 'operation' ? 'object' : 'any';
}

export const fieldsByKind = Object.fromEntries(
  Object.entries(fieldsOf).map(([kind, fields]) => {
    const parts = Object.entries(fields).map(([name, shape]) => [name, toShape(shape)] as const);
    const shapes = new Map([...parts, ...Object.entries(valuesOf[kind as PartKind] ?? {})]);
    const byLowerCase = new Map([...shapes.keys()].map((name) => [name.toLowerCase(), name]));
    return [kind, { shapes, byLowerCase }];
  }),
) as unknown as Readonly<Record<PartKind, FieldsOfKind>>;

/** The place of a part in its document. */
export type Place = {
  readonly kind: PartKind;
  /** A JSON pointer, without `#`. */
  readonly pointer: string;
  /** The object or the list that holds the part, and its key there. */
  readonly holder: RawDocument;
  readonly key: string | number;
  /** The pointer to the field that holds it among others, from the part above; '' if `key` is the field. */
  readonly field: string;
  readonly root: RawDocument;
};

/** A place whose pointer is written when it is asked for: of hundreds of thousands, few are. */
class LatePlace implements Place {
  // Fields that are declared alone take no time of their own.
  declare readonly kind: PartKind;
  declare readonly holder: RawDocument;
  declare readonly key: string | number;
  declare readonly root: RawDocument;
  declare readonly field: string;
  declare private readonly above: Place;

  constructor(kind: PartKind, holder: RawDocument, key: string | number, above: Place, field = '') {
    this.kind = kind;
    this.holder = holder;
    this.key = key;
    this.root = above.root;
    this.above = above;
    this.field = field;
  }

  get pointer(): string {
    return `${this.above.pointer}${this.field}/${toToken(textOf(this.key))}`;
  }
}

/** A part of a document, which may be anything, and its place. */
export type Part = { readonly part: unknown; readonly place: Place };

/**
 * Visits each part of an OpenAPI 3 document once, from the outside in, whatever it is but a plain
 * schema; examples, extensions and other values are no parts. What a visit changes within its part is
 * followed as it is after that. Returns all that it visits, in this order.
 */
export function walkDocument(
  document: RawDocument,
  visit?: (part: unknown, place: Place) => void,
): Part[] {
  const parts: Part[] = [];
  const seen = new Set<unknown>();
  const isVisited = (value: unknown, kind: PartKind) =>
    !seen.has(value) && (kind !== 'schema' || !isPlainSchema(value));
  const enter = (part: unknown, place: Place): void => {
    if (typeof part === 'object' && part !== null) seen.add(part);
    visit?.(part, place);
    parts.push({ part, place });
    if (!isObject(part)) return;
    const fields = shapesOf[place.kind];
    const rest = fields.get('*');
    for (const name in part) {
      const isOther = name.startsWith('x-') || name === '$ref';
      const shape = fields.get(name) ?? (isOther ? undefined : rest);
      if (shape) enterField(part, place, name, shape);
    }
  };
  const enterField = (
    holder: RawDocument,
    place: Place,
    name: string,
    { kind, as }: FieldShape,
  ): void => {
    const value: unknown = holder[name];
    if (as === 'one') {
      if (isVisited(value, kind)) enter(value, new LatePlace(kind, holder, name, place));
      return;
    }
    if (as === 'list' ? !Array.isArray(value) : !isObject(value)) return;
    const held = value as RawDocument;
    const field = `/${name}`;
    for (const key of Object.keys(held)) {
      if (!isVisited(held[key], kind) || (as === 'map' && isExtension(key, kind))) continue;
      const own = as === 'list' ? Number(key) : key;
      enter(held[key], new LatePlace(kind, held, own, place, field));
    }
  };
  enter(document, {
    kind: 'document',
    pointer: '',
    holder: {},
    key: '',
    field: '',
    root: document,
  });
  return parts;
}

const shapesOf = Object.fromEntries(
  Object.entries(fieldsOf).map(([kind, fields]) => [kind, new Map(Object.entries(fields))]),
) as Record<PartKind, Map<string, FieldShape>>;

/** The kind of the parts that a field holds several of; undefined where it holds none, or one. */
export function kindIn(kind: PartKind, field: string): PartKind | undefined {
  const shape = shapesOf[kind].get(field);
  return shape?.as === 'one' ? undefined : shape?.kind;
}

/** Returns the kind of the part at a pointer of a document; undefined where none stands. */
export function kindAt(pointer: string): PartKind | undefined {
  let shape: FieldShape | undefined = one('document');
  for (const token of pointer.split('/').slice(1)) {
    if (shape?.as !== 'one') shape = shape && one(shape.kind);
    else shape = shapesOf[shape.kind].get(token) ?? shapesOf[shape.kind].get('*');
  }
  return shape?.as === 'one' ? shape.kind : undefined;
}

/** Whether a value stands for what it refers to. */
export function isReference(value: unknown): value is { $ref: string } {
  return isObject(value) && typeof value.$ref === 'string';
}

/** A parameter with its reference followed, and its place in what describes it. */
export type DescribedParameter = {
  parameter: RawDocument;
  /** The path item or the operation, and the pointer to it from the path item. */
  holder: RawDocument;
  at: string;
  index: number;
};

/** The parameters that a path item and its operations describe, if they lead somewhere. */
export function describedParameters(item: RawDocument, root: RawDocument): DescribedParameter[] {
  return ['', ...methods].flatMap((method) => {
    const holder: RawDocument | undefined = method === '' ? item : item[method];
    const all: unknown[] = Array.isArray(holder?.parameters) ? holder.parameters : [];
    return all.flatMap((one, index) => {
      const parameter = resolveQuietly(root, one);
      return parameter && holder ? { parameter, holder, at: method && `/${method}`, index } : [];
    });
  });
}

/** Paths, responses and callbacks may have extensions beside what they name. */
function isExtension(name: string, kind: PartKind): boolean {
  const mayHave = kind === 'path item' || kind === 'response' || kind === 'callback';
  return mayHave && name.startsWith('x-');
}
