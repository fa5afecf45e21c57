import fc from 'fast-check';
import { expect, it } from 'vitest';
import { credentialHeaders } from '../../../contracts/run/keys/credential.ts';

const forms = ['unknown', 'truncated', 'altered', 'extended', 'other-case', 'prefixed'] as const;
const keys = fc.uniqueArray(fc.stringMatching(/^[01xX-]{1,4}$/), { minLength: 1, maxLength: 6 });

it('makes of each key a wrong one that is none of the keys', () => {
  fc.assert(
    fc.property(keys, fc.constantFrom(...forms), (all, form) => {
      for (const key of all) {
        const { Authorization = '' } = credentialHeaders(form, key, all);
        expect(all.map((one) => `Bearer ${one}`)).not.toContain(Authorization);
      }
    }),
  );
});
