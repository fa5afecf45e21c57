import { DocumentError } from '../common/cli/usage-error.ts';
import { type RawDocument, resolve } from './schema.ts';

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
  /** What OpenAPI does not know, or what lacks a part that it needs; `given` is its type. */
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
  refreshUrl?: string;
};

/** A scheme, and the scopes that its token must have. */
export type Requirement = { scheme: SecurityScheme; scopes: readonly string[] };

/**
 * The ways in, of which a caller takes one: each has requirements that must all be met, and one
 * without any lets everybody in. No way at all means that nothing is asked.
 */
export type WaysIn = readonly (readonly Requirement[])[];

/** What an operation asks of its caller. */
export type Security = {
  waysIn: WaysIn;
  /** Whether a bearer token is needed, whichever of the ways in a caller takes. */
  secured: boolean;
};

/**
 * Reads what an operation asks of its caller. Throws a {@link DocumentError} for a scheme that the
 * document does not define.
 */
export function securityOf(raw: RawDocument, operation: RawDocument): Security {
  const asked: Record<string, string[]>[] = operation.security ?? raw.security ?? [];
  const waysIn = asked.map((way) =>
    Object.entries(way).map(([name, scopes]) => ({
      scheme: schemeOf(raw, name),
      scopes: Array.isArray(scopes) ? scopes.map(String) : [],
    })),
  );
  return {
    waysIn,
    secured: waysIn.length > 0 && waysIn.every((way) => way.some(({ scheme }) => isBearer(scheme))),
  };
}

/**
 * Returns the requirements that a caller can choose from where two of one need the same field, with
 * different contents, so that no request meets both; undefined where one request does.
 */
export function alternativesOf(
  raw: RawDocument,
  requirement: RawDocument,
): { names: string[]; ways: RawDocument[] } | undefined {
  const schemes = Object.keys(requirement).map((name) => schemeOf(raw, name));
  const ofFields = [...Map.groupBy(schemes, fieldOf)].map(([field, all]) =>
    field === undefined
      ? [all]
      : (Object.values(Object.groupBy(all, formOf)) as SecurityScheme[][]),
  );
  const choice = ofFields.find((forms) => forms.length > 1);
  if (!choice) return undefined;
  const picked = ofFields.reduce<SecurityScheme[][]>(
    (ways, forms) =>
      ways.flatMap((way) => forms.map((form) => [...way, ...form])).slice(0, maxWays),
    [[]],
  );
  const ways = picked.map((way) =>
    Object.fromEntries(way.map(({ name }) => [name, requirement[name]])),
  );
  return { names: choice.flat().map(({ name }) => name), ways };
}

/** How many alternatives one requirement may become. */
const maxWays = 100;

/** The field of a request that holds what a scheme needs; undefined for one that needs none. */
function fieldOf(scheme: SecurityScheme): string | undefined {
  if (scheme.type === 'apiKey')
    return `${scheme.in} ${scheme.in === 'header' ? scheme.parameter.toLowerCase() : scheme.parameter}`;
  return scheme.type === 'http' || isBearer(scheme) ? 'header authorization' : undefined;
}

/** How a field is written for a scheme: one bearer token may be of several. */
function formOf(scheme: SecurityScheme): string {
  return isBearer(scheme) ? 'bearer' : `its own, ${scheme.name}`;
}

/** The schemes of a document that its operations ask for, each once. */
export function usedSchemes(operations: readonly { waysIn: WaysIn }[]): SecurityScheme[] {
  const byName = new Map<string, SecurityScheme>();
  for (const { waysIn } of operations)
    for (const { scheme } of waysIn.flat()) byName.set(scheme.name, scheme);
  return [...byName.values()];
}

/** Whether a scheme takes a bearer token (RFC 6750), as those of OAuth 2.0 and OpenID do. */
export function isBearer(scheme: SecurityScheme): boolean {
  const { type } = scheme;
  return (
    type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && scheme.scheme === 'bearer')
  );
}

