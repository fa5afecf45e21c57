import { isObject, stringifyExact } from '../../common/json.ts';
import { isJsonMedia, sequenceMarkOf } from '../../common/media-type.ts';
import type { Content, ResponseDescription, Schema } from '../../openapi/index.ts';
import { toSentType } from '../../openapi/model/content.ts';
import { writeBody } from '../../openapi/model/write-body.ts';
import type { TextAnswer } from '../answers/answer.ts';
import { parseExact } from '../json/exact-json.ts';
import type { MadeJson, MakeFitting } from '../json/make-fitting.ts';

/** Writes the items of a sequence, each as the JSON text of its value, in the form of a media type. */
export type WriteSequence = (items: readonly string[]) => string;

const byEvent: WriteSequence = (items) => items.map(toEvent).join('');

/** Content that is a sequence of described items, and how it is written. */
export type Sequence = { content: Content; itemSchema: Schema; write: WriteSequence };

/**
 * The contents of a response that are sequences of described items. The schema of an event stream that
 * is no text describes what its events hold.
 */
export function sequencesOf({ contents, likeness }: ResponseDescription): Sequence[] {
  return contents.flatMap((content) => {
    const { mediaType, schema, isText } = content;
    const ofEvents = mediaType === eventStream ? schema : (likeness?.items as Schema | undefined);
    const itemSchema = content.itemSchema ?? (isText ? undefined : ofEvents);
    const write = writeSequenceOf(mediaType);
    return itemSchema !== undefined && write ? [{ content, itemSchema, write }] : [];
  });
}

const itemsOfSequence = 3;

/** Makes the items of a sequence, different ones where the schema allows that. */
export function makeSequence({ itemSchema }: Sequence, makeFitting: MakeFitting): MadeJson[] {
  return Array.from({ length: itemsOfSequence }, (_, index) =>
    makeFitting(itemSchema, { seed: 1 + index }),
  ).filter((made) => made !== undefined);
}

/** Recognizes a text that is an event stream already. */
const written = /^(?:data|event|id|retry)?:/m;

/** Makes the text of content that is no JSON: what its schema describes, or any text without one. */
export function makeText(
  content: Content,
  makeFitting: MakeFitting,
): Pick<TextAnswer, 'text' | 'mediaType'> {
  const { mediaType, schema: itemSchema = { type: 'string' } } = content;
  const { text: json = '""' } = makeFitting(itemSchema, { seed: 1 }) ?? {};
  const value = parseExact(json);
  const sentType = toSentType(content);
  if (!content.schema && sequenceMarkOf(mediaType) !== undefined)
    return { text: writeSequenceOf(mediaType)?.([json]) ?? '', mediaType: sentType };
  const isJson = typeof value === 'object' || (!content.schema && isJsonMedia(sentType));
  const own = { text: isJson ? json : String(value), mediaType: sentType };
  if (mediaType === eventStream && !written.test(own.text)) {
    const made = makeSequence({ content, itemSchema, write: byEvent }, makeFitting);
    return { ...own, text: byEvent(textsOf(made)) };
  }
  const body = typeof value === 'object' ? writeBody(content, value) : undefined;
  return body ? { text: body.body, mediaType: body.mediaType } : own;
}

/** Returns the items that fit; a sequence may have none. */
export function textsOf(items: readonly MadeJson[]): string[] {
  return items.flatMap(({ text, problems }) => (problems ? [] : [text]));
}

/** Returns the writer for sequences of a media type; undefined for other types. */
function writeSequenceOf(mediaType: string): WriteSequence | undefined {
  const mark = sequenceMarkOf(mediaType);
  if (mark !== undefined) return (items) => items.map((item) => `${mark}${item}\n`).join('');
  return mediaType === eventStream ? byEvent : undefined;
}

export const eventStream = 'text/event-stream';

const fields = ['event', 'id', 'retry', 'data'];

/**
 * An event of the stream, a line for each of its fields and for each line of its data; what has other
 * members is the data of one.
 */
function toEvent(item: string): string {
  const value = parseExact(item);
  const names = isObject(value) ? Object.keys(value) : [];
  const isEvent = names.length > 0 && names.every((name) => fields.includes(name));
  const event = (isEvent ? value : { data: value }) as Readonly<Record<string, unknown>>;
  const lines = fields.flatMap((name) => {
    const field = event[name];
    if (field === undefined || (field === null && isEvent)) return [];
    const text = typeof field === 'object' ? stringifyExact(field) : String(field);
    return text.split(/\r\n|\r|\n/).map((line) => `${name}: ${line}\n`);
  });
  return `${lines.join('')}\n`;
}
