import type { Request } from 'express';

/** A parameter of a range of media types, `q` aside (RFC 9110 §12.5.1). */
const rangeParameter = /;\s*(?!q\s*=)[^\s;,="]+\s*=\s*("(?:[^"\\]|\\.)*"|[^;,]*)/gi;

/**
 * The media type that a request accepts best; false where it accepts none of them. Ranges may give
 * parameters that no described type has, such as a charset, which rule nothing out then.
 */
export function findAccepted(request: Request, types: string[]): string | false {
  const exact = request.accepts(types);
  const { accept } = request.headers;
  if (exact !== false || !accept?.includes(';')) return exact;
  const headers = { ...request.headers, accept: accept.replace(rangeParameter, '') };
  return request.accepts.call({ headers } as Request, ...types);
}
