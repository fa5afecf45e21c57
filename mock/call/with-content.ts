import type { Content, Operation, ResponseDescription } from '../../openapi/index.ts';
import { isJsonContent, toSentType } from '../../openapi/model/content.ts';

/** Returns the operation as if a response of it had this content alone. */
export function withContent(
  operation: Operation,
  response: ResponseDescription,
  content: Content,
): Operation {
  const own = withoutContents(response);
  own.contents = [content];
  own.mediaTypes = [content.fullType];
  const [example] = Object.values(content.examples).filter((one) => typeof one === 'string');
  if (content.isXml && example === undefined) own.examples = content.examples;
  if (isJsonContent(content)) {
    own.examples = content.examples;
    if (content.schema) own.schema = content.schema;
  } else if (example !== undefined) own.text = { mediaType: toSentType(content), example };
  const responses = operation.responses.map((one) => (one === response ? own : one));
  return { ...operation, responses };
}

function withoutContents(response: ResponseDescription): ResponseDescription {
  const { schema: _schema, likeness: _likeness, text: _text, ...others } = response;
  return { ...others, contents: [], mediaTypes: [], examples: {} };
}
