import { DocumentError } from '../common/cli/usage-error.ts';
import { isObject } from '../common/json.ts';
import { textOf } from '../common/text-of.ts';
import { wordsOf } from '../common/words.ts';
import {
  type FlowName,
  flowNames,
  isBearer,
  type OAuthFlow,
  type Security,
  type SecurityScheme,
} from './model/security.ts';
import { type RawDocument, resolve } from './schema.ts';

/**
 * Reads what an operation asks of its caller. Throws a {@link DocumentError} for a scheme that the
 * document does not define.
 */
export function securityOf(raw: RawDocument, operation: RawDocument): Security {
  const asked: Record<string, string[]>[] = operation.security ?? raw.security ?? [];
  const waysIn = asked.map((way) =>
    Object.entries(way)
      .map(([name, scopes]) => ({
        scheme: schemeOf(raw, name),
        scopes: Array.isArray(scopes) ? scopes.map(String) : [],
      }))
      .filter(({ scheme }) => !namesVersion(scheme)),
  );
  return { waysIn };
}

/** Whether a key is none: the header that names the version of the API which a client was made for. */
function namesVersion(scheme: SecurityScheme): boolean {
  return scheme.type === 'apiKey' && wordsOf(scheme.parameter).at(-1) === 'version';
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
  const words = wordsIn(textOf(node.description ?? ''));
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
  if (type === 'openIdConnect') return { name, type, url: textOf(node.openIdConnectUrl ?? '') };
  if (type === 'mutualTLS') return { name, type };
  return { name, type: 'unknown', given: textOf(type) };
}

function toOAuth({ flows, oauth2MetadataUrl }: RawDocument) {
  const given = isObject(flows) ? flows : {};
  return {
    flows: flowNames.flatMap((name) => (isObject(given[name]) ? [toFlow(name, given[name])] : [])),
    ...(isText(oauth2MetadataUrl) && { metadataUrl: oauth2MetadataUrl }),
  };
}

const urls = ['authorizationUrl', 'tokenUrl'] as const;

function toFlow(name: FlowName, flow: RawDocument): OAuthFlow {
  const { scopes } = flow;
  return {
    name,
    scopes: isObject(scopes) ? Object.keys(scopes) : [],
    ...Object.fromEntries(urls.flatMap((url) => (isText(flow[url]) ? [[url, flow[url]]] : []))),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Whether a value may name a header, a cookie or a scheme of HTTP (RFC 9110 §5.6.2). */
function isToken(value: unknown): value is string {
  return isText(value) && /^[\w!#$%&'*+.^`|~-]+$/.test(value);
}
