import type { ApiDocument } from '../../../contracts/description/document.ts';
import { keyPlacesOf } from '../../../contracts/description/key-places.ts';
import { asksForKeysAlone, usedSchemes } from '../../../contracts/description/security.ts';
import { toShellWord } from '../../curl/shell.ts';
import { findUnchecked } from '../../documented/answer-source.ts';
import { toExpected } from './challenges.ts';
import { type OAuthServer, oauthServerOf } from './oauth-server.ts';

/** How callers of a document say who they are, for people. */
export type Access = {
  /** Whether any operation needs a key. */
  asksForKeys: boolean;
  /** The schemes with what is sent for each, unless that is a bearer token alone. */
  schemes: { name: string; expected: string }[];
  /** What is asked for and cannot be checked. */
  unchecked: string[];
  /** Where clients get tokens, below the root of the twin, if they do. */
  oauth?: OAuthServer;
};

/** How callers say who they are. */
export function describeAccess(document: ApiDocument): Access {
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
