import { stringifyExact } from '../../common/json.ts';
import { isYamlMedia, sequenceMarkOf } from '../../common/media-type.ts';
import type { Content } from './content.ts';

/** A body as text, and its media type with what is needed to read it. */
export type WrittenBody = { mediaType: string; body: string };

/** A form field, with the media type of a file or of the document's `encoding`. */
export type FormPart = { name: string; text: string; type?: string };

/** The boundary of multipart forms, which no value is expected to hold. */
const boundary = 'example-form-boundary';

/**
 * Writes a value as content other than JSON, so that what reads it by the same description has the
 * value again; undefined for media types whose form is not known.
 */
export function writeBody(
  { mediaType, schema, encoding, files }: Content,
  value: unknown,
): WrittenBody | undefined {
  if (mediaType.startsWith('text/') && mediaType !== 'text/xml')
    return { mediaType: toOneType(mediaType), body: toText(value) };
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (mediaType === 'application/octet-stream' || mediaType.endsWith('/*'))
    return { mediaType: toOneType(mediaType), body: toText(value) };
  const mark = sequenceMarkOf(mediaType);
  if (mark !== undefined && Array.isArray(value))
    return { mediaType, body: value.map((one) => `${mark}${stringifyExact(one)}\n`).join('') };
  // JSON is YAML.
  const json = isYamlMedia(mediaType) ? stringifyExact(value) : undefined;
  if (json !== undefined) return { mediaType, body: json };
  // A form may be described as the text that it is.
  if (mediaType === 'application/x-www-form-urlencoded' && schema && typeof value === 'string')
    return { mediaType, body: value };
  if (!isObject) return undefined;
  const parts = toFormParts({ encoding, files }, value);
  if (mediaType === 'application/x-www-form-urlencoded')
    return {
      mediaType,
      body: new URLSearchParams(
        parts.map(({ name, text }): [string, string] => [name, text]),
      ).toString(),
    };
  if (mediaType !== 'multipart/form-data') return undefined;
  return {
    mediaType: `${mediaType}; boundary=${boundary}`,
    body: `${parts.map(toPart).join('')}--${boundary}--\r\n`,
  };
}

/** The fields that an object has as a form. */
export function toFormParts(
  { encoding, files }: Pick<Content, 'encoding' | 'files'>,
  value: object,
): FormPart[] {
  const pairs: (readonly [string, string])[] = Object.entries(value).flatMap(([name, inner]) => {
    const { style = 'form', explode = style === 'form' } = encoding[name] ?? {};
    const isJoined = Array.isArray(inner) && !explode && style !== 'deepObject';
    return isJoined
      ? [[name, inner.join(delimiters[style] ?? ',')] as const]
      : toPairs(name, inner, style === 'deepObject');
  });
  return pairs.map(([name, text]) => {
    const type = encoding[name]?.contentType?.split(',')[0]?.trim() ?? files[name];
    return { name, text, ...(type !== undefined && { type }) };
  });
}

/** The delimiters of lists in styles other than `form`. */
export const delimiters: Readonly<Record<string, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
};

/** One media type of a range. */
function toOneType(mediaType: string): string {
  return mediaType === '*/*' ? 'application/octet-stream' : mediaType.replace('*', 'x-example');
}

/** Brackets have no form for what is empty, so that is JSON. */
function toPairs(name: string, value: unknown, isNumbered: boolean): (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return [[name, toText(value)]];
  const isList = Array.isArray(value);
  const hasMembers = isList && value.some((inner) => typeof inner === 'object' && inner !== null);
  if (isList && !isNumbered)
    return hasMembers ? [[name, toText(value)]] : value.map((inner) => [name, toText(inner)]);
  return Object.entries(value).flatMap(([key, inner]) =>
    toPairs(`${name}[${key}]`, inner, isNumbered),
  );
}

function toPart({ text, ...part }: FormPart): string {
  return `${toPartHead(boundary, part)}${text}\r\n`;
}

/** The lines before the content of a part. */
export function toPartHead(
  boundary: string,
  {
    name,
    type,
    filename = 'example',
  }: { name: string; type?: string | undefined; filename?: string },
): string {
  const quoted = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const file = type === undefined ? '' : `; filename="${filename}"\r\nContent-Type: ${type}`;
  return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted}"${file}\r\n\r\n`;
}

/** A text as it is, nothing for null, and anything else as JSON. */
export function toText(value: unknown): string {
  const text = value ?? '';
  return typeof text === 'string' ? text : stringifyExact(text);
}
