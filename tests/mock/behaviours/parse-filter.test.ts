import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseFilter } from '../../../mock/behaviours/parse-filter.ts';
import { serveEmpty } from '../../support/serve-document.ts';

it.each<[filter: string, names: string[]]>([
  ["name eq 'Ada'", ['Ada']],
  ['name eq "Ada" or age gt 5', ['Ada', 'Cy']],
  ["age ge 5 and (name eq 'Cy' or name eq 'Ada')", ['Cy']],
  ["owner/city eq 'O''Hare'", ['Bo']],
  ['owner.city sw "O\'"', ['Bo']],
  ["name in ('Cy','Ada')", ['Ada', 'Cy']],
  ["contains(name,'ad')", ['Ada']],
  ["startswith(name,'a')", ['Ada']],
  ["name ew 'd'", []],
  ['and(equals(name,"Cy"),greater-than(age,2))', ['Cy']],
  ['any(name,["Cy","Bo"])', ['Bo', 'Cy']],
  ["not equals(name,'Cy') and age lt 5", ['Ada']],
  ['unknown eq 1 and age eq 3', ['Ada']],
  ['age pr', ['Ada', 'Bo', 'Cy']],
  ['no filter', ['Ada', 'Bo', 'Cy']],
  ['name eq', ['Ada', 'Bo', 'Cy']],
])('lists by a filter: %s', async (filter, names) => {
  const { send } = await serveEmpty(`
    POST /pets Pet -> 201 Pet
    GET /pets?$filter:text -> [Pet]
    Pet: { readonly id!: int, name, age: int, owner: { city } }
  `);
  for (const pet of [
    { name: 'Ada', age: 3, owner: { city: 'Bern' } },
    { name: 'Bo', age: 5, owner: { city: "O'Hare" } },
    { name: 'Cy', age: 7 },
  ])
    await send('POST', '/pets', pet);
  const { json } = await send('GET', `/pets?$filter=${encodeURIComponent(filter)}`);
  expect(json.map(({ name }: { name: string }) => name)).toEqual(names);
});

it('finds what items of JSON:API hold in their attributes', async () => {
  const { send } = await serveEmpty(`
    POST /pets { data!: Pet } -> 201 { data!: Pet }
    GET /pets?filter:text&filter[name]:text&min_age:int&sort:text -> { data!: [Pet] }
    Pet: { readonly id!, type!, attributes!: { name, age: int } }
  `);
  for (const [name, age] of Object.entries({ Ada: 3, Bo: 10, Cy: 2 }))
    await send('POST', '/pets', { data: { type: 'pet', attributes: { name, age } } });
  const find = async (query: string) => {
    const { json } = await send('GET', `/pets?${query}`);
    return json.data.map((one: { attributes: { name: string } }) => one.attributes.name).join();
  };
  expect(await find('filter=equals(name,"Bo")')).toBe('Bo');
  expect(await find('filter[name]=Bo')).toBe('Bo');
  expect(await find('min_age=3')).toBe('Ada,Bo');
  expect(await find('sort=-age')).toBe('Bo,Ada,Cy');
});

it('finds by "filter" what one object of an item holds', async () => {
  const { send } = await serveEmpty(`
    POST /pets Pet -> 201 Pet
    GET /pets?filter[state]:text&state:text -> [Pet]
    Pet: { readonly id!, about: { state: "new" | "old" }, owner: { name } }
  `);
  for (const state of ['new', 'old']) await send('POST', '/pets', { about: { state } });
  const count = async (query: string) => (await send('GET', `/pets?${query}`)).json.length;
  expect([await count('filter[state]=old'), await count('state=old')]).toEqual([1, 2]);
});

it('takes any text', () => {
  const words = fc.constantFrom(
    '(',
    ')',
    ',',
    '[',
    ']',
    'and',
    'or',
    'not',
    'a',
    "'x'",
    'eq',
    '=',
    '"',
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 60 }).map((all) => all.join(' ')),
  );
  fc.assert(fc.property(texts, (text) => void parseFilter(text)));
  expect(parseFilter('('.repeat(10_000))).toBeUndefined();
  expect(parseFilter(`${'not '.repeat(10_000)}a eq 1`)).toBeUndefined();
});
