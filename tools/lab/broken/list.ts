import type { Mutate } from '../deployment.ts';
import { type Entry, family } from '../row.ts';
import { type Call, type Item, type Query, statuses } from '../shop.ts';
import { body, tamper } from '../tamper.ts';

type List = (query: Query, call: Call) => Item[];

/** A mutant that lists otherwise; `list` is the true way. */
function listing(change: (list: List, items: () => Item[]) => List): Mutate {
  return (truth, { items }) => ({ list: change(truth.list, () => [...items.values()]) });
}

/** A mutant whose default page size is another. */
function byDefault(size: number): Mutate {
  return listing(
    (list) => (query, call) =>
      list(call.query.has('limit') ? query : { ...query, limit: size }, call),
  );
}

/** A mutant that takes limits above 100 and lists as many. */
function upTo(max: number): Mutate {
  return (truth) => ({
    query: (call) => {
      const limit = Number(call.query.get('limit'));
      return limit > 100 && limit <= max
        ? { limit, status: call.query.get('status') ?? undefined }
        : truth.query(call);
    },
  });
}

/** A mutant that lists no more than so many animals. */
function capped(max: number): Mutate {
  return listing(
    (list) => (query, call) => list({ ...query, limit: Math.min(max, query.limit) }, call),
  );
}

/** A mutant that lists some of the animals that fit, of which the newest come last. */
function newest(choose: (items: Item[], limit: number) => Item[]): Mutate {
  return listing(
    (list) => (query, call) => choose(list({ ...query, limit: 5000 }, call), query.limit),
  );
}

/** A mutant whose every n-th list is cut. */
function nowAndThen(n: number, length: (items: Item[]) => number): Mutate {
  return (truth) => {
    let lists = 0;
    return {
      list: (query, call) => {
        lists += 1;
        const items = truth.list(query, call);
        return lists % n === 0 ? items.slice(0, Math.max(0, length(items))) : items;
      },
    };
  };
}

/** The last items whose names fit into so many bytes. */
function withinSize(items: Item[], bytes: number): Item[] {
  let left = bytes;
  const from = items.findLastIndex(({ name }) => (left -= 60 + String(name).length) < 0);
  return items.slice(from + 1);
}

function refusing(limit: number): Mutate {
  return (truth) => ({
    query: (call) =>
      call.query.get('limit') === String(limit) ? 'limit is out of range.' : truth.query(call),
  });
}

const sizes: Entry[] = [
  ...[1, 10, 19, 21, 25, 30, 1000].map((size): Entry => {
    const name = size === 1000 ? 'all' : String(size);
    return {
      id: `list-default-${name}`,
      clause: '§4.1',
      about: `the default limit is ${name}`,
      mutate: byDefault(size),
    };
  }),
  {
    id: 'list-filtered-default-10',
    clause: '§4.1',
    about: 'the default limit is 10 on a filtered list',
    settings: { animals: 120 },
    mutate: listing(
      (list) => (query, call) =>
        list(filtered(query) && !call.query.has('limit') ? { ...query, limit: 10 } : query, call),
    ),
  },
  {
    id: 'list-limit-ignored',
    clause: '§4.1',
    about: 'limit is ignored: always 20',
    mutate: listing((list) => (query, call) => list({ ...query, limit: 20 }, call)),
    only: ['page-size'],
  },
  {
    id: 'list-limit-ignored-all-sent',
    clause: '§4.1',
    about: 'limit is ignored: always all',
    mutate: listing((list) => (query, call) => list({ ...query, limit: 5000 }, call)),
  },
  {
    id: 'list-limit-ignored-with-filter',
    clause: '§4.1',
    about: 'limit is ignored when status is given',
    mutate: listing(
      (list) => (query, call) => list(filtered(query) ? { ...query, limit: 100 } : query, call),
    ),
  },
  {
    id: 'list-limit-one-more',
    clause: '§4.1',
    about: 'one animal more than limit',
    mutate: listing((list) => (query, call) => list({ ...query, limit: query.limit + 1 }, call)),
  },
  {
    id: 'list-limit-one-less',
    clause: '§4.1',
    about: 'one animal less than limit',
    mutate: listing((list) => (query, call) => list({ ...query, limit: query.limit - 1 }, call)),
    only: ['page-size'],
  },
  {
    id: 'list-limit-1-gives-2',
    clause: '§4.1',
    about: 'limit=1 lists two animals',
    mutate: listing(
      (list) => (query, call) => list({ ...query, limit: Math.max(2, query.limit) }, call),
    ),
  },
  {
    id: 'list-limit-capped-at-50',
    clause: '§4.1',
    about: 'limit=100 lists 50 of 120 animals',
    settings: { animals: 120 },
    mutate: capped(50),
    only: ['page-size'],
  },
  {
    id: 'list-101-of-120',
    clause: '§4.1',
    about: 'limit=101 lists 101 animals',
    settings: { animals: 120 },
    mutate: upTo(101),
  },
  {
    id: 'list-1000-of-120',
    clause: '§4.1',
    about: 'limit=1000 lists all 120 animals',
    settings: { animals: 120 },
    mutate: upTo(5000),
  },
  {
    id: 'list-limit-100-refused',
    clause: '§4.1',
    about: 'limit=100 is refused',
    mutate: refusing(100),
  },
  { id: 'list-limit-1-refused', clause: '§4.1', about: 'limit=1 is refused', mutate: refusing(1) },
  {
    id: 'list-limit-20-refused',
    clause: '§4.1',
    about: 'limit=20 is refused',
    mutate: refusing(20),
  },
];

