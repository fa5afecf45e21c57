import type { Api, FlowName } from '../../../openapi/index.ts';
import { isOAuth, usedSchemes } from '../../../openapi/model/security.ts';

/** The OAuth server of a twin, as its document describes it. Paths are below the twin's root. */
export type OAuthServer = {
  flows: ReadonlySet<FlowName>;
  /** The scopes that the document names. */
  scopes: readonly string[];
  paths: OAuthPaths;
  /** Whether the document describes JSON at the path for tokens, besides or in place of a form. */
  takesJson: boolean;
};

export type OAuthPaths = {
  /** The issuer; its metadata is below, and its other pages where the document has none. */
  issuer: string;
  authorize: string;
  token: string;
  /** The paths of the server's metadata (RFC 8414 §3, OpenID Connect Discovery §4). */
  metadata: string[];
};

/** The folder of endpoints that the document places on another server. */
const ownFolder = '/__oauth';

const discovery = '/.well-known/openid-configuration';

/** The OAuth server that a document describes; undefined where no operation asks for its tokens. */
export function oauthServerOf(document: Api): OAuthServer | undefined {
  const { basePath, operations } = document;
  const schemes = usedSchemes(operations).filter(isOAuth);
  if (schemes.length === 0) return undefined;
  const flows = schemes.flatMap((scheme) => (scheme.type === 'oauth2' ? scheme.flows : []));
  const openId = schemes.find((scheme) => scheme.type === 'openIdConnect');
  const asked = operations.flatMap(({ waysIn }) =>
    waysIn.flat().flatMap(({ scheme, scopes }) => (isOAuth(scheme) ? scopes : [])),
  );
  const names = new Set(flows.map(({ name }) => name));
  // OpenID names its flows in its own metadata, which are the twin's to choose.
  if (openId) names.add('authorizationCode').add('clientCredentials');
  const findPath = createFindPath(document);
  const place = (urls: readonly (string | undefined)[], name: string) =>
    urls.map(findPath).find((path) => path !== undefined) ?? `${ownFolder}/${name}`;
  const discovered = openId && findPath(openId.url);
  const issuer = discovered?.endsWith(discovery)
    ? discovered.slice(0, -discovery.length)
    : ownFolder;
  const stated = schemes.map((scheme) =>
    findPath(scheme.type === 'oauth2' ? scheme.metadataUrl : scheme.url),
  );
  const token = place(
    flows.map(({ tokenUrl }) => tokenUrl),
    'token',
  );
  const forToken = operations.find(
    ({ method, path }) => method === 'POST' && basePath + path === token,
  );
  return {
    flows: names,
    takesJson: forToken?.body !== undefined,
    scopes: [...new Set([...flows.flatMap(({ scopes }) => scopes), ...asked])],
    paths: {
      issuer,
      metadata: [
        ...new Set([
          ...stated.filter((path) => path !== undefined),
          issuer + discovery,
          `/.well-known/oauth-authorization-server${issuer}`,
          `${issuer}/.well-known/oauth-authorization-server`,
        ]),
      ],
      authorize: place(
        flows.map(({ authorizationUrl }) => authorizationUrl),
        'authorize',
      ),
      token,
    },
  };
}

/** Finds the path of a URL that is on a server of the document itself. */
function createFindPath({ serverUrls }: Api): (url: string | undefined) => string | undefined {
  const own = serverUrls.length > 0 ? serverUrls : ['/'];
  const bases = own.map((url) => new URL(url, 'http://localhost'));
  return (url) => {
    const found = url === undefined ? null : URL.parse(url, bases[0]?.href);
    if (!found || !bases.some(({ origin }) => origin === found.origin)) return undefined;
    const isTaken = found.pathname === '/' || /^\/(__|sandboxes\/)/i.test(found.pathname);
    return isTaken ? undefined : found.pathname;
  };
}
