import { formTypes, isJsonMedia } from '../../common/media-type.ts';
import type { Api, Content, Operation, Schema } from '../../openapi/index.ts';

/** A body that a caller can write: as JSON, or as a form where the operation takes no JSON. */
export type SendableBody = {
  schema: Schema;
  examples: Readonly<Record<string, unknown>>;
  /** That of the form, or of plain JSON. */
  mediaType: string;
  form?: Content;
};

type WithBody = Pick<Operation, 'body' | 'otherBody'>;

/** Returns the body to send to an operation; undefined where it takes neither JSON nor a form. */
export function sendableBodyOf({ body, otherBody }: WithBody): SendableBody | undefined {
  if (body) return { schema: body.schema, examples: body.examples, mediaType: jsonTypeOf(body) };
  const form = formTypes
    .map((type) => otherBody?.contents.find(({ mediaType }) => mediaType === type))
    .find((content) => content !== undefined);
  if (!form) return undefined;
  const { schema = {}, examples, mediaType } = form;
  return { schema, examples, mediaType, form };
}

/** The media type of plain JSON, which some APIs take by another name alone. */
function jsonTypeOf({ mediaTypes: [first] = [], mediaTypes }: NonNullable<Operation['body']>) {
  const plain = 'application/json';
  return mediaTypes?.includes(plain) ? plain : (first ?? plain);
}

/** Whether content is a file as a whole: neither JSON, XML, a text nor a form. */
export function isFileContent({ mediaType, isXml }: Content): boolean {
  const isForm = mediaType.startsWith('multipart/') || mediaType.endsWith('form-urlencoded');
  const isOther = isXml || mediaType.endsWith('xml') || /jsonl|ndjson|json-seq/.test(mediaType);
  return !isForm && !isOther && !isJsonMedia(mediaType);
}

/** Returns the body of an operation that takes a file as a whole; undefined where it takes none. */
export function fileBodyOf({ otherBody }: WithBody): SendableBody | undefined {
  const form = otherBody?.contents.find(isFileContent);
  if (!form) return undefined;
  return { schema: { type: 'string' }, examples: {}, mediaType: form.mediaType, form };
}

/** Whether an operation takes bodies of other kinds alone, such as XML or a file. */
export function takesOtherBodiesAlone(operation: WithBody): boolean {
  return operation.otherBody !== undefined && sendableBodyOf(operation) === undefined;
}

/** Describes the members of a body that an item is made of: in its wrapper, where it has one. */
export function describeFields(document: Api, operation: Operation) {
  const { schema = {} } = sendableBodyOf(operation) ?? {};
  const inner = (operation.fieldsAt ?? []).reduce<Schema>(
    (at, name) => document.schemas.describeSent(at).properties[name] ?? {},
    schema,
  );
  return document.schemas.describeSent(inner);
}
