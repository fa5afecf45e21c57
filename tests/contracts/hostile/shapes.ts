import { toJson } from '../../../tools/lab/exact.ts';
import { tamper } from '../../../tools/lab/tamper.ts';
import { animals, saying } from './answers.ts';
import type { HostileRows } from './row.ts';

let random = 0;

const manyAnimals = toJson(animals(6000));

/** Lists too long, nesting too deep, odd error bodies: none of them large. */
export const shapes: HostileRows = {
  'lists-of-6000': {
    about: 'lists of 6,000 animals whatever the limit',
    mutate: saying('listPets', manyAnimals),
    says: /lists only the first 200 items were judged, as they have up to 6000/,
  },
  'lists-of-6000-changing': {
    about: 'lists of 6,000 animals, in each another name',
    mutate: saying('listPets', () => manyAnimals.replace('"Rex 7"', () => `"Rex ${++random}"`)),
  },
  'deep-arrays': {
    about: 'arrays 100,000 levels deep',
    mutate: saying('listPets', '['.repeat(100_000) + ']'.repeat(100_000)),
    says: /got JSON nested more than 500 levels deep/,
  },
  'deep-objects': {
    about: 'objects 50,000 levels deep in a field of an animal',
    mutate: saying(
      'createPet',
      `{"id":1,"name":"x","categoryId":1,"more":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    ),
  },
  'error-pages': {
    about: 'a 500 and a page with 6,000 commas of script in place of each 404',
    mutate: tamper({ status: 404 }, (answer) => ({
      ...answer,
      status: 500,
      headers: { ...answer.headers, 'Content-Type': 'text/html' },
      text: `<!doctype html><script>f({${'a:1,'.repeat(6000)}})</script>`,
    })),
    says: / DRIFT The target breaks .*the target answers with a server error \(\d+ of \d+ calls\)/,
  },
};
