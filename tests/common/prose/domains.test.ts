import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { toDomainRules } from '../../../common/prose/domains.ts';
import { compile } from '../../../openapi/index.ts';

it('gives what the appendix states', async () => {
  const { clauses, ...facts } = toDomainRules((await compile(builtInDocument)).asOpenApi());
  expect(facts).toEqual({
    title: 'Custom domains',
    plans: ['pro', 'business', 'enterprise'],
    ttlSeconds: 3600,
    propagationHours: 48,
    redirectStatus: 301,
  });
  expect(new Set(clauses.map(({ source }) => source))).toEqual(
    new Set([1, 2, 3, 4, 5, 6].map((step) => `Appendix ${step}`)),
  );
  expect(new Set(clauses.map(({ id }) => id)).size).toBe(clauses.length);
});

it.each([
  undefined,
  null,
  'none',
  { title: 'Domains', clauses: [], plans: 'pro' },
  { title: 'Domains', clauses: [], plans: ['pro'], ttlSeconds: '1 h' },
])('refuses rules of domains that lack a part: %j', (rules) => {
  const document = compile({ openapi: '3.1.0', info: {}, paths: {}, 'x-domains': rules });
  expect(() => toDomainRules(document.asOpenApi())).toThrow(
    /^x-domains must have plans as a list, and /,
  );
});