/** Lists that leave out what is there: nothing was deleted, and no filter is wrong. */
const short: Entry[] = [
  {
    id: 'list-capped-at-50-of-45',
    about: 'limit=100 lists 50 animals once there are more',
    mutate: capped(50),
  },
  {
    id: 'list-capped-at-45-of-45',
    about: 'limit=100 lists 45 animals, as many as there are at first',
    mutate: capped(45),
  },
  {
    id: 'list-newest-20',
    about: 'limit is ignored: always the newest 20',
    mutate: newest((items) => items.slice(-20)),
  },
  {
    id: 'list-newest-30',
    about: 'limit=100 lists the newest 30 animals',
    mutate: newest((items, limit) => items.slice(-Math.min(30, limit))),
  },
  {
    id: 'list-newest-2-kB',
    about: 'a list holds the newest animals in 2 kB',
    mutate: newest((items, limit) => withinSize(items.slice(-limit), 2000)),
  },
  {
    id: 'list-filtered-20',
    about: 'limit is ignored when status is given: at most 20',
    settings: { animals: 120 },
    mutate: listing(
      (list) => (query, call) => list(filtered(query) ? { ...query, limit: 20 } : query, call),
    ),
  },
  {
    id: 'list-filtered-capped-at-5',
    about: 'a filtered list holds at most 5 animals',
    mutate: listing(
      (list) => (query, call) =>
        list(filtered(query) ? { ...query, limit: Math.min(5, query.limit) } : query, call),
    ),
  },
  {
    id: 'list-over-50-is-20',
    about: 'a limit above 50 counts as 20',
    mutate: listing(
      (list) => (query, call) => list(query.limit > 50 ? { ...query, limit: 20 } : query, call),
    ),
  },
  {
    id: 'list-half-of-limit',
    about: 'limit=N lists N / 2 animals',
    mutate: listing(
      (list) => (query, call) => list({ ...query, limit: Math.ceil(query.limit / 2) }, call),
    ),
  },
  {
    id: 'list-now-and-then-half',
    about: 'every 4th list is cut in half',
    mutate: nowAndThen(4, (items) => items.length / 2),
  },
  {
    id: 'list-now-and-then-one-less',
    about: 'every 7th list lacks its last animal',
    mutate: nowAndThen(7, (items) => items.length - 1),
  },
  {
    id: 'list-now-and-then-empty',
    about: 'every 9th list is empty',
    mutate: nowAndThen(9, () => 0),
  },
].map((entry) => ({ ...entry, clause: '§4.1', only: ['page-size'] }));

