import { isUtf8 } from 'node:buffer';
import {
  fitsRange,
  isJsonMedia,
  isYamlMedia,
  sequenceMarkOf,
  toEssence,
} from '../../../common/media-type.ts';
import { parseText } from '../../../common/parse-text.ts';
import type { Api, Content, Operation } from '../../../openapi/index.ts';
import { chooseContent } from '../../../openapi/model/content.ts';
import { toErrorAnswer, toStatedErrorAnswer } from '../../answers/answer.ts';
import { unfitStatusOf } from '../../documented/responses.ts';
import { parseExact } from '../../json/exact-json.ts';
import type { CompileSchema, Problem } from '../../json/validator.ts';
import { toQueryPairs } from '../parameters/read-written.ts';
import { createToTyped, typesIn } from '../parameters/typed-value.ts';
import {
  createConclude,
  createReadBody,
  hasBody,
  type ParseBytes,
  type ReadRequestBody,
} from '../read-body.ts';
import { createReadXml } from '../xml/read-xml.ts';
import { createToFormValue, readMultipart } from './forms.ts';

export type ReadAnyBodyOptions = {
  document: Api;
  compileSchema: CompileSchema;
  /** The reader of the operation's JSON body, if it may have one. */
  readJson: ReadRequestBody | undefined;
};

/** Makes the reader of a body that may be no JSON: by its media type, what fits it best first. */
export function createReadAnyBody(
  operation: Operation & { otherBody: NonNullable<Operation['otherBody']> },
  { document, compileSchema, readJson }: ReadAnyBodyOptions,
): ReadRequestBody {
  const { body, otherBody } = operation;
  const { contents, required } = otherBody;
  const unfitStatus = unfitStatusOf(operation);
  const readers = new Map<Content, ReadRequestBody>();
  for (const content of contents) {
    const parseBytes = createParseBody(document, content, { compileSchema, unfitStatus });
    const options = { required, unfitStatus, anyMediaType: true, parseBytes };
    readers.set(
      content,
      createReadBody(options, () => undefined),
    );
  }
  const jsonTypes = body ? (body.mediaTypes ?? ['application/json']) : [];
  const types = [...jsonTypes, ...contents.map(({ mediaType }) => mediaType)];
  const named = types.join('" or "');
  const missing = toStatedErrorAnswer(
    'malformed_body',
    `The body is missing. Send it as "Content-Type: ${named}".`,
    unfitStatus,
  );
  const refuse = (problem: string) => ({
    refusal: toErrorAnswer(
      'unsupported_media_type',
      `The body must be sent as "Content-Type: ${named}", ${problem}.`,
      { [operation.method === 'PATCH' ? 'Accept-Patch' : 'Accept']: types.join(', ') },
    ),
  });
  return async (request, response) => {
    if (!hasBody(request)) return required ? { refusal: missing } : { body: undefined };
    const sent = request.headers['content-type'];
    if (sent === undefined) return refuse('but has no Content-Type');
    const type = toEssence(sent);
    if (
      readJson &&
      (jsonTypes.some((one) => fitsRange(type, one)) ||
        (isJsonMedia(type) && !chooseContent(contents, sent)))
    )
      return readJson(request, response);
    const content = chooseContent(contents, sent);
    const read = content && readers.get(content);
    return read ? read(request, response) : refuse(`but is ${type || 'malformed'}`);
  };
}

type ParseBodyOptions = { compileSchema: CompileSchema; unfitStatus: number };

/**
 * Creates a parser of bodies other than JSON: forms, XML, sequences, YAML, and texts by the types of
 * their schema. Bytes of other media types stay as they are.
 */
