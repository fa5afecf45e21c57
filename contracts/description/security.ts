import { DocumentError, type RawDocument, resolve } from './schema.ts';

/** What an operation asks of its caller. */
export type Security = {
  /** Whether a bearer token is needed, whichever of the ways in a caller takes. */
  secured: boolean;
  /** What else it asks for, in words: other schemes, and the scopes of a token. */
  alsoAsks: string[];
};

/** A bearer token is what these send too (RFC 6750). */
const tokenTypes = ['oauth2', 'openIdConnect'];

/**
 * Reads what an operation asks of its caller. Throws a {@link DocumentError} for a scheme that the
 * document does not define.
 */
export function securityOf(raw: RawDocument, operation: RawDocument): Security {
  const alternatives: Record<string, string[]>[] = operation.security ?? raw.security ?? [];
  const alsoAsks = new Set<string>();
  const needsToken = alternatives.map((schemes) => {
    let token = false;
    for (const [name, scopes] of Object.entries(schemes)) {
      const scheme = schemeOf(raw, name);
      if (!isToken(scheme)) alsoAsks.add(`${name} (${toWords(scheme)})`);
      else if (scopes?.length > 0) alsoAsks.add(`scopes of ${name}`);
      token ||= isToken(scheme);
    }
    return token;
  });
  return { secured: needsToken.length > 0 && needsToken.every(Boolean), alsoAsks: [...alsoAsks] };
}

function schemeOf(raw: RawDocument, name: string): RawDocument {
  const scheme = resolve(raw, raw.components?.securitySchemes?.[name]);
  if (typeof scheme !== 'object' || scheme === null)
    throw new DocumentError(
      `its security asks for "${name}", which components.securitySchemes does not define`,
    );
  return scheme;
}

function isToken({ type, scheme }: RawDocument): boolean {
  return (
    tokenTypes.includes(type) || (type === 'http' && String(scheme).toLowerCase() === 'bearer')
  );
}

function toWords({ type, scheme, in: where, name }: RawDocument): string {
  if (type === 'apiKey') return `${where} ${name}`;
  return type === 'http' ? `${scheme} credentials` : String(type);
}
