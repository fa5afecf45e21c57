import { expect, it } from 'vitest';
import { isRefusedForGood, toReason } from '../../../../mock/extras/redis/connection.ts';

it.each(['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
  'says that a certificate is not accepted: %s',
  (code) => {
    const error = Object.assign(new Error('It failed.'), { code });
    expect(toReason(error, false)).toContain(`has a certificate that is not accepted (${code})`);
    expect(isRefusedForGood(error, false)).toBe(true);
  },
);

it.each([
  'ERR Protocol error: unauthenticated multibulk length',
  'ERR AUTH <password> called without any password configured for the default user.',
])('says what is wrong with a password: %s', (message) => {
  const error = new Error(message);
  expect(toReason(error, true)).toBe(`answers "${message.replace(/\.$/, '')}"`);
  expect(isRefusedForGood(error, true)).toBe(true);
});
