import { type Content, isJsonContent } from './content.ts';
import type { Operation, ResponseDescription } from './operation.ts';

/** The operation as if a response of it had this content alone. */
export function withContent(
  operation: Operation,
  response: ResponseDescription,
  content: Content,
): Operation {
  const { schema: _, likeness: _of, text: _or, ...others } = response;
  const [example] = Object.values(content.examples).filter((one) => typeof one === 'string');
  const isJson = isJsonContent(content);
  const own: ResponseDescription = {
    ...others,
    contents: [content],
    mediaTypes: [content.fullType],
    examples: isJson ? content.examples : {},
    // An example alone is what is answered, whatever a schema would say.
    ...(isJson && content.schema && { schema: content.schema }),
    ...(!isJson && example !== undefined && { text: { mediaType: content.fullType, example } }),
  };
  const responses = operation.responses.map((one) => (one === response ? own : one));
  return { ...operation, responses };
}
