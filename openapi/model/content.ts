import { fitsRange, isJsonMedia, isRange, toEssence } from '../../common/media-type.ts';
import type { Schema } from '../schema.ts';

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

/** Tells whether content is JSON; its schema may say that it is bytes, whatever its media type. */
export function isJsonContent({ mediaType, isText }: Content): boolean {
  return isJsonMedia(mediaType) && !isText;
}

/** The contents of a response, the schema of its JSON, and the one that its examples show. */
type Answer = { contents: readonly Content[]; schema?: Schema; likeness?: Schema };

/** The media types of a response, without parameters. */
export function mediaTypesOf({ contents }: Answer): string[] {
  return contents.map(({ mediaType }) => mediaType);
}

/** The schema of the values that a response holds: of its JSON, or else of its XML. */
export function heldSchemaOf({ likeness, schema, contents }: Answer): Schema | undefined {
  return likeness ?? schema ?? contents.find(({ isXml }) => isXml)?.schema;
}

/** The first text among the examples of content besides JSON, if a response has no JSON. */
export function textExampleOf({
  schema,
  contents,
}: Answer): { mediaType: string; text: string } | undefined {
  for (const content of schema ? [] : contents) {
    const text = Object.values(content.examples).find((one) => typeof one === 'string');
    if (text === undefined || isJsonContent(content)) continue;
    return { mediaType: toSentType({ ...content, isText: true }), text };
  }
  return undefined;
}

/** Returns the media type that content is sent as; of a range, the usual one in it. */
export function toSentType(content: Content): string {
  const { mediaType, fullType, isText } = content;
  if (!isRange(mediaType)) return fullType;
  const usual = isText ? ['text/plain', 'application/json'] : ['application/json', 'text/plain'];
  return usual.find((type) => fitsRange(type, mediaType)) ?? mediaType;
}