/** All schemes that a document defines, whether operations ask for them or not. */
export function definedSchemes({ components }: RawDocument): SecurityScheme[] {
  return Object.keys(components?.securitySchemes ?? {}).map((name) =>
    schemeOf({ components }, name),
  );
}

function schemeOf(raw: RawDocument, name: string): SecurityScheme {
  const node = resolve(raw, raw.components?.securitySchemes?.[name]);
  if (typeof node !== 'object' || node === null)
    throw new DocumentError(
      `its security asks for "${name}", which components.securitySchemes does not define`,
    );
  const words = wordsIn(String(node.description ?? ''));
  return { ...toScheme(name, node), ...(words.length > 0 && { words }) };
}

/** The words of `Authorization: WORD ...` in a text. */
function wordsIn(text: string): string[] {
  const found = text.matchAll(/\bauthorization["'`]?\s*:\s*["'`]?([a-z][\w-]*)\s/gi);
  return [...new Set([...found].map(([, word = '']) => word.toLowerCase()))].filter(
    (word) => word !== 'bearer' && word !== 'basic',
  );
}

const places: readonly unknown[] = ['header', 'query', 'cookie'];

function toScheme(name: string, node: RawDocument): SecurityScheme {
  const { type, in: place, name: parameter, scheme } = node;
  const isNamed = place === 'query' ? isText(parameter) : isToken(parameter);
  if (type === 'apiKey' && places.includes(place) && isNamed)
    return { name, type, in: place, parameter };
  if (type === 'http' && isToken(scheme)) return { name, type, scheme: scheme.toLowerCase() };
  if (type === 'oauth2') return { name, type, ...toOAuth(node) };
  if (type === 'openIdConnect') return { name, type, url: String(node.openIdConnectUrl ?? '') };
  if (type === 'mutualTLS') return { name, type };
  return { name, type: 'unknown', given: String(type) };
}

function toOAuth({ flows, oauth2MetadataUrl }: RawDocument) {
  const given: RawDocument = typeof flows === 'object' && flows !== null ? flows : {};
  return {
    flows: flowNames.flatMap((name) => {
      const flow = given[name];
      return typeof flow === 'object' && flow !== null ? [toFlow(name, flow)] : [];
    }),
    ...(isText(oauth2MetadataUrl) && { metadataUrl: oauth2MetadataUrl }),
  };
}

const urls = ['authorizationUrl', 'tokenUrl', 'refreshUrl'] as const;

function toFlow(name: FlowName, flow: RawDocument): OAuthFlow {
  const { scopes } = flow;
  return {
    name,
    scopes: typeof scopes === 'object' && scopes !== null ? Object.keys(scopes) : [],
    ...Object.fromEntries(urls.flatMap((url) => (isText(flow[url]) ? [[url, flow[url]]] : []))),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** What a header, a cookie or a scheme of HTTP may be called (RFC 9110 §5.6.2). */
function isToken(value: unknown): value is string {
  return isText(value) && /^[\w!#$%&'*+.^`|~-]+$/.test(value);
}

/** A scheme in a few words. */
export function describeScheme(scheme: SecurityScheme): string {
  if (scheme.type === 'apiKey') return `${scheme.in} ${scheme.parameter}`;
  if (scheme.type === 'unknown') return scheme.given;
  return scheme.type === 'http' ? `${scheme.scheme} credentials` : scheme.type;
}

/** Whether each operation asks for a bearer token that is a key, or for nothing. */
export function asksForKeysAlone(operations: readonly Pick<Security, 'waysIn'>[]): boolean {
  return operations.every(({ waysIn: [way, ...others] }) => {
    const [first, ...more] = way ?? [];
    if (others.length > 0 || more.length > 0) return false;
    return way === undefined || (first?.scheme.type === 'http' && first.scheme.scheme === 'bearer');
  });
}
