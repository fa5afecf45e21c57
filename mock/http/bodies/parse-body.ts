import { isUtf8 } from 'node:buffer';
import type { Content } from '../../../contracts/description/content.ts';
import type { ApiDocument } from '../../../contracts/description/document.ts';
import { toStatedErrorAnswer } from '../../answers/answer.ts';
import { type CompileSchema, type Problem, toSentences } from '../../json/validator.ts';
import { decodeQuery, toQueryPairs } from '../parameters/raw-pairs.ts';
import { createToTyped } from '../parameters/typed-value.ts';
import { inBody, type ParseBytes } from '../read-body.ts';
import { createReadXml } from '../xml/read-xml.ts';
import { createToFormValue } from './form-value.ts';
import { readMultipart } from './multipart.ts';

export type ParseBodyOptions = { compileSchema: CompileSchema; unfitStatus: number };

/**
 * Makes what reads a body that is no JSON: forms, multipart forms, XML and texts by the types of
 * their schema. The bytes of other media types are taken as they are.
 */
export function createParseBody(
  document: ApiDocument,
  { mediaType, schema = {}, encoding, isXml }: Content,
  { compileSchema, unfitStatus }: ParseBodyOptions,
): ParseBytes {
  const validate = compileSchema(schema, 'readOnly');
  const toTyped = createToTyped(document, compileSchema);
  const toFormValue = createToFormValue(document, { schema, encoding }, toTyped);
  const malformed = (message: string, bytes: Buffer) => ({
    refusal: toStatedErrorAnswer('malformed_body', message, unfitStatus),
    bytes,
  });
  const conclude = (value: unknown, bytes: Buffer, found: readonly Problem[] = []) => {
    const text = isUtf8(bytes) ? { text: bytes.toString('utf8') } : {};
    const problems = [...found, ...(validate(value, bytes.length) ?? [])];
    if (problems.length === 0) return { body: value, doubles: value, bytes, ...text };
    const message = `The body is not valid. ${toSentences(problems)}`;
    const refusal = toStatedErrorAnswer('invalid_body', message, unfitStatus, inBody(problems));
    return { refusal, problems, bytes, ...text };
  };
  if (mediaType === 'application/x-www-form-urlencoded')
    return (bytes) => {
      const pairs = isUtf8(bytes) ? toQueryPairs(bytes.toString('utf8')) : undefined;
      const texts = pairs?.map(([name, raw]) => [name, decodeQuery(raw)] as const);
      if (!texts || texts.some(([, text]) => text === undefined))
        return malformed('The body is not a form in percent-encoded UTF-8.', bytes);
      if (texts.length > maxFields) return malformed(tooMany, bytes);
      const value = toFormValue(texts as [string, string][]);
      return value ? conclude(value, bytes) : malformed(contradictory, bytes);
    };
  if (mediaType === 'multipart/form-data')
    return async (bytes, contentType) => {
      const parts = await readMultipart(bytes, contentType, encoding);
      if (!parts) return malformed('The body is not a multipart form with its boundary.', bytes);
      if (parts.texts.length + parts.values.length > maxFields) return malformed(tooMany, bytes);
      const value = toFormValue(parts.texts, parts.values);
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
  if (mediaType.startsWith('text/') && mediaType !== 'text/xml')
    return (bytes) =>
      isUtf8(bytes)
        ? conclude(toTyped(schema, bytes.toString('utf8')), bytes)
        : malformed('The body is not valid UTF-8.', bytes);
  return (bytes) => ({ body: undefined, doubles: undefined, bytes });
}

/** The maximum number of fields: each is read by its schema. */
const maxFields = 10_000;

const tooMany = 'The form has more than 10,000 fields.';
const contradictory = 'The form gives one name a text and members.';
