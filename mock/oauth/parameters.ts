import { OAuthError } from './oauth-error.ts';

/** The parameters of a request, each once; those without a value are as good as not sent. */
export type Parameters = ReadonlyMap<string, string>;

/** Reads a query or a form (RFC 6749 §3.1, §3.2). Throws OAuthError where one is sent twice. */
export function readParameters(text: string): Parameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '') continue;
    if (parameters.has(name))
      throw new OAuthError('invalid_request', `${toPlain(name)} must be sent once.`);
    parameters.set(name, value);
  }
  return parameters;
}

/** The value of a parameter. Throws OAuthError where it is missing. */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`);
  return value;
}

/** A text as a description may have it (RFC 6749 §5.2). */
export function toPlain(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\]/g, '').slice(0, 100);
}
