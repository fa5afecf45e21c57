import { expect, it } from 'vitest';
import { isSecretName, isSecretParameter } from '../../../common/secrets/names.ts';
import { createRedact, filtered } from '../../../mock/redact.ts';

const secret = [
  'sig',
  'X-Auth',
  'code_verifier',
  'codeVerifier',
  'api-key',
  'X-Amz-Signature',
  'pwd',
  'user_pwd',
  'pin',
  'card-pin',
  'pinCode',
  'cardPin',
  'passcode',
];
const plain = [
  'signal',
  'design',
  'x-author',
  'authority-name',
  'verified',
  'limit',
  'shipping',
  'pinned',
  'spin',
  'pins',
  'pincode',
  'postal_pincode',
];

it('knows the names of what holds keys, in archives and in the journal', () => {
  const { url } = createRedact([]);
  const isFiltered = (name: string) => url(`/pets?${name}=abc`).includes(filtered);
  for (const is of [isSecretName, isSecretParameter, isFiltered])
    expect([secret.filter((name) => !is(name)), plain.filter(is)]).toEqual([[], []]);
});

it('takes a code in a query for a key in archives, as those of some clouds are', () => {
  expect([isSecretParameter('code'), isSecretName('code')]).toEqual([true, false]);
});
