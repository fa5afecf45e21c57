import { toJson } from '../../../tools/lab/exact.ts';
import { tamper } from '../../../tools/lab/tamper.ts';
import { animals, listing, saying, withId } from './answers.ts';
import type { HostileRows } from './row.ts';

/** Values that nobody expects. */
export const values: HostileRows = {
  'id-half-a-pair': {
    about: 'half of a surrogate pair as an id',
    mutate: withId('"\\ud800"'),
  },
  'id-with-to-string': {
    about: 'an object that cannot become a text as an id',
    mutate: withId('{"toString":1,"valueOf":1}'),
  },
  'id-array': { about: 'an array as an id', mutate: withId('[[[1]]]') },
  'id-dots': { about: 'two dots as an id', mutate: withId('".."') },
  'id-long': { about: 'an id of 20,000 digits', mutate: withId('9'.repeat(20_000)) },
  'id-beyond-int64': { about: 'an id beyond int64', mutate: withId('1e400') },
  'to-string-everywhere': {
    about: 'each field is an object that cannot become a text',
    mutate: saying(undefined, ({ body }) =>
      toJson(body).replace(/":("[^"]*"|\d+)/g, '":{"toString":1,"valueOf":1}'),
    ),
  },
  'null-items': { about: 'lists of null', mutate: listing(() => [null, null, null]) },
  'one-id': {
    about: 'one id 5,000 times in each list',
    mutate: saying('listPets', toJson(animals(5000, () => ({ id: 1n })))),
  },
  'endless-quota': {
    about: 'figures of 15 digits in each rate-limit header',
    mutate: tamper({}, (answer) => ({
      ...answer,
      headers: {
        ...answer.headers,
        'X-RateLimit-Limit': '9'.repeat(15),
        'X-RateLimit-Remaining': '9'.repeat(15),
        'X-RateLimit-Reset': '9'.repeat(15),
      },
    })),
    options: [],
  },
  'always-nothing-left': {
    about: 'nothing is ever left, and the limit resets within a second',
    mutate: tamper({}, (answer) => ({
      ...answer,
      headers: {
        ...answer.headers,
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': String(Math.floor(Date.now() / 1000) + 1),
      },
    })),
    options: [],
    ends: 0,
  },
};
