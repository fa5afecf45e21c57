import { tamper } from '../../../tools/lab/tamper.ts';
import { animals, instead, listing, saying } from './answers.ts';
import type { HostileRows } from './row.ts';

const mebibyte = 1024 * 1024;
let random = 0;

const item = '{"id":7,"name":"Rex of a long line","categoryId":1}';
const longItem = `{"id":7,"name":"${'x'.repeat(1000)}","categoryId":1}`;

/** A list with another first item each time. Of the rest, `more` is written once. */
function changing(more: string): () => Buffer {
  const rest = Buffer.from(more);
  return () => Buffer.concat([Buffer.from(`[{"id":${++random},"name":"x","categoryId":1}`), rest]);
}

/** Much of everything. */
export const sizes: HostileRows = {
  'large-lists': {
    about: 'lists of 30 MB, each another',
    mutate: instead(changing(`${`,${longItem}`.repeat(29_000)}]`)),
    says: /got an answer of more than 8 MiB/,
  },
  'lists-of-3-mb': {
    about: 'lists of 3 MB, each another',
    mutate: instead(changing(`${`,${item}`.repeat(60_000)}]`)),
    says: /answers were not judged, as a run keeps at most 8 MiB of large answers/,
  },
  brackets: {
    about: 'lists of a million empty objects',
    mutate: saying('listPets', `[${'{},'.repeat(1_000_000)}{}]`),
    says: /got JSON of more than 1,000,000 values/,
  },
  'wide-object': {
    about: 'an animal with 200,000 fields',
    mutate: saying(
      'listPets',
      `{"id":1${Array.from({ length: 200_000 }, (_, index) => `,"f${index}":1`).join('')}}`,
    ),
    says: /got JSON with an object of more than 5000 members/,
  },
  'wide-items': {
    about: 'animals with 2,000 fields each',
    mutate: instead(() => {
      const fields = Array.from({ length: 2000 }, (_, index) => `,"f${index}":${++random}`).join(
        '',
      );
      return Buffer.from(
        `[${Array.from({ length: 50 }, (_, index) => `{"id":${index},"name":"x","categoryId":1${fields}}`)}]`,
      );
    }),
  },
  'long-names': {
    about: 'animals with a name of 500 kB',
    mutate: listing((truth) =>
      truth.slice(0, 5).map((item) => ({ ...item, name: `${item.id}`.repeat(500_000) })),
    ),
  },
  'large-errors': {
    about: 'errors of 3 MB',
    mutate: tamper({ when: (_, { status }) => status >= 400 }, (answer) => ({
      ...answer,
      text: `{"code":"x","status":${answer.status},"message":"${'<b>'.repeat(mebibyte)}"}`,
    })),
    ends: 0,
  },
  'strange-ids': {
    about: 'each list shows 99 animals that nobody has seen before',
    mutate: listing(() => animals(99, () => ({ id: BigInt(++random) }))),
    says: /listPets lists more items than the default of 20/,
  },
};
