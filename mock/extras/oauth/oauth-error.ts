/** The errors of RFC 6749 §4.1.2.1 and §5.2. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope';

/** A request to the OAuth server that is refused; the message is its description. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

/** Refuses a request, with a description. */
export function refuse(code: OAuthErrorCode, description: string): never {
  throw new OAuthError(code, description);
}

/** The parameters of a request, each once; those without a value are as good as not sent. */
export type Parameters = ReadonlyMap<string, string>;

/** Reads a query or a form (RFC 6749 §3.1, §3.2). Throws OAuthError where one is sent twice. */
export function readParameters(text: string): Parameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '') continue;
    if (parameters.has(name)) refuse('invalid_request', `${toPlain(name)} must be sent once.`);
    parameters.set(name, value);
  }
  return parameters;
}

/** The value of a parameter. Throws OAuthError where it is missing. */
export function required(parameters: Parameters, name: string): string {
  return parameters.get(name) ?? refuse('invalid_request', `${name} is missing.`);
}

/** A text as a description may have it (RFC 6749 §5.2). */
export function toPlain(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\]/g, '').slice(0, 100);
}
