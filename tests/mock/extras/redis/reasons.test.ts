import { expect, it } from 'vitest';
import { isRefusedForGood, toReason } from '../../../../mock/extras/redis/reasons.ts';

it.each([
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    /^has a certificate that this machine does not trust \(.+\); set NODE_EXTRA_CA_CERTS /,
  ],
  ['CERT_HAS_EXPIRED', /^has a certificate that has expired \(CERT_HAS_EXPIRED\)$/],
  ['CERT_NOT_YET_VALID', /^has a certificate that is not valid yet /],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /^has a certificate for another name than the host in the URL /],
])('says what is wrong with a certificate: %s', (code, reason) => {
  const error = Object.assign(new Error('It failed.'), { code });
  expect(toReason(error, false)).toMatch(reason);
  expect(isRefusedForGood(error, false)).toBe(true);
});

it.each([
  ['ERR Protocol error: unauthenticated multibulk length', 'needs a password (NOAUTH)'],
  [
    'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?',
    'has no password for its default user, and the URL gives one',
  ],
])('says what is wrong with a password: %s', (message, reason) => {
  const error = new Error(message);
  expect(toReason(error, true)).toBe(reason);
  expect(isRefusedForGood(error, true)).toBe(true);
});
