import { toJson } from '../../../tools/lab/exact.ts';
import { tamper } from '../../../tools/lab/tamper.ts';
import { animals, instead, listing, saying } from './answers.ts';
import type { HostileRow } from './row.ts';

const mebibyte = 1024 * 1024;
let random = 0;

const manyAnimals = toJson(animals(6000));

/** Much of everything. */
export const sizes: HostileRow[] = [
  {
    id: 'large-lists',
    about: 'lists of 30 MB, each another',
    mutate: instead(
      () =>
        Buffer.from(
          `[${`{"id":${++random},"name":"${'x'.repeat(1000)}","categoryId":1},`.repeat(29_000)}{}]`,
        ),
      {},
    ),
    ends: 1,
    says: /cases were not made, as the target had sent more than 192 MiB/,
  },
  {
    id: 'lists-of-3-mb',
    about: 'lists of 3 MB, each another',
    mutate: instead(() =>
      Buffer.from(
        `[{"id":${++random},"name":"x","categoryId":1}${',{"id":7,"name":"Rex of a long line","categoryId":1}'.repeat(60_000)}]`,
      ),
    ),
    ends: 1,
    says: /answers were not judged, as a run stores at most about 64 MiB of answers/,
  },
  {
    id: 'same-3-mb',
    about: 'the same list of 3 MB each time',
    mutate: instead(() =>
      Buffer.from(`[${'{"id":7,"name":"Rex of a long line","categoryId":1},'.repeat(60_000)}{}]`),
    ),
    ends: 1,
  },
  {
    id: 'lists-of-1000',
    about: 'lists of 1,000 animals whatever the limit',
    mutate: saying('listPets', toJson(animals(1000))),
    ends: 1,
  },
  {
    id: 'lists-of-6000',
    about: 'lists of 6,000 animals whatever the limit',
    mutate: saying('listPets', manyAnimals),
    ends: 1,
    says: /lists only the first 200 items were judged, as they have up to 6000/,
  },
  {
    id: 'lists-of-6000-changing',
    about: 'lists of 6,000 animals, in each another name',
    mutate: saying('listPets', () => manyAnimals.replace('"Rex 7"', () => `"Rex ${++random}"`)),
    ends: 1,
  },
  {
    id: 'brackets',
    about: 'lists of a million empty objects',
    mutate: saying('listPets', `[${'{},'.repeat(1_000_000)}{}]`),
    ends: 1,
    says: /got an answer that takes more than 64 MiB of memory/,
  },
  {
    id: 'wide-object',
    about: 'an animal with 200,000 fields',
    mutate: saying(
      'listPets',
      `{"id":1${Array.from({ length: 200_000 }, (_, index) => `,"f${index}":1`).join('')}}`,
    ),
    ends: 1,
    says: /got JSON with an object of more than 5000 members/,
  },
  {
    id: 'wide-items',
    about: 'animals with 2,000 fields each',
    mutate: instead(() => {
      const fields = Array.from({ length: 2000 }, (_, index) => `,"f${index}":${++random}`).join(
        '',
      );
      return Buffer.from(
        `[${Array.from({ length: 50 }, (_, index) => `{"id":${index},"name":"x","categoryId":1${fields}}`)}]`,
      );
    }),
    ends: 1,
  },
  {
    id: 'long-names',
    about: 'animals with a name of 500 kB',
    mutate: listing((truth) =>
      truth.slice(0, 5).map((item) => ({ ...item, name: `${item.id}`.repeat(500_000) })),
    ),
    ends: 1,
  },
  {
    id: 'deep-arrays',
    about: 'arrays 100,000 levels deep',
    mutate: saying('listPets', '['.repeat(100_000) + ']'.repeat(100_000)),
    ends: 1,
    says: /got JSON nested more than 500 levels deep/,
  },
  {
    id: 'deep-objects',
    about: 'objects 50,000 levels deep in a field of an animal',
    mutate: saying(
      'createPet',
      `{"id":1,"name":"x","categoryId":1,"more":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    ),
    ends: 1,
  },
  {
    id: 'large-errors',
    about: 'errors of 3 MB',
    mutate: tamper({ when: (_, { status }) => status >= 400 }, (answer) => ({
      ...answer,
      text: `{"code":"x","status":${answer.status},"message":"${'<b>'.repeat(mebibyte)}"}`,
    })),
    ends: 0,
  },
  {
    id: 'error-pages',
    about: 'a 500 and a page with 6,000 commas of script in place of each 404',
    mutate: tamper({ status: 404 }, (answer) => ({
      ...answer,
      status: 500,
      headers: { ...answer.headers, 'Content-Type': 'text/html' },
      text: `<!doctype html><script>f({${'a:1,'.repeat(6000)}})</script>`,
    })),
    ends: 1,
    says: / DRIFT The target breaks .*the target answers with a server error \(\d+ of \d+ calls\)/,
  },
  {
    id: 'wide-errors',
    about: 'a 500 and an object of 6,000 fields in place of each 404',
    mutate: tamper({ status: 404 }, (answer) => ({
      ...answer,
      status: 500,
      text: `{${'"a":1,'.repeat(6000)}"b":1}`,
    })),
    ends: 1,
    says: / DRIFT The target breaks .*the target answers with a server error \(\d+ of \d+ calls\)/,
  },
  {
    id: 'strange-ids',
    about: 'each list shows 99 animals that nobody has seen before',
    mutate: listing(() => animals(99, () => ({ id: BigInt(++random) }))),
    ends: 1,
    says: /of the pets that were listed only the first 2000 were followed/,
  },
];
