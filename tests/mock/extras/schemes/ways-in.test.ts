import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SecurityScheme } from '../../../../contracts/description/security.ts';
import { createAuthenticateCaller } from '../../../../mock/extras/schemes/create-security.ts';
import type { Finding } from '../../../../mock/extras/schemes/read-credential.ts';

const names = ['a', 'b', 'c', 'd'] as const;
type Name = (typeof names)[number];

/** What a caller shows for a scheme: nothing, a wrong key, or a key with these scopes. */
type Shown = 'missing' | 'unknown' | { key: string; scopes?: string[] };

const scopes = fc.subarray(['read', 'write']);
const shown: fc.Arbitrary<Shown> = fc.oneof(
  fc.constantFrom<Shown>('missing', 'unknown'),
  fc.record({ key: fc.constantFrom('one', 'two'), scopes }, { requiredKeys: ['key'] }),
);
const caller = fc.record(
  Object.fromEntries(names.map((name) => [name, shown])) as Record<Name, typeof shown>,
);
const way = fc.dictionary(fc.constantFrom(...names), scopes, { noNullPrototype: true });
const waysIn = fc.array(way, { minLength: 1, maxLength: 4 });

type Ways = Record<string, string[]>[];
type Caller = Record<Name, Shown>;

/** Which answer is right, said as plainly as possible. */
function expected(ways: Ways, sent: Caller): { key?: string; status: number } {
  const holds = (name: string, needed: string[]) => {
    const one = sent[name as Name];
    if (typeof one === 'string') return 'no';
    return needed.every((scope) => one.scopes?.includes(scope) ?? true) ? 'yes' : 'lacks scopes';
  };
  const results = ways
    .filter((one) => Object.keys(one).length > 0)
    .map((one) => ({
      first: sent[Object.keys(one)[0] as Name],
      held: Object.entries(one).map(([name, needed]) => holds(name, needed)),
    }));
  const met = results.find(({ held }) => held.every((result) => result === 'yes'));
  if (met) return { key: (met.first as { key: string }).key, status: 200 };
  if (ways.some((one) => Object.keys(one).length === 0)) return { status: 200 };
  const lacksScopesAlone = results.some(({ held }) => !held.includes('no'));
  return { status: lacksScopesAlone ? 403 : 401 };
}

function answerOf(ways: Ways, sent: Caller): { key?: string; status: number } {
  const schemes = new Map(
    names.map((name): [string, SecurityScheme] => [name, { name, type: 'oauth2', flows: [] }]),
  );
  const plan = { name: 'free', perMinute: 1, perDay: 1 };
  const toFinding = (one: Shown): Finding => {
    if (typeof one === 'string') return { problem: one };
    const { key, ...token } = one;
    return { key: { key, name: key, plan, own: {} }, ...token };
  };
  const authenticate = createAuthenticateCaller(
    ways.map((one) =>
      Object.entries(one).map(([name, needed]) => ({
        scheme: schemes.get(name) as SecurityScheme,
        scopes: needed,
      })),
    ),
    {
      realm: 'x',

      readerOf:
        ({ name }) =>
        () =>
          toFinding(sent[name as Name]),
    },
  );
  const { key, refusal } = authenticate({} as never, {} as never);
  return { ...(key && { key: key.name }), status: refusal?.status ?? 200 };
}

it('lets in by any way of which all requirements are met, and by no other', () => {
  fc.assert(
    fc.property(waysIn, caller, (ways, sent) => {
      expect(answerOf(ways, sent)).toEqual(expected(ways, sent));
    }),
    { numRuns: 2000 },
  );
});
