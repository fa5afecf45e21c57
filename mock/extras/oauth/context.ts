import { type CalledPlace, isSameSecret } from '../../http/authenticate.ts';
import type { ApiKey } from '../../limits/plans.ts';
import type { OAuthServer } from '../schemes/oauth-server.ts';
import type { FindKey } from '../schemes/read-credential.ts';
import type { Tokens } from '../schemes/tokens.ts';
import { type Parameters, refuse } from './oauth-error.ts';

/** What the OAuth server of a twin is made of, and what this process knows of it. */
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
  /** Where the twin is for the caller, with the sandbox; without a slash at its end. */
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
   * The client of a request to the token endpoint, undefined where it names none. Throws OAuthError
   * where it is not who it says.
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