export function createParseBody(
  document: Api,
  {
    mediaType,
    schema = {},
    encoding,
    isXml,
    isText,
  }: Pick<Content, 'mediaType' | 'schema' | 'encoding' | 'isXml' | 'isText'>,
  { compileSchema, unfitStatus }: ParseBodyOptions,
): ParseBytes {
  const toTyped = createToTyped(document, compileSchema);
  const toFormValue = createToFormValue(document, { schema, encoding }, toTyped);
  const malformed = (message: string, bytes: Buffer) => ({
    refusal: toStatedErrorAnswer('malformed_body', message, unfitStatus),
    bytes,
  });
  const check = createConclude({ unfitStatus }, compileSchema(schema, 'readOnly'));
  const conclude = (value: unknown, bytes: Buffer, found?: readonly Problem[]) => {
    const text = isUtf8(bytes) ? { text: bytes.toString('utf8') } : {};
    return check(value, { bytes, ...text }, found);
  };
  const types = typesIn(document)(schema);
  const isTextAlone = types.has('string') && !types.has('object');
  if (mediaType === 'application/x-www-form-urlencoded')
    return (bytes) => {
      const pairs = isUtf8(bytes) ? toQueryPairs(bytes.toString('utf8')) : undefined;
      if (!pairs) return malformed('The body is not a form in percent-encoded UTF-8.', bytes);
      if (pairs.length > maxFields) return malformed(tooMany, bytes);
      const value = isTextAlone ? bytes.toString('utf8') : toFormValue(pairs);
      return value !== undefined ? conclude(value, bytes) : malformed(contradictory, bytes);
    };
  if (mediaType === 'multipart/form-data')
    return async (bytes, contentType) => {
      const parts = await readMultipart(bytes, contentType, encoding);
      if (!parts) return malformed('The body is not a multipart form with its boundary.', bytes);
      if (parts.texts.length + parts.values.length > maxFields) return malformed(tooMany, bytes);
      const fields = parts.texts.map(([name, text]) => [name, encodeURIComponent(text)] as const);
      const value = toFormValue(fields, parts.values);
      return value ? conclude(value, bytes, parts.problems) : malformed(contradictory, bytes);
    };
  if (isXml) {
    const readXml = createReadXml(document, schema, toTyped);
    return (bytes) => {
      if (!isUtf8(bytes)) return malformed('The body is not valid UTF-8.', bytes);
      const { value, problem } = readXml(bytes.toString('utf8'));
      return problem === undefined ? conclude(value, bytes) : malformed(problem, bytes);
    };
  }
  const mark = sequenceMarkOf(mediaType);
  if (mark !== undefined && !isText)
    return (bytes) => {
      const texts = bytes.toString('utf8').split(mark || '\n');
      const items: unknown[] = [];
      for (const text of texts.filter((one) => one.trim() !== ''))
        try {
          items.push(parseExact(text));
        } catch {
          return malformed(`Item ${items.length + 1} of the body is not valid JSON.`, bytes);
        }
      return conclude(items, bytes);
    };
  if (isYamlMedia(mediaType))
    return (bytes) => {
      let value: unknown;
      try {
        value = parseText(bytes.toString('utf8'));
      } catch {
        return malformed('The body is not valid YAML.', bytes);
      }
      return conclude(value, bytes);
    };
  const unread: ParseBytes = (bytes) => ({ body: undefined, bytes });
  const hasParts = !types.has('string') && (types.has('object') || types.has('array'));
  if (mediaType.startsWith('text/') && mediaType !== 'text/xml')
    return (bytes, contentType) => {
      if (!isUtf8(bytes)) return malformed('The body is not valid UTF-8.', bytes);
      const text = bytes.toString('utf8');
      // Objects and lists are read as JSON alone, and not as CSV.
      const isOther = hasParts && !/^\s*[{[]/.test(text);
      return isOther ? unread(bytes, contentType) : conclude(toTyped(schema, text), bytes);
    };
  return unread;
}

/** The maximum number of fields: each is read by its schema. */
const maxFields = 10_000;

const tooMany = 'The form has more than 10,000 fields.';
const contradictory = 'The form gives one name a text and members.';
