import { createHash } from 'node:crypto';
import { isSameSecret } from '../http/authenticate.ts';
import type { Parameters } from './oauth-error.ts';
import { OAuthError } from './oauth-error.ts';

/** A code challenge (RFC 7636 §4.3), as a code keeps it. */
export type Challenge = { challenge?: string; method?: 'S256' | 'plain' };

const verifierForm = /^[A-Za-z0-9\-._~]{43,128}$/;

/** The challenge of an authorization request. Throws OAuthError. */
export function readChallenge(parameters: Parameters): Challenge {
  const challenge = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method') ?? 'plain';
  if (challenge === undefined) return {};
  if (method !== 'S256' && method !== 'plain')
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256 or plain.');
  if (!verifierForm.test(challenge))
    throw new OAuthError(
      'invalid_request',
      'code_challenge must have 43 to 128 letters, digits and -._~.',
    );
  return { challenge, method };
}

/** Holds the verifier of a token request against the challenge (RFC 7636 §4.6). Throws OAuthError. */
export function checkVerifier(
  { challenge, method }: Challenge,
  verifier: string | undefined,
): void {
  if (challenge === undefined) {
    if (verifier === undefined) return;
    // Otherwise a code without a challenge could be slipped to a client that sent one (RFC 9700 §4.8.2).
    throw new OAuthError('invalid_grant', 'The authorization request had no code_challenge.');
  }
  if (verifier === undefined) throw new OAuthError('invalid_grant', 'code_verifier is missing.');
  const sent =
    method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  if (!verifierForm.test(verifier) || !isSameSecret(challenge, sent))
    throw new OAuthError('invalid_grant', 'code_verifier does not fit the code_challenge.');
}
