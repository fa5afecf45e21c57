/** A media type in lower case, without its parameters. */
export function toEssence(mediaType: string): string {
  return (mediaType.split(';')[0] as string).trim().toLowerCase();
}

/** Whether a media type is JSON, also by its suffix (RFC 6839 §3.1). */
export function isJsonMedia(mediaType: string): boolean {
  return /^(application|text)\/json$|\+json$/.test(mediaType);
}

/** The media types of forms, the simpler one first. */
export const formTypes: readonly string[] = [
  'application/x-www-form-urlencoded',
  'multipart/form-data',
];

/** Whether a media type is XML, also by its suffix (RFC 7303 §8). */
export function isXmlMedia(mediaType: string): boolean {
  return /^(application|text)\/([^/]+\+)?xml$/.test(mediaType);
}

/** Whether a media type is YAML, also by its suffix (RFC 9512 §2.2). */
export function isYamlMedia(mediaType: string): boolean {
  return /[/+](x-)?yaml$/.test(mediaType);
}

/**
 * Returns what begins each text of a sequence of JSON texts: nothing in JSON Lines, a record separator
 * in `json-seq` (RFC 7464); undefined for other media types. A line break ends each.
 */
export function sequenceMarkOf(mediaType: string): '' | '\x1e' | undefined {
  if (/^application\/(jsonl|x-jsonlines|x-ndjson|ndjson)$/.test(mediaType)) return '';
  return /^application\/([^/]+\+)?json-seq$/.test(mediaType) ? '\x1e' : undefined;
}

/** Whether a text is a range of media types: `image/*`, `application/*+json`. */
export function isRange(mediaType: string): boolean {
  return mediaType.includes('*');
}

/** Whether a media type fits another one, which may be a range. */
export function fitsRange(mediaType: string, range: string): boolean {
  if (range === '*/*' || range === mediaType) return true;
  const [start = '', end = ''] = range.split('*');
  const isPlain = end !== '' && mediaType === start + end.slice(1);
  return isRange(range) && mediaType.startsWith(start) && (isPlain || mediaType.endsWith(end));
}

/** The media type of a merge patch. */
export const mergePatchType = 'application/merge-patch+json';

/** The media type of a JSON Patch. */
export const jsonPatchType = 'application/json-patch+json';
