import type { CalledPlace } from '../http/authenticate.ts';
import type { ApiKey } from '../limits/plans.ts';

/** What a token is for. */
export type TokenKind = 'access' | 'refresh' | 'code' | 'device';

/** What a token says; instants in Unix seconds. */
export type Claims = {
  /** The name of the key of the client that it was issued to. */
  client_id: string;
  /** The sandbox in which it holds. */
  sandbox: string;
  /** Scopes, separated by spaces. */
  scope: string;
  iat: number;
  exp: number;
  jti: string;
  /** What else one of its kind needs. */
  [name: string]: unknown;
};

/** A token that holds, with the key of its client; or why it does not. */
export type ReadToken =
  | { claims: Claims; key: ApiKey; problem?: never }
  | { claims?: never; problem: 'unknown' | 'expired' };

/** The signed tokens of a twin. */
export interface Tokens {
  /** Makes a token that holds for some seconds from now on. */
  issue(kind: TokenKind, key: ApiKey, details: TokenDetails): string;
  /** Reads a token of a kind; one of another sandbox is unknown. */
  read(kind: TokenKind, token: string, place: CalledPlace): ReadToken;
}

export type TokenDetails = {
  place: CalledPlace;
  scope: string;
  seconds: number;
  /** Further claims. */
  more?: Readonly<Record<string, unknown>>;
};
