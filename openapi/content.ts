import { isDeepStrictEqual } from 'node:util';
import { defined } from '../common/defined.ts';
import { isObject, parseJson } from '../common/json.ts';
import {
  fitsRange,
  isJsonMedia,
  isRange,
  isXmlMedia,
  jsonPatchType,
  mergePatchType,
  sequenceMarkOf,
  toEssence,
} from '../common/media-type.ts';
import { scalarOf } from './collections/schema-types.ts';
import { type Content, isJsonContent } from './model/content.ts';
import { typesOf } from './model/id-form.ts';
import { flatten, type RawDocument, resolve, type Schema } from './schema.ts';

/** The media types of a node with `content`, in the order of the document. */
export function contentsOf(raw: RawDocument, { content }: RawDocument): Content[] {
  return Object.entries<RawDocument | null>(content ?? {}).map(([type, described]) => {
    const node = described ?? {};
    const { schema } = node;
    const mediaType = toEssence(type);
    const isXml = isXmlMedia(mediaType) && hasParts(raw, schema);
    const isOfTexts = mediaType.startsWith('text/');
    const isScalar = isOfTexts ? isOfScalar : isOfText;
    const isBare = isOfTexts && !isXmlMedia(mediaType) && !schema && !node.itemSchema;
    const isText =
      (isBare || isScalar(raw, schema)) && (!isJsonMedia(mediaType) || isOfBytes(raw, schema));
    return defined({
      mediaType,
      fullType: type.toLowerCase(),
      schema: schema as Schema | undefined,
      itemSchema: node.itemSchema ?? (isText ? undefined : itemSchemaOf(raw, mediaType, schema)),
      examples:
        isJsonMedia(mediaType) && !isOfText(raw, schema)
          ? readExamples(examplesOf(raw, node), scalarOf(raw, schema).type === 'array')
          : examplesOf(raw, node, !isJsonMedia(mediaType)),
      encoding: node.encoding ?? {},
      files: type.toLowerCase().startsWith('multipart/') ? filesOf(raw, schema) : {},
      isXml: isXml ? (true as const) : undefined,
      isText: isText ? (true as const) : undefined,
    });
  });
}

/** Returns the schema of each item of a sequence: of a list, that of its items, else that of the content. */
function itemSchemaOf(raw: RawDocument, mediaType: string, schema?: Schema): Schema | undefined {
  if (sequenceMarkOf(mediaType) === undefined || !schema) return undefined;
  const whole = scalarOf(raw, schema);
  return whole.type === 'array' ? whole.items : schema;
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

/** The contents of JSON, where their schemas differ; undefined where they do not. */
export function variantsOf(raw: RawDocument, contents: readonly Content[]): Content[] | undefined {
  const json = contents.filter((one) => holdsJson(raw, one));
  return json.some(({ schema }) => !isDeepStrictEqual(schema, json[0]?.schema)) ? json : undefined;
}

/** Finds the content that is JSON: plain JSON before JSON by its suffix, and before a range. */
export function jsonContentOf(raw: RawDocument, contents: readonly Content[]): Content | undefined {
  return (
    contents.find((one) => one.fullType === 'application/json' && isJsonContent(one)) ??
    contents.find(isJsonContent) ??
    contents.find((one) => holdsJson(raw, one))
  );
}

/** Whether content is JSON, or of a range that holds JSON where its values are no mere texts. */
export function holdsJson(raw: RawDocument, content: Content): boolean {
  const { mediaType, schema } = content;
  const isOfRange = isRange(mediaType) && fitsRange('application/json', mediaType);
  return isJsonContent(content) || (isOfRange && schema !== undefined && !isOfText(raw, schema));
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
  const one = scalarOf(raw, schema);
  const { allOf = [], oneOf, anyOf = [] } = one;
  const others = [...(oneOf ?? anyOf)].filter((part) => scalarOf(raw, part).type !== 'null');
  const isAgain = (part: Schema) => depth < 5 && isEach(raw, part, isOf, depth + 1);
  return isOf(one) || allOf.some(isAgain) || (others.length > 0 && others.every(isAgain));
}

type IsOf = (schema: Schema) => boolean;

/**
 * Examples of JSON; those that are an object or a list written as a text are read. An object in the
 * place of a list is the only item of it.
 */
function readExamples(examples: Record<string, unknown>, areLists: boolean) {
  const toValue = (example: unknown) => {
    const isWritten = typeof example === 'string' && /^\s*[{[]/.test(example);
    const value = isWritten ? (parseJson(example) ?? example) : example;
    return areLists && isObject(value) ? [value] : value;
  };
  return Object.fromEntries(
    Object.entries(examples).map(([name, example]) => [name, toValue(example)]),
  );
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

/** Plain JSON first, as its schema describes the item. */
export function patchContent({ content }: RawDocument): RawDocument | undefined {
  return patchTypes.map((type) => content?.[type]).find((one) => one !== undefined);
}

const patchTypes = ['application/json', mergePatchType, jsonPatchType];

/** The media types of JSON that a PATCH takes, that of its schema first. */
export function patchTypesOf(
  raw: RawDocument,
  { content }: RawDocument,
): { mediaTypes: string[]; jsonPatch?: Schema } {
  const jsonPatch: RawDocument | undefined = content[jsonPatchType];
  const named = Object.keys(content).map(toEssence).filter(isJsonMedia);
  return {
    mediaTypes: [...new Set([...patchTypes.filter((one) => content[one]), ...named])],
    ...(jsonPatch && { jsonPatch: jsonPatchSchemaOf(raw, jsonPatch) }),
  };
}

/** Whether a body is a list of what a JSON Patch consists of. */
export function isListOfChanges(raw: RawDocument, { schema }: RawDocument): boolean {
  const { items } = resolve(raw, schema ?? {}) ?? {};
  const { properties } = flatten(raw, items);
  return ['op', 'path'].every((name) => Object.hasOwn(properties, name));
}

/** A schema that other media types share may say that a body is an object: this one is a list. */
function jsonPatchSchemaOf(raw: RawDocument, { schema = {} }: RawDocument): Schema {
  const types: unknown[] = [resolve(raw, schema)?.type ?? 'array'].flat();
  return types.includes('array') ? schema : { type: 'array' };
}
