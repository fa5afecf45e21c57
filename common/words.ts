import pluralize from 'pluralize';
import { oncePer } from './once-per.ts';
import { remembered } from './remembered.ts';

/** A name without its case and separators: `page_size`, `pageSize` and `page[size]` are the same. */
export const toPlainName = remembered((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));

const namesByPlain = oncePer((object: object) => Map.groupBy(Object.keys(object), toPlainName));

/** Returns the names in an object, which stays as it is, that have a plain name. */
export function namesLike(object: object, plain: string): readonly string[] {
  return namesByPlain(object).get(plain) ?? [];
}

/** A name without that of its vocabulary: `hydra:member` is a `member`, `@odata.count` a `count`. */
export function withoutPrefix(name: string): string {
  return name.replace(/^(.*:|@\w+\.)/, '');
}

/** The words of a name: `created_at[gte]` and `createdAtGte` have `created`, `at` and `gte`. */
export const wordsOf = remembered((name): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== ''),
);

// The library takes these for plurals of `cach`, `cooky` and `datum`.
pluralize.addSingularRule(/(cache|cookie)s$/, '$1');
pluralize.addUncountableRule(/data$/);
// It takes the short names of our field for plurals, and some plurals for names.
pluralize.addSingularRule(/^(ios|aws|bias|canvas|cors|https|lens|redis|.*sis)(es)?$/, '$1');
pluralize.addUncountableRule(/^(?!vms|dbs)[^aeiou].s$/);
pluralize.addSingularRule(/^([^aeioul]+[kp]u|uri)s$/, '$1');

/** Returns the singular of an English word; a singular stays. */
export const singular = remembered((word) => {
  const [, start = '', last = ''] = /^(.*?)([a-z]*)$/.exec(word.toLowerCase()) ?? [];
  return start + (last.length < 3 ? last : pluralize.singular(last));
});

/** Returns the plain name of one of what a name is for: `orderitem` of `order_items`. */
export function toNoun(name: string): string {
  return toPlainName(singular(name));
}

/** Returns the words for a thing that a verb was done to: `closed`, `shipped`, `denied`, `paid`, `active`. */
export function formsOf(verb: string): string[] {
  const stem = verb.replace(/e$/, '');
  const last = verb.at(-1) ?? '';
  const completes = /^(capture|complete|confirm|finish|process)$/.test(verb);
  const ends = completes ? namesOf('succeeded completed complete finished done') : [];
  const past = [
    participles.get(verb) ?? [],
    `${stem}ed`,
    `${verb}${last}ed`,
    verb.replace(/y$/, 'ied'),
    verb.replace(/y$/, 'id'),
  ].flat();
  const opposite = verb.replace(/^de(\w+)ate$/, 'in$1e');
  const present = [verb.replace(/ate$/, 'e'), opposite, verb, `${stem}ing`, `${verb}${last}ing`];
  return [...past, ...present, ...ends];
}

/** Participles that no rule makes. */
const participles = new Map(
  (
    'begin begun,build built,choose chosen,freeze frozen,give given,hold held,lend lent,sell sold,' +
    'send sent,take taken,win won,withdraw withdrawn'
  )
    .split(',')
    .map((pair) => pair.split(' ') as [verb: string, participle: string]),
);

/** The names in a text. */
export const namesOf = (text: string): string[] => text.split(' ');

/** The same value for each of some names, which spaces separate. */
export function each<Value>(names: string, value: Value): Record<string, Value> {
  return Object.fromEntries(namesOf(names).map((name) => [name, value]));
}

/** Returns the letters and digits of a text, which stay if it is trimmed or made a slug. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
