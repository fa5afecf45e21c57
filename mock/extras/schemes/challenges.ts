import type { Api, WaysIn } from '../../../openapi/index.ts';
import { keyPlacesOf, toKeyPlace, toSchemeName } from '../../../openapi/model/key-places.ts';
import {
  asksForKeysAlone,
  isBearer,
  type SecurityScheme,
  usedSchemes,
} from '../../../openapi/model/security.ts';
import { type Answer, toErrorAnswer } from '../../answers/answer.ts';
import { toShellWord } from '../../curl/shell.ts';
import { findUnchecked } from '../../documented/answer-source.ts';
import { toQuotable } from '../../http/authenticate.ts';
import type { CredentialsProblem } from '../../journal/reason.ts';
import { type OAuthServer, oauthServerOf } from './oauth-server.ts';

type Details = {
  realm: string;
  /** The problem with the bearer token, if one was sent (RFC 6750 §3.1). */
  error?: { error: 'invalid_token' | 'insufficient_scope'; description: string } | undefined;
  /** The scopes that are needed. */
  scopes?: readonly string[];
};

/**
 * The value of WWW-Authenticate: a challenge for each scheme that has one. A key has no scheme of
 * HTTP, but a 401 needs a challenge (RFC 9110 §15.5.2), so keys alone are given one.
 */
export function toChallenges(schemes: readonly SecurityScheme[], details: Details): string {
  const realm = `realm="${details.realm}"`;
  const challenges = schemes.flatMap((scheme) => {
    if (isBearer(scheme)) return [`Bearer ${realm}${bearerParameters(details)}`];
    if (scheme.type !== 'http') return [];
    const charset = scheme.scheme === 'basic' ? ', charset="UTF-8"' : '';
    return [`${toSchemeName(scheme.scheme)} ${realm}${charset}`];
  });
  const forKeys = schemes.flatMap((scheme) => {
    const place = toKeyPlace(scheme);
    if (!place || place.in === 'authorization') return [];
    return [`ApiKey ${realm}, in="${place.in}", name="${toQuotable(place.name)}"`];
  });
  return [...new Set(challenges.length > 0 ? challenges : forKeys)].join(', ');
}

function bearerParameters({ error, scopes }: Details): string {
  if (!error) return '';
  const parameters = `, error="${error.error}", error_description="${error.description}"`;
  return scopes ? `${parameters}, scope="${toQuotable(scopes.join(' '))}"` : parameters;
}

/** Describes the credentials for any of these ways to authenticate, in words. */
export function describeWays(waysIn: WaysIn): string {
  const ways = waysIn.map((way) => way.map(({ scheme }) => toExpected(scheme)).join(' and '));
  return [...new Set(ways.filter((words) => words !== ''))].join(', or ');
}

/** Describes the credentials for a scheme, in words. */
function toExpected(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'apiKey':
      return scheme.in === 'header'
        ? `"${scheme.parameter}: <key>"`
        : `${scheme.in === 'query' ? 'the query parameter' : 'the cookie'} "${scheme.parameter}=<key>"`;
    case 'http':
      return scheme.scheme === 'basic'
        ? 'basic credentials with a key as the password'
        : `"Authorization: ${toSchemeName(scheme.scheme)} <key>"`;
    case 'oauth2':
    case 'openIdConnect':
      return '"Authorization: Bearer <key or access token>"';
    case 'mutualTLS':
      return 'a client certificate';
    case 'unknown':
      return `what "${scheme.name}" asks for`;
  }
}

/** The parts of an operation's refusals. */
export type RefusalParts = {
  /** The schemes of all ways in. */
  schemes: readonly SecurityScheme[];
  realm: string;
  /** The needed credentials, in words. */
  needed: string;
};

/** The 401 for a request without credentials. */
export function toMissing({ schemes, realm, needed }: RefusalParts): Answer {
  return toErrorAnswer('missing_api_key', `This operation needs credentials. Send ${needed}.`, {
    'WWW-Authenticate': toChallenges(schemes, { realm }),
  });
}

const problems: Readonly<
  Record<Exclude<CredentialsProblem, 'missing' | 'insufficient_scope'>, string>
> = {
  malformed: 'The credentials are malformed.',
  unknown: 'The key or token is unknown.',
  expired: 'The access token has expired.',
};

/** The 401 for credentials of a scheme that are not valid. */
export function toInvalid(
  problem: keyof typeof problems,
  scheme: SecurityScheme,
  { schemes, realm }: RefusalParts,
): Answer {
  const words = problems[problem];
  const expected = problem === 'expired' ? 'Get another one' : `Expected ${toExpected(scheme)}`;
  const error = isBearer(scheme)
    ? ({ error: 'invalid_token', description: words.slice(0, -1) } as const)
    : undefined;
  return toErrorAnswer('invalid_api_key', `${words} ${expected}.`, {
    'WWW-Authenticate': toChallenges(schemes, { realm, error }),
  });
}

/** The 403 for a token that lacks scopes (RFC 6750 §3.1). */
export function toScopeRefusal(
  scopes: readonly string[],
  { schemes, realm }: Pick<RefusalParts, 'schemes' | 'realm'>,
): Answer {
  const named = scopes.map((scope) => `"${scope}"`).join(', ');
  const error = { error: 'insufficient_scope', description: 'The token lacks a scope' } as const;
  return toErrorAnswer(
    'insufficient_scope',
    `The access token lacks ${scopes.length === 1 ? 'the scope' : 'the scopes'} ${named}. Ask for it with "scope" when you get a token.`,
    { 'WWW-Authenticate': toChallenges(schemes.filter(isBearer), { realm, error, scopes }) },
  );
}

/** How callers of a document say who they are, for people. */
export type Access = {
  /** Whether any operation needs a key. */
  asksForKeys: boolean;
  /** The schemes with what is sent for each, unless that is a bearer token alone. */
  schemes: { name: string; expected: string }[];
  /** Required credentials that the twin cannot check. */
  unchecked: string[];
  /** The OAuth server that issues tokens, below the root of the twin, if there is one. */
  oauth?: OAuthServer;
};

/** How callers say who they are. */
export function describeAccess(document: Api): Access {
  const { operations } = document;
  const checked = usedSchemes(operations).filter(
    ({ type }) => type !== 'mutualTLS' && type !== 'unknown',
  );
  const oauth = oauthServerOf(document);
  return {
    asksForKeys: operations.some((operation) => keyPlacesOf(operation).length > 0),
    schemes: asksForKeysAlone(operations)
      ? []
      : checked.map((scheme) => ({ name: scheme.name, expected: toExpected(scheme) })),
    unchecked: findUnchecked(document),
    ...(oauth && { oauth }),
  };
}

/** How clients get tokens from the OAuth server at a root, in lines for people. */
export function describeTokens(
  { flows, paths, scopes }: OAuthServer,
  { root, client }: { root: string; client?: string | undefined },
): { name: string; text: string }[] {
  const who = client === undefined ? 'NAME:KEY' : `${client}:${client}`;
  const [scope] = scopes;
  const asked = scope === undefined ? '' : ` -d scope=${toShellWord(scope)}`;
  const lines = [
    {
      name: 'Tokens',
      text: flows.has('clientCredentials')
        ? `curl -u ${toShellWord(who)} -d grant_type=client_credentials${asked} ${root}${paths.token}`
        : root + paths.token,
    },
  ];
  if (flows.has('authorizationCode') || flows.has('implicit'))
    lines.push({ name: 'Login', text: root + paths.authorize });
  return lines;
}
