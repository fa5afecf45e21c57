import { createPrivateKey, createPublicKey, type JsonWebKey, sign } from 'node:crypto';
import { readOwn } from '../../contracts/look/read-own.ts';

/** The claims of an ID token (OpenID Connect Core §2). */
export type IdClaims = {
  iss: string;
  sub: string;
  aud: string;
  iat: number;
  exp: number;
  nonce?: string;
};

/**
 * The key of the package: it proves nothing, but every process has it, so that a client can check
 * the token of one with the key of another.
 */
const file = new URL('../../fixtures/id-token-key.json', import.meta.url);

let jwk: JsonWebKey | undefined;

function readJwk(): JsonWebKey {
  jwk ??= JSON.parse(readOwn(file)) as JsonWebKey;
  return jwk;
}

const keyId = 'twin';

/** Signs an ID token with RS256, which every client knows. */
export function signIdToken(claims: IdClaims): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${encode({ alg: 'RS256', typ: 'JWT', kid: keyId })}.${encode(claims)}`;
  const key = createPrivateKey({ key: readJwk(), format: 'jwk' });
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
}

/** The public keys of ID tokens (RFC 7517). */
export function toKeySet(): { keys: object[] } {
  const key = createPublicKey({ key: readJwk(), format: 'jwk' }).export({ format: 'jwk' });
  return { keys: [{ ...key, use: 'sig', alg: 'RS256', kid: keyId }] };
}
