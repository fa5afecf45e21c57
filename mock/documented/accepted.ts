import type { Request } from 'express';
import { fitsRange, isJsonMedia, isRange } from '../../common/media-type.ts';
import type { Content } from '../../openapi/index.ts';
import { chooseContent, toSentType } from '../../openapi/model/content.ts';

/** Content that a request accepts, and the media type that it is sent as. */
export type AcceptedContent = { content: Content; mediaType: string };

/**
 * Returns the content that a request accepts best, the first one where it accepts all alike (RFC 9110
 * §12.5.1); undefined where it accepts none. Texts of a range are sent as the type that the request
 * names.
 */
export function chooseAccepted(
  request: Request,
  contents: readonly Content[],
): AcceptedContent | undefined {
  if (contents.length === 0) return undefined;
  const named = request.accepts().filter((type) => !isRange(type));
  const types = contents.flatMap((one) => {
    const sent = toSentType(one);
    const isOfAny = one.mediaType === '*/*' || !isRange(one.mediaType) || isJsonMedia(sent);
    return isOfAny ? [sent] : [...named.filter((type) => fitsRange(type, one.mediaType)), sent];
  });
  const mediaType = findAccepted(request, types);
  const content = mediaType ? chooseContent(contents, mediaType) : undefined;
  return content && mediaType ? { content, mediaType } : undefined;
}

/** A parameter of a range of media types, `q` aside (RFC 9110 §12.5.1). */
const rangeParameter = /;\s*(?!q\s*=)[^\s;,="]+\s*=\s*("(?:[^"\\]|\\.)*"|[^;,]*)/gi;

/**
 * Finds the media type that a request accepts best; false where it accepts none. Ranges may give
 * parameters that no described type has, such as a charset, which rule nothing out then.
 */
function findAccepted(request: Request, types: readonly string[]): string | false {
  const exact = request.accepts([...types]);
  const { accept } = request.headers;
  if (exact !== false || !accept?.includes(';')) return exact;
  const headers = { ...request.headers, accept: accept.replace(rangeParameter, '') };
  return request.accepts.call({ headers } as Request, ...types);
}
