import { isSameSecret } from '../http/authenticate.ts';
import type { ApiKey } from '../limits/plans.ts';
import type { Parameters } from './oauth-error.ts';
import { OAuthError } from './oauth-error.ts';

/** A client: its id is the name of a key, and its secret the key. */
export type Client = { key: ApiKey; isAuthenticated: boolean };

/** Finds the clients of requests. */
export interface Clients {
  /** The key of a client id. */
  find(id: string): ApiKey | undefined;
  /**
   * The client of a request to the token endpoint, undefined where it names none. Throws OAuthError
   * where it is not who it says.
   */
  read(parameters: Parameters, authorization: string | undefined): Client | undefined;
}

const refusal = new OAuthError(
  'invalid_client',
  'The client is unknown, or its secret is wrong. A client id is the name of a key, and its secret the key.',
);

/** Makes what finds clients: those of demo keys, which are no secrets, need no secret. */
export function createClients(keys: readonly ApiKey[], demoKeys: boolean): Clients {
  const byName = new Map(keys.map((key) => [key.name, key]));
  const find = (id: string) => byName.get(id);
  return {
    find,
    read(parameters, authorization) {
      const sent = authorization === undefined ? undefined : readBasic(authorization);
      const secret = parameters.get('client_secret');
      if (sent && secret !== undefined)
        throw new OAuthError(
          'invalid_request',
          'The client must authenticate once: by Basic credentials or by client_secret.',
        );
      const id = sent ? sent.id : parameters.get('client_id');
      // A public client sends its id and an empty password, or none.
      const password = sent ? sent.password || undefined : secret;
      if (id === undefined) return undefined;
      const key = find(id);
      const isAuthenticated = password !== undefined && isSameSecret(key?.key ?? '', password);
      if (!key || (password !== undefined && !isAuthenticated)) throw refusal;
      if (!isAuthenticated && !demoKeys)
        throw new OAuthError(
          'invalid_client',
          'The client must send its secret, which is the key.',
        );
      return { key, isAuthenticated };
    },
  };
}

/** Client id and secret, each encoded as in a form (RFC 6749 §2.3.1). */
function readBasic(authorization: string): { id: string; password: string } {
  const [, text = ''] = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  const [, id, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(text, 'base64').toString()) ?? [];
  if (id === undefined || password === undefined) throw refusal;
  return { id: decode(id), password: decode(password) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw refusal;
  }
}
