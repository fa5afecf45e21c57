import { expect, it } from 'vitest';
import { passwordNamesOf } from '../../openapi/password-names.ts';

const password = { type: 'string', format: 'password' };
const user = {
  properties: {
    pin: { $ref: '#/components/schemas/Pin' },
    old: { type: 'array', items: password },
    code: { allOf: [{ $ref: '#/components/schemas/Pin' }] },
    auth: { properties: { phrase: password, user: { type: 'string' } } },
    next: { $ref: '#/components/schemas/User' },
    name: { type: 'string', example: { properties: { shown: password } } },
  },
};

it('takes no keyword and no schema for the name of what holds a password', () => {
  const parameters = [
    { name: 'word', in: 'query', schema: password },
    { name: 'page', in: 'query', schema: { type: 'integer' } },
  ];
  const headers = { 'X-Word': { schema: password } };
  const responses = { 200: { description: 'Done.', headers } };
  const raw = {
    paths: { '/x': { get: { parameters, responses } } },
    components: { schemas: { User: user, Pin: password } },
  };
  expect(passwordNamesOf(raw).toSorted()).toEqual(
    ['X-Word', 'code', 'old', 'phrase', 'pin', 'word'].toSorted(),
  );
});
