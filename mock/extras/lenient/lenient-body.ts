import type { IncomingMessage } from 'node:http';
import { isObject } from '../../../common/json.ts';
import { fromToken } from '../../../common/json-pointer.ts';
import { toExcerpt } from '../../../common/look/visible.ts';
import { isJsonMedia, toEssence } from '../../../common/media-type.ts';
import { once } from '../../../common/once-per.ts';
import type { Operation } from '../../../openapi/index.ts';
import type { Answer } from '../../answers/answer.ts';
import type { InputOptions } from '../../call/operation-input.ts';
import type { Step } from '../../call/steps.ts';
import { unfitStatusOf } from '../../documented/responses.ts';
import { createParseBody } from '../../http/bodies/read-any-body.ts';
import { tolerate } from '../../http/locals.ts';
import {
  createParseJson,
  createReadBody,
  type ParseBytes,
  type ReadBody,
  type ReadRequestBody,
} from '../../http/read-body.ts';
import { parseExact } from '../../json/exact-json.ts';
import type { Validate } from '../../json/validator.ts';

/**
 * Reads a body of another media type, or of none, if it fits the description. Treats `null` as
 * absent for an optional property that does not allow it.
 */
export function createLenientBody(
  operation: Operation,
  options: InputOptions,
): Step<'around body'> {
  const readerOfOthers = once(() => createReadOther(operation, options));
  const validate = options.compileSchema(describedIn(operation)[0]?.schema ?? {}, 'readOnly');
  return async (call, read) => {
    const { request, response } = call;
    const strict = await read(call);
    if (!strict.refusal) return strict;
    const notes: string[] = [];
    let lenient: ReadBody = strict;
    if (strict.refusal.error?.code === 'unsupported_media_type') {
      const other = await readerOfOthers()(request, response);
      if (other.refusal && !other.problems && other.bytes) return { ...other, ...strict };
      notes.push(describeType(request));
      lenient = other;
    }
    // A change removes what it sets to null.
    const keepsNulls = operation.method === 'PATCH' || operation.kind === 'update';
    const fitting = withoutNulls(lenient, validate, keepsNulls);
    if (fitting) notes.push(fitting.note);
    for (const note of notes) tolerate(response, note);
    return fitting?.read ?? lenient;
  };
}

function describeType({ headers: { 'content-type': type } }: IncomingMessage): string {
  return type === undefined
    ? 'The body has no Content-Type.'
    : `The body is not described as ${toExcerpt(type, 100)}.`;
}

type BodyDescription = Parameters<typeof createParseBody>[1];

const json = 'application/json';

/** Returns the described contents of an operation's body, JSON first. */
function describedIn({ body, otherBody }: Operation): BodyDescription[] {
  const ofJson = body ? [{ mediaType: json, schema: body.schema, encoding: {} }] : [];
  return [...ofJson, ...(otherBody?.contents ?? [])];
}

/**
 * Creates the reader of a body whose media type is not described. The body is read as its sent
 * type, and as each described type. A body that is readable but invalid is refused as such.
 */
function createReadOther(
  operation: Operation,
  { document, compileSchema }: InputOptions,
): ReadRequestBody {
  const { body, otherBody } = operation;
  const unfitStatus = unfitStatusOf(operation);
  const described = describedIn(operation);
  const toParser = (content: BodyDescription): ParseBytes => {
    if (!isJsonMedia(content.mediaType))
      return createParseBody(document, content, { compileSchema, unfitStatus });
    const { schemaName } = body ?? {};
    return createParseJson(
      { schemaName, unfitStatus },
      compileSchema(content.schema ?? {}, 'readOnly'),
    );
  };
  const asDescribed = described.map(toParser);
  const parseBytes: ParseBytes = async (bytes, contentType) => {
    const mediaType = guessType(bytes, contentType);
    const [first] = described;
    const asSent = mediaType && first ? [toParser({ ...first, mediaType })] : [];
    const refused: Extract<ReadBody, { refusal: Answer }>[] = [];
    for (const parse of [...asSent, ...asDescribed]) {
      const read = await parse(bytes, contentType);
      if (!read.refusal) return read;
      refused.push(read);
    }
    return refused.find(({ problems }) => problems) ?? (refused[0] as (typeof refused)[0]);
  };
  const { required = false } = body ?? otherBody ?? {};
  return createReadBody({ required, unfitStatus, anyMediaType: true, parseBytes }, () => undefined);
}

/** Whether a body is JSON, by its first character or its type, or a form; undefined for others. */
function guessType(bytes: Buffer, contentType: string): string | undefined {
  const type = toEssence(contentType);
  if (isJsonMedia(type) || /^\s*[{[]/.test(bytes.toString('latin1', 0, 100))) return json;
  return /^(multipart\/form-data|application\/x-www-form-urlencoded)$/.test(type)
    ? type
    : undefined;
}

/** How often a value is looked at, as all problems of a large one are not found at once. */
const maxRounds = 100;

/** The body without the nulls that keep it from fitting; undefined where it does not fit without. */
function withoutNulls(
  { problems, text, bytes }: ReadBody & { problems?: unknown },
  validate: Validate,
  keepsNulls: boolean,
): { read: ReadBody; note: string } | undefined {
  if (!problems || !bytes || text === undefined) return undefined;
  try {
    const value = parseExact(text);
    const removed: string[] = [];
    for (let round = 0; round < maxRounds; round++) {
      const found = validate(value, bytes.length);
      if (!found) {
        const body = keepsNulls ? parseExact(text) : value;
        const note = `null is taken for absent: ${toExcerpt(removed.join(', '), 200)}.`;
        return removed.length > 0 ? { read: { body, bytes, text }, note } : undefined;
      }
      const nulls = found.map(({ pointer }) => pointer).filter((one) => removeNull(value, one));
      if (nulls.length === 0) return undefined;
      removed.push(...nulls.map((pointer) => pointer.slice(1)));
    }
  } catch {
    // It is no JSON.
  }
  return undefined;
}

/** Removes a member that is null from what holds it; gives whether there was one. */
function removeNull(root: unknown, pointer: string): boolean {
  const keys = pointer.split('/').slice(1).map(fromToken);
  const name = keys.pop();
  const holder = keys.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    root,
  );
  if (name === undefined || !isObject(holder) || holder[name] !== null) return false;
  return Reflect.deleteProperty(holder, name);
}
