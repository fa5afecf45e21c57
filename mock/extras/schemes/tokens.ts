import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto';
import { oncePer } from '../../../common/once-per.ts';
import type { CalledPlace } from '../../http/authenticate.ts';
import type { ApiKey } from '../../limits/plans.ts';

/** The type of each kind of token; a token of one kind is never accepted as another. */
const types = {
  access: 'at+jwt',
  refresh: 'refresh+jwt',
  code: 'code+jwt',
} as const;

export type TokenKind = keyof typeof types;

/** The claims of a token; instants in Unix seconds. */
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
  /** Further claims that tokens of a kind need. */
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

/**
 * Creates the tokens of these keys: JSON Web Tokens (RFC 7519), signed with a secret derived from
 * the client's key. Nothing is stored: every process with the same keys accepts the tokens, also
 * after a restart. Tokens end with their key.
 */
export function createTokens(keys: readonly ApiKey[]): Tokens {
  const byName = new Map(keys.map((key) => [key.name, key]));
  const secretOf = oncePer(({ key }: ApiKey) =>
    Buffer.from(hkdfSync('sha256', key, '', 'petstore-twin tokens', 32)),
  );
  const sign = (content: string, key: ApiKey) =>
    createHmac('sha256', secretOf(key)).update(content).digest();

  return {
    issue(kind, key, { place, scope, seconds, more = {} }) {
      const now = place.sandbox.clock.now() / 1000;
      const claims: Claims = {
        ...more,
        client_id: key.name,
        sandbox: nameOf(place),
        scope,
        iat: Math.floor(now),
        // It holds no shorter than its client was told.
        exp: Math.ceil(now) + seconds,
        jti: randomUUID(),
      };
      const content = `${headers[kind]}.${encode(claims)}`;
      return `${content}.${sign(content, key).toString('base64url')}`;
    },
    read(kind, token, place) {
      const [header, payload = '', signature = '', ...more] = token.split('.', 4);
      if (header !== headers[kind] || more.length > 0) return { problem: 'unknown' };
      const claims = decode(payload);
      const key = claims && byName.get(claims.client_id);
      if (!key) return { problem: 'unknown' };
      const expected = sign(`${header}.${payload}`, key);
      const sent = Buffer.from(signature, 'base64url');
      const isSigned = sent.length === expected.length && timingSafeEqual(sent, expected);
      if (!isSigned || claims.sandbox !== nameOf(place)) return { problem: 'unknown' };
      if (place.sandbox.clock.now() >= claims.exp * 1000) return { problem: 'expired' };
      return { claims, key };
    },
  };
}

function nameOf({ sandboxName, sandbox }: CalledPlace): string {
  return sandboxName ?? sandbox.name;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const headers = Object.fromEntries(
  Object.entries(types).map(([kind, typ]) => [kind, encode({ alg: 'HS256', typ })]),
) as Record<TokenKind, string>;

/**
 * Decodes claims before verification. Unverified claims serve only to find the key that must have
 * signed them.
 */
function decode(payload: string): Claims | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? (claims as Claims) : undefined;
  } catch {
    return undefined;
  }
}
