import { isDeepStrictEqual } from 'node:util';
import { defined } from '../common/defined.ts';
import { parseJson } from '../common/json.ts';
import { fitsRange, isJsonMedia, isXmlMedia, toEssence } from '../common/media-type.ts';
import { scalarOf, typesOf } from './collections/schema-types.ts';
import { flatten, type RawDocument, resolve, type Schema } from './schema.ts';

/** How a property of a form or of multipart content is written (OpenAPI's Encoding Object). */
export type Encoding = { contentType?: string; style?: string; explode?: boolean };

/** A media type that a body, a response or a parameter may have, and what is said of it. */
export type Content = {
  /** In lower case and without parameters; it may be a range such as `image/*`. */
  mediaType: string;
  /** The same with the parameters that the document gives it. */
  fullType: string;
  schema?: Schema;
  /** The schema of each item of a sequence, such as a line of JSON Lines. */
  itemSchema?: Schema;
  examples: Record<string, unknown>;
  /** Of properties that the document says it of. */
  encoding: Readonly<Record<string, Encoding>>;
  /** The properties that hold files, or lists of them, with the media type of these. */
  files: Readonly<Record<string, string>>;
  /** Whether it is XML of which the schema describes the elements. */
  isXml?: true;
  /** Whether its values are texts that are sent as they are, and not as JSON. */
  isText?: true;
};

/**
 * The statuses whose answers have no content, whatever a document describes for them (RFC 9110
 * §15.3.5, §15.3.6, §15.4.5).
 */
export const withoutContent: readonly unknown[] = [204, 205, 304];

/** The media types of a node with `content`, in the order of the document. */
export function contentsOf(raw: RawDocument, { content }: RawDocument): Content[] {
  return Object.entries<RawDocument>(content ?? {}).map(([type, { schema, ...node }]) => {
    const mediaType = toEssence(type);
    const isXml = isXmlMedia(mediaType) && hasParts(raw, schema);
    const isScalar = mediaType.startsWith('text/') ? isOfScalar : isOfText;
    const isText = isScalar(raw, schema) && (!isJsonMedia(mediaType) || isOfBytes(raw, schema));
    return defined({
      mediaType,
      fullType: type.toLowerCase(),
      schema: schema as Schema | undefined,
      itemSchema: node.itemSchema as Schema | undefined,
      examples:
        isJsonMedia(mediaType) && !isText
          ? readTexts(examplesOf(raw, node))
          : examplesOf(raw, node, !isJsonMedia(mediaType)),
      encoding: node.encoding ?? {},
      files: type.toLowerCase().startsWith('multipart/') ? filesOf(raw, schema) : {},
      isXml: isXml ? (true as const) : undefined,
      isText: isText ? (true as const) : undefined,
    });
  });
}

function filesOf(raw: RawDocument, schema: Schema | undefined): Content['files'] {
  return Object.fromEntries(
    Object.entries(flatten(raw, schema).properties).flatMap(([name, property]) => {
      const type = fileTypeOf(raw, property);
      return type === undefined ? [] : [[name, type]];
    }),
  );
}

function fileTypeOf(raw: RawDocument, property: Schema): string | undefined {
  const { format, contentMediaType, items } = (resolve(raw, property) ?? {}) as Schema;
  if (typeof items === 'object' && items !== null) return fileTypeOf(raw, items as Schema);
  if (typeof contentMediaType === 'string') return contentMediaType;
  return format === 'binary' ? 'application/octet-stream' : undefined;
}

/** Whether a schema describes objects or lists, and not a whole text. */
function hasParts(raw: RawDocument, schema: Schema | undefined): boolean {
  const resolved = schema && resolve(raw, schema);
  return ['properties', 'additionalProperties', 'items', 'allOf', 'oneOf', 'anyOf'].some(
    (keyword) => resolved?.[keyword] !== undefined,
  );
}

/**
 * The content for a media type as a header gives it: the one with most of its parameters, else with the
 * same type, or else the narrowest range that it is in (RFC 9110 §12.5.1).
 */
export function chooseContent(contents: readonly Content[], type: string): Content | undefined {
  const mediaType = toEssence(type);
  const sent = parametersOf(type);
  const rankOf = (one: Content) => {
    const own = parametersOf(one.fullType);
    return own.every((parameter) => sent.includes(parameter)) ? own.length : -1;
  };
  return contents
    .filter((one) => fitsRange(mediaType, one.mediaType))
    .toSorted(
      (left, right) =>
        right.mediaType.length - left.mediaType.length || rankOf(right) - rankOf(left),
    )[0];
}

