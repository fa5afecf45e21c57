import { isObject, isScalar, parseJson } from '../../../common/json.ts';
import { type CalledPlace, isSameSecret } from '../../http/authenticate.ts';
import type { ApiKey } from '../../limits/plans.ts';
import type { FindKey } from '../schemes/create-security.ts';
import type { OAuthServer } from '../schemes/oauth-server.ts';
import type { Tokens } from '../schemes/tokens.ts';

/** The parts of a twin's OAuth server, and this process's data about the server. */
export type OAuthContext = {
  server: OAuthServer;
  tokens: Tokens;
  clients: Clients;
  /** Whether the keys are the built-in ones, which are no secrets. */
  demoKeys: boolean;
  findKey: FindKey;
  /** The codes that this process has given tokens for; other processes do not know of them. */
  usedCodes: Set<string>;
};

/** A request to an endpoint. */
export type OAuthCall = {
  parameters: Parameters;
  place: CalledPlace;
  /** The URL of the twin for the caller, with the sandbox; without a slash at its end. */
  root: string;
  /** The issuer of tokens, as a URL. */
  issuer: string;
};

/** A client: its id is the name of a key, and its secret the key. */
export type Client = { key: ApiKey; isAuthenticated: boolean };

/** Finds clients: those of demo keys, which are no secrets, need no secret. */
export class Clients {
  readonly #byName: ReadonlyMap<string, ApiKey>;
  readonly #demoKeys: boolean;

  constructor(keys: readonly ApiKey[], demoKeys: boolean) {
    this.#byName = new Map(keys.map((key) => [key.name, key]));
    this.#demoKeys = demoKeys;
  }

  /** The key of a client id. */
  find(id: string): ApiKey | undefined {
    return this.#byName.get(id);
  }

  /**
   * Returns the client of a token request, or undefined if it names none. Throws OAuthError if its
   * credentials are wrong.
   */
  read(parameters: Parameters, authorization: string | undefined): Client | undefined {
    const sent = authorization === undefined ? undefined : readBasic(authorization);
    const secret = parameters.get('client_secret');
    if (sent && secret !== undefined)
      refuse(
        'invalid_request',
        'The client must authenticate once: by Basic credentials or by client_secret.',
      );
    const id = sent ? sent.id : parameters.get('client_id');
    // A public client sends its id and an empty password, or none.
    const password = sent ? sent.password || undefined : secret;
    if (id === undefined) return undefined;
    const key = this.find(id);
    const isAuthenticated = password !== undefined && isSameSecret(key?.key ?? '', password);
    if (!key || (password !== undefined && !isAuthenticated)) return refuseClient();
    if (!isAuthenticated && !this.#demoKeys)
      refuse('invalid_client', 'The client must send its secret, which is the key.');
    return { key, isAuthenticated };
  }
}

function refuseClient(): never {
  return refuse(
    'invalid_client',
    'The client is unknown, or its secret is wrong. A client id is the name of a key, and its secret the key.',
  );
}

/** Client id and secret, each encoded as in a form (RFC 6749 §2.3.1). */
function readBasic(authorization: string): { id: string; password: string } {
  const [, text = ''] = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  const [, id, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(text, 'base64').toString()) ?? [];
  if (id === undefined || password === undefined) return refuseClient();
  return { id: decode(id), password: decode(password) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuseClient();
  }
}

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

/**
 * Reads the members of a JSON object as parameters, as some services take them; null is as good as
 * not sent. Throws OAuthError for other JSON, and for members that are objects or lists.
 */
export function readJsonParameters(text: string): Parameters {
  const body = parseJson(text);
  const sent = isObject(body) ? Object.entries(body).filter(([, value]) => value !== null) : [];
  if (!isObject(body) || !sent.every(([, value]) => isScalar(value)))
    return refuse('invalid_request', 'Send a JSON object of texts.');
  return readParameters(new URLSearchParams(sent).toString());
}

/** Returns the value of a parameter. Throws OAuthError if it is missing. */
export function required(parameters: Parameters, name: string): string {
  return parameters.get(name) ?? refuse('invalid_request', `${name} is missing.`);
}

/** A text as a description may have it (RFC 6749 §5.2). */
export function toPlain(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\]/g, '').slice(0, 100);
}

/** How long tokens hold, in seconds by the clock of their sandbox. */
export const lifetimes = { access: 3600, refresh: 30 * 86_400, code: 60 };

/** The answer of the token endpoint (RFC 6749 §5.1). */
export type TokenAnswer = {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
  refresh_token?: string;
};

export type Grant = Pick<OAuthCall, 'place' | 'issuer'> & {
  /** The key that counts. */
  key: ApiKey;
  /** The client, where it named itself. */
  client: ApiKey | undefined;
  scope: string;
  /** Whether a user takes part, so that the client may come back without one. */
  hasUser: boolean;
};

/** Issues the tokens of a grant. */
export function issueTokens({ tokens }: OAuthContext, grant: Grant): TokenAnswer {
  const { key, client, scope, place, issuer, hasUser } = grant;
  const issue = (kind: 'access' | 'refresh') => {
    const more = { iss: issuer, sub: key.name, ...(client && { azp: client.name }) };
    return tokens.issue(kind, key, { place, scope, seconds: lifetimes[kind], more });
  };
  const answer: TokenAnswer = {
    access_token: issue('access'),
    token_type: 'Bearer',
    expires_in: lifetimes.access,
    scope,
  };
  if (hasUser) answer.refresh_token = issue('refresh');
  return answer;
}

/**
 * The scopes that a request gets: those that it asks for, or all of these. Throws OAuthError for
 * another one.
 */
export function grantScopes(asked: string | undefined, all: readonly string[]): string {
  if (asked === undefined) return all.join(' ');
  const scopes = [...new Set(asked.split(' ').filter((scope) => scope !== ''))];
  const unknown = scopes.find((scope) => !all.includes(scope));
  if (unknown !== undefined)
    refuse(
      'invalid_scope',
      `The scope ${toPlain(unknown)} is not one of ${toPlain(all.join(' '))}.`,
    );
  return scopes.join(' ');
}
