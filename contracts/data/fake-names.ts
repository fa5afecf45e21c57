import { hash } from 'node:crypto';
import type { Faker } from '@faker-js/faker';

/** Names of members that hold a name, without separators, and what stands in its place. */
const makers: readonly [pattern: RegExp, make: (faker: Faker) => string][] = [
  [/^(?:first|given)name$/, ({ person }) => person.firstName()],
  [/^(?:last|family)name$|^surname$/, ({ person }) => person.lastName()],
  [/^(?:user|login)name$/, ({ internet }) => internet.username()],
  [/^(?:owner|customer|full|display|contact)(?:name)?$/, ({ person }) => person.fullName()],
  [/name$/, ({ animal }) => animal.petName()],
];

/**
 * Makes what replaces names in items by made-up ones: the same for the same name, and others for
 * others. The names follow from the seed.
 */
export async function createFakeNames(seed: number): Promise<<Value>(value: Value) => Value> {
  // It takes a while to load.
  const { faker } = await import('@faker-js/faker/locale/en');
  const known = new Map<string, string>();
  const taken = new Set<string>();
  const fake = (name: string, make: (given: Faker) => string): string => {
    const before = known.get(name);
    if (before !== undefined) return before;
    faker.seed(Number.parseInt(hash('sha256', `${seed} ${name}`).slice(0, 8), 16));
    const drawn = make(faker);
    const made = taken.has(drawn) ? `${drawn} ${taken.size + 1}` : drawn;
    known.set(name, made);
    taken.add(made);
    return made;
  };
  const replace = (value: unknown, member = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => replace(item, member));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, replace(inner, name)]),
      );
    const plain = member.toLowerCase().replace(/[^a-z]/g, '');
    const make = makers.find(([pattern]) => pattern.test(plain))?.[1];
    return typeof value === 'string' && value !== '' && make ? fake(value, make) : value;
  };
  return <Value>(value: Value) => replace(value) as Value;
}