const filters: Entry[] = [
  {
    id: 'filter-ignored',
    clause: '§4.1',
    about: 'the status filter is ignored',
    mutate: listing((list) => (query, call) => list({ ...query, status: undefined }, call)),
  },
  {
    id: 'filter-ignored-with-limit',
    clause: '§4.1',
    about: 'the status filter is ignored when limit is given',
    mutate: listing(
      (list) => (query, call) =>
        list(call.query.has('limit') ? { ...query, status: undefined } : query, call),
    ),
  },
  ...statuses.flatMap((status): Entry[] => [
    {
      id: `filter-${status}-empty`,
      clause: '§4.1',
      about: `status=${status} lists nothing`,
      mutate: listing(
        (list) => (query, call) => (query.status === status ? [] : list(query, call)),
      ),
    },
    {
      id: `filter-${status}-lists-all`,
      clause: '§4.1',
      about: `status=${status} lists animals of every status`,
      mutate: listing(
        (list) => (query, call) =>
          list(query.status === status ? { ...query, status: undefined } : query, call),
      ),
    },
    {
      id: `filter-${status}-refused`,
      clause: '§4.1',
      about: `status=${status} is refused`,
      mutate: (truth) => ({
        query: (call) =>
          call.query.get('status') === status ? 'status is unknown.' : truth.query(call),
      }),
    },
  ]),
  {
    id: 'filter-sold-lists-pending',
    clause: '§4.1',
    about: 'status=sold lists the pending animals',
    mutate: listing(
      (list) => (query, call) =>
        list(query.status === 'sold' ? { ...query, status: 'pending' } : query, call),
    ),
  },
  {
    id: 'filter-leaks-no-status',
    clause: '§4.1',
    about: 'a filtered list holds animals without a status too',
    mutate: listing(
      (_, items) =>
        ({ limit, status }) =>
          items()
            .filter((item) => fits(item, status) || !('status' in item))
            .slice(0, limit),
    ),
  },
  {
    id: 'filter-leaks-one',
    clause: '§4.1',
    about: 'status=available lists one pending animal at its end',
    mutate: listing((list, items) => (query, call) => {
      const found = list(query, call);
      const unwanted = items().find((item) => item.status === 'pending');
      return query.status === 'available' && unwanted
        ? [...found.slice(0, query.limit - 1), unwanted]
        : found;
    }),
  },
  {
    id: 'filter-after-limit',
    clause: '§4.1',
    about: 'limit is applied before the filter',
    mutate: listing(
      (_, items) =>
        ({ limit, status }) =>
          items()
            .slice(0, limit)
            .filter((item) => fits(item, status)),
    ),
  },
  {
    id: 'filter-among-first-20',
    clause: '§4.1',
    about: 'the filter looks at the first 20 animals only',
    mutate: listing(
      (list, items) => (query, call) =>
        filtered(query)
          ? items()
              .slice(0, 20)
              .filter((item) => fits(item, query.status))
              .slice(0, query.limit)
          : list(query, call),
    ),
  },
  {
    id: 'filter-incomplete',
    clause: '§4.1',
    about: 'a filtered list leaves out every third animal that fits',
    mutate: listing(
      (list) => (query, call) =>
        filtered(query)
          ? list(query, call).filter((_, index) => index % 3 !== 2)
          : list(query, call),
    ),
  },
  {
    id: 'filter-lacks-the-last',
    clause: '§4.1',
    about: 'a filtered list leaves out the last animal that fits',
    mutate: listing((list) => (query, call) => {
      const found = list({ ...query, limit: 5000 }, call);
      return (filtered(query) ? found.slice(0, -1) : found).slice(0, query.limit);
    }),
  },
];

const shapes: [id: string, about: string, change: (list: Item[]) => unknown][] = [
  ['wrapped-data', 'is wrapped in {"data": …}', (data) => ({ data })],
  [
    'wrapped-items',
    'is wrapped in {"items": …, "total": …}',
    (items) => ({ items, total: items.length }),
  ],
  [
    'by-id',
    'is an object by id',
    (items) => Object.fromEntries(items.map((item) => [String(item.id), item])),
  ],
  ['of-ids', 'is a list of ids', (items) => items.map(({ id }) => id)],
  ['of-lists', 'is a list with a list in it', (items) => [items]],
  ['null', 'is null', () => null],
  ['empty', 'is always empty', () => []],
  [
    'duplicates',
    'holds its first animal twice',
    (items) => [...items.slice(0, 1), ...items].slice(0, Math.max(1, items.length)),
  ],
  [
    'duplicate-at-the-end',
    'holds its first animal again at the end',
    (items) => (items.length > 2 ? [...items.slice(0, -1), items[0]] : items),
  ],
  [
    'null-at-the-end',
    'ends in null',
    (items) => (items.length > 5 ? [...items.slice(0, -1), null] : items),
  ],
];

const lists: Entry[] = [
  ...shapes.map(
    ([id, about, change]): Entry => ({
      id: `list-${id}`,
      clause: '§4.1, §2',
      about: `the list ${about}`,
      mutate: tamper(
        { operation: 'listPets', status: 200 },
        body((items) => change(items as Item[])),
      ),
    }),
  ),
  {
    id: 'list-wrapped-when-filtered',
    clause: '§4.1',
    about: 'a filtered list is wrapped in {"data": …}',
    mutate: tamper(
      { operation: 'listPets', status: 200, when: ({ query }) => query.has('status') },
      body((data) => ({ data })),
    ),
  },
  {
    id: 'list-single-animal-bare',
    clause: '§4.1',
    about: 'a list of one animal is that animal',
    mutate: tamper(
      { operation: 'listPets', status: 200 },
      body((items) => ((items as Item[]).length === 1 ? (items as Item[])[0] : items)),
    ),
  },
  {
    id: 'list-404-when-nothing-fits',
    clause: '§4.1',
    about: 'an empty store answers 404 instead of an empty list',
    settings: { animals: 0 },
    mutate: tamper({ operation: 'listPets', status: 200 }, (answer) =>
      (answer.body as Item[]).length > 0
        ? answer
        : { ...answer, status: 404, body: { code: 'none', message: 'None.', status: 404n } },
    ),
  },
];

export const listRows = [
  ...family('list', [...lists, ...sizes, ...short]),
  ...family('filter', filters),
];

function filtered({ status }: Query): boolean {
  return status !== undefined;
}

function fits(item: Item, status: string | undefined): boolean {
  return status === undefined || item.status === status;
}