/** The parameters of a media type, in one form, without a charset. */
function parametersOf(type: string): string[] {
  const [, ...parameters] = type.toLowerCase().replaceAll(/[\s"]/g, '').split(';');
  return parameters.filter((one) => one !== '' && !one.startsWith('charset='));
}

/** The contents of JSON, where their schemas differ; undefined where they do not. */
export function variantsOf(contents: readonly Content[]): Content[] | undefined {
  const json = contents.filter(isJsonContent);
  return json.some(({ schema }) => !isDeepStrictEqual(schema, json[0]?.schema)) ? json : undefined;
}

/** Tells whether content is JSON; its schema may say that it is bytes, whatever its media type. */
export function isJsonContent({ mediaType, isText }: Content): boolean {
  return isJsonMedia(mediaType) && !isText;
}

/**
 * The content that is JSON: plain JSON before JSON by its suffix, and a range that holds JSON where
 * its values are no mere texts.
 */
export function jsonContentOf(raw: RawDocument, contents: readonly Content[]): Content | undefined {
  return (
    contents.find((one) => one.fullType === 'application/json' && isJsonContent(one)) ??
    contents.find(isJsonContent) ??
    contents.find(
      ({ mediaType, schema }) =>
        mediaType.endsWith('/*') &&
        fitsRange('application/json', mediaType) &&
        schema !== undefined &&
        !isOfText(raw, schema),
    )
  );
}

function isOfText(raw: RawDocument, schema: Schema | undefined): boolean {
  return isEach(raw, schema, (one) => typesOf(one).join() === 'string');
}

function isOfScalar(raw: RawDocument, schema: Schema | undefined): boolean {
  const isScalar = (type: unknown) => type !== 'object' && type !== 'array';
  return isEach(raw, schema, (one) => typesOf(one).length > 0 && typesOf(one).every(isScalar));
}

function isOfBytes(raw: RawDocument, schema: Schema | undefined): boolean {
  return isEach(raw, schema, ({ format }) => format === 'binary');
}

/** Whether a schema, a part of its `allOf` or each alternative but `null` is of a kind. */
function isEach(raw: RawDocument, schema: Schema | undefined, isOf: IsOf, depth = 0): boolean {
  const { allOf = [], oneOf, anyOf = [], ...one } = scalarOf(raw, schema);
  const others = [...(oneOf ?? anyOf)].filter((part) => scalarOf(raw, part).type !== 'null');
  const isAgain = (part: Schema) => depth < 5 && isEach(raw, part, isOf, depth + 1);
  return isOf(one) || allOf.some(isAgain) || (others.length > 0 && others.every(isAgain));
}

type IsOf = (schema: Schema) => boolean;

/** The schema of the values that a response holds: of its JSON, or else of its XML. */
export function heldSchemaOf({
  likeness,
  schema,
  contents,
}: {
  likeness?: Schema;
  schema?: Schema;
  contents: readonly Content[];
}): Schema | undefined {
  return likeness ?? schema ?? contents.find(({ isXml }) => isXml)?.schema;
}

/** Examples of JSON; those that are an object or a list written as a text are read. */
function readTexts(examples: Record<string, unknown>): Record<string, unknown> {
  const toValue = (example: unknown) => {
    if (typeof example !== 'string' || !/^\s*[{[]/.test(example)) return example;
    return parseJson(example) ?? example;
  };
  return Object.fromEntries(
    Object.entries(examples).map(([name, example]) => [name, toValue(example)]),
  );
}

/** The media type that content of a type or of a range is sent as. */
export function toSentType({ mediaType, fullType }: Content): string {
  if (!mediaType.endsWith('/*')) return fullType;
  return fitsRange('application/json', mediaType) ? 'application/json' : mediaType;
}

/** The media type that a text of a type or of a range is sent as. */
export function toSentTextType({ mediaType, fullType }: Content): string {
  const isRange = mediaType.endsWith('/*');
  return isRange && fitsRange('text/plain', mediaType) ? 'text/plain' : fullType;
}

/**
 * The examples of a node by their names; the one without a name is called `example`. Since OpenAPI
 * 3.2, one may be given as data, as it is sent, or as both.
 */
export function examplesOf(
  raw: RawDocument,
  node: RawDocument,
  isSent = false,
): Record<string, unknown> {
  const named = Object.entries<RawDocument>(node.examples ?? {}).flatMap(([name, example]) => {
    const { dataValue, serializedValue, value = dataValue } = resolve(raw, example);
    const [first, other] = isSent ? [serializedValue, value] : [value, serializedValue];
    const shown = first === undefined ? other : first;
    // One in a file that is not read shows nothing.
    return shown === undefined ? [] : [[name, shown]];
  });
  return node.example === undefined
    ? Object.fromEntries(named)
    : { example: node.example, ...Object.fromEntries(named) };
}
