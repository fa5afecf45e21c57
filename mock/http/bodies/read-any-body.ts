import {
  type Content,
  fitsRange,
  isJsonMedia,
  toEssence,
} from '../../../contracts/description/content.ts';
import type { ApiDocument, Operation } from '../../../contracts/description/document.ts';
import { toErrorAnswer, toStatedErrorAnswer } from '../../answers/answer.ts';
import { unfitStatusOf } from '../../documented/responses.ts';
import type { CompileSchema } from '../../json/validator.ts';
import { countHeader } from '../authenticate.ts';
import { hasBody } from '../body-bytes.ts';
import { createReadBody, type ReadRequestBody } from '../read-body.ts';
import { createParseBody } from './parse-body.ts';

export type ReadAnyBodyOptions = {
  document: ApiDocument;
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
  return async (request, response, beforeParse) => {
    if (!hasBody(request))
      return required ? { refusal: missing } : { body: undefined, doubles: undefined };
    const sent = request.headers['content-type'];
    if (sent === undefined) return refuse('but has no Content-Type');
    if (countHeader(request, 'content-type') > 1) return refuse('once');
    const type = toEssence(sent);
    if (
      readJson &&
      (jsonTypes.includes(type) || (isJsonMedia(type) && !findContent(contents, type)))
    )
      return readJson(request, response, beforeParse);
    const content = findContent(contents, type);
    const read = content && readers.get(content);
    return read ? read(request, response, beforeParse) : refuse(`but is ${type || 'malformed'}`);
  };
}

/** The content of a media type, or of the narrowest range that it is in. */
function findContent(contents: readonly Content[], type: string): Content | undefined {
  return (
    contents.find(({ mediaType }) => mediaType === type) ??
    contents
      .filter(({ mediaType }) => fitsRange(type, mediaType))
      .toSorted((left, right) => right.mediaType.length - left.mediaType.length)[0]
  );
}
