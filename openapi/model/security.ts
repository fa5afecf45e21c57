/** How a caller says who it is, as `components.securitySchemes` defines it. */
export type SecurityScheme = {
  name: string;
  /** Words that its description has before a token in Authorization besides Bearer, in lower case. */
  words?: readonly string[];
} & (
  | { type: 'apiKey'; in: 'header' | 'query' | 'cookie'; parameter: string }
  /** The scheme of the Authorization header, in lower case. */
  | { type: 'http'; scheme: string }
  | { type: 'oauth2'; flows: OAuthFlow[]; metadataUrl?: string }
  | { type: 'openIdConnect'; url: string }
  | { type: 'mutualTLS' }
  /** A scheme that OpenAPI does not know, or that lacks a part; `given` is its type. */
  | { type: 'unknown'; given: string }
);

/** The grants of OAuth 2.0 that OpenAPI names, but for that of devices. */
export const flowNames = [
  'authorizationCode',
  'clientCredentials',
  'password',
  'implicit',
] as const;

export type FlowName = (typeof flowNames)[number];

export type OAuthFlow = {
  name: FlowName;
  scopes: string[];
  /** As the document has them: perhaps relative to its server. */
  authorizationUrl?: string;
  tokenUrl?: string;
};

/** A scheme, and the scopes that its token must have. */
export type Requirement = { scheme: SecurityScheme; scopes: readonly string[] };

/**
 * The ways in, of which a caller takes one: each has requirements that must all be met, and one
 * without any lets everybody in. No way at all means that nothing is asked.
 */
export type WaysIn = readonly (readonly Requirement[])[];

/** The credentials that an operation asks for. */
export type Security = {
  waysIn: WaysIn;
};

/** Whether a bearer token is needed, whichever of the ways in a caller takes. */
export function isSecured({ waysIn }: Security = { waysIn: [] }): boolean {
  return waysIn.length > 0 && waysIn.every((way) => way.some(({ scheme }) => isBearer(scheme)));
}

/** The schemes of a document that its operations ask for, each once. */
export function usedSchemes(operations: readonly Security[]): SecurityScheme[] {
  const byName = new Map<string, SecurityScheme>();
  for (const { waysIn } of operations)
    for (const { scheme } of waysIn.flat()) byName.set(scheme.name, scheme);
  return [...byName.values()];
}

/** Whether a scheme takes the tokens of an authorization server: of OAuth 2.0, or of OpenID. */
export function isOAuth(
  scheme: SecurityScheme,
): scheme is Extract<SecurityScheme, { type: 'oauth2' | 'openIdConnect' }> {
  return scheme.type === 'oauth2' || scheme.type === 'openIdConnect';
}

/** Whether a scheme takes a bearer token (RFC 6750). */
export function isBearer(scheme: SecurityScheme): boolean {
  return isOAuth(scheme) || (scheme.type === 'http' && scheme.scheme === 'bearer');
}

/** A scheme in a few words. */
export function describeScheme(scheme: SecurityScheme): string {
  if (scheme.type === 'apiKey') return `${scheme.in} ${scheme.parameter}`;
  if (scheme.type === 'unknown') return scheme.given;
  return scheme.type === 'http' ? `${scheme.scheme} credentials` : scheme.type;
}

/** Whether each operation asks for a bearer token that is a key, or for nothing. */
export function asksForKeysAlone(operations: readonly Security[]): boolean {
  return operations.every(({ waysIn: [way, ...others] }) => {
    const [first, ...more] = way ?? [];
    if (others.length > 0 || more.length > 0) return false;
    return way === undefined || (first?.scheme.type === 'http' && first.scheme.scheme === 'bearer');
  });
}
