import type { SecurityScheme } from '../../../contracts/description/security.ts';
import { isBearer } from '../../../contracts/description/security.ts';
import { type Answer, toErrorAnswer } from '../../answers/answer.ts';
import type { CredentialsProblem } from '../../journal/reason.ts';
import { toChallenges, toExpected } from './challenges.ts';
import { isDigest } from './digest.ts';

/** What refusals of an operation are made of. */
export type RefusalParts = {
  /** The schemes of all ways in. */
  schemes: readonly SecurityScheme[];
  realm: string;
  /** What a caller sends, in words. */
  needed: string;
  /** The nonce of challenges of Digest. */
  nonce?: string;
};

/** The 401 for a request without credentials. */
export function toMissing({ schemes, realm, needed, nonce }: RefusalParts): Answer {
  return toErrorAnswer('missing_api_key', `This operation needs credentials. Send ${needed}.`, {
    'WWW-Authenticate': toChallenges(schemes, { realm, nonce }),
  });
}

const problems: Readonly<
  Record<Exclude<CredentialsProblem, 'missing' | 'insufficient_scope'>, string>
> = {
  malformed: 'The credentials are malformed.',
  repeated: 'The credentials must be sent once.',
  unknown: 'The key or token is unknown.',
  expired: 'The access token has expired.',
  other_target: 'The "uri" of the credentials is not the target of the request.',
};

/** The 401 for credentials of a scheme that are not valid; 400 for those of another request. */
export function toInvalid(
  problem: keyof typeof problems,
  scheme: SecurityScheme,
  { schemes, realm, nonce }: RefusalParts,
): Answer {
  // RFC 7616 §3.4.6.
  if (problem === 'other_target')
    return toErrorAnswer('malformed_request', `${problems[problem]} Send its path and query.`);
  const isStale = problem === 'expired' && isDigest(scheme);
  const words = isStale ? 'The nonce has expired.' : problems[problem];
  const expected = problem === 'expired' ? 'Get another one' : `Expected ${toExpected(scheme)}`;
  const error = isBearer(scheme)
    ? ({ error: 'invalid_token', description: words.slice(0, -1) } as const)
    : undefined;
  return toErrorAnswer('invalid_api_key', `${words} ${expected}.`, {
    'WWW-Authenticate': toChallenges(schemes, { realm, error, nonce, isStale }),
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
