import type { Mutate } from '../deployment.ts';
import { byId, type Entries, family } from '../row.ts';
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

const sizes: Entries = {
  ...byId([1, 10, 19, 21, 25, 30, 1000], (size) => {
    const name = size === 1000 ? 'all' : String(size);
    return {
      id: `list-default-${name}`,
      about: `the default limit is ${name}`,
      mutate: byDefault(size),
    };
  }),
  'list-filtered-default-10': {
    about: 'the default limit is 10 on a filtered list',
    settings: { animals: 120 },
    mutate: listing(
      (list) => (query, call) =>
        list(filtered(query) && !call.query.has('limit') ? { ...query, limit: 10 } : query, call),
    ),
  },
  'list-limit-ignored': {
    about: 'limit is ignored: always 20',
    mutate: listing((list) => (query, call) => list({ ...query, limit: 20 }, call)),
    only: ['page-size'],
  },
  'list-limit-ignored-all-sent': {
    about: 'limit is ignored: always all',
    mutate: listing((list) => (query, call) => list({ ...query, limit: 5000 }, call)),
  },
  'list-limit-ignored-with-filter': {
    about: 'limit is ignored when status is given',
    mutate: listing(
      (list) => (query, call) => list(filtered(query) ? { ...query, limit: 100 } : query, call),
    ),
  },
  'list-limit-one-more': {
    about: 'one animal more than limit',
    mutate: listing((list) => (query, call) => list({ ...query, limit: query.limit + 1 }, call)),
  },
  'list-limit-one-less': {
    about: 'one animal less than limit',
    mutate: listing((list) => (query, call) => list({ ...query, limit: query.limit - 1 }, call)),
    only: ['page-size'],
  },
  'list-limit-1-gives-2': {
    about: 'limit=1 lists two animals',
    mutate: listing(
      (list) => (query, call) => list({ ...query, limit: Math.max(2, query.limit) }, call),
    ),
  },
  'list-limit-capped-at-50': {
    about: 'limit=100 lists 50 of 120 animals',
    settings: { animals: 120 },
    mutate: capped(50),
    only: ['page-size'],
  },
  'list-101-of-120': {
    about: 'limit=101 lists 101 animals',
    settings: { animals: 120 },
    mutate: upTo(101),
  },
  'list-1000-of-120': {
    about: 'limit=1000 lists all 120 animals',
    settings: { animals: 120 },
    mutate: upTo(5000),
  },
  'list-limit-100-refused': {
    about: 'limit=100 is refused',
    mutate: refusing(100),
  },
  'list-limit-1-refused': { about: 'limit=1 is refused', mutate: refusing(1) },
  'list-limit-20-refused': {
    about: 'limit=20 is refused',
    mutate: refusing(20),
  },
};

/** Lists that leave out what is there: nothing was deleted, and no filter is wrong. */
const short: Entries = byId(
  [
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
  ],
  (entry) => ({ ...entry, only: ['page-size'] }),
);

const filters: Entries = {
  'filter-ignored': {
    about: 'the status filter is ignored',
    mutate: listing((list) => (query, call) => list({ ...query, status: undefined }, call)),
  },
  'filter-ignored-with-limit': {
    about: 'the status filter is ignored when limit is given',
    mutate: listing(
      (list) => (query, call) =>
        list(call.query.has('limit') ? { ...query, status: undefined } : query, call),
    ),
  },
  ...byId(statuses, (status) => [
    {
      id: `filter-${status}-empty`,
      about: `status=${status} lists nothing`,
      mutate: listing(
        (list) => (query, call) => (query.status === status ? [] : list(query, call)),
      ),
    },
    {
      id: `filter-${status}-lists-all`,
      about: `status=${status} lists animals of every status`,
      mutate: listing(
        (list) => (query, call) =>
          list(query.status === status ? { ...query, status: undefined } : query, call),
      ),
    },
    {
      id: `filter-${status}-refused`,
      about: `status=${status} is refused`,
      mutate: (truth) => ({
        query: (call) =>
          call.query.get('status') === status ? 'status is unknown.' : truth.query(call),
      }),
    },
  ]),
  'filter-sold-lists-pending': {
    about: 'status=sold lists the pending animals',
    mutate: listing(
      (list) => (query, call) =>
        list(query.status === 'sold' ? { ...query, status: 'pending' } : query, call),
    ),
  },
  'filter-leaks-no-status': {
    about: 'a filtered list holds animals without a status too',
    mutate: listing(
      (_, items) =>
        ({ limit, status }) =>
          items()
            .filter((item) => fits(item, status) || !('status' in item))
            .slice(0, limit),
    ),
  },
  'filter-leaks-one': {
    about: 'status=available lists one pending animal at its end',
    mutate: listing((list, items) => (query, call) => {
      const found = list(query, call);
      const unwanted = items().find((item) => item.status === 'pending');
      return query.status === 'available' && unwanted
        ? [...found.slice(0, query.limit - 1), unwanted]
        : found;
    }),
  },
  'filter-after-limit': {
    about: 'limit is applied before the filter',
    mutate: listing(
      (_, items) =>
        ({ limit, status }) =>
          items()
            .slice(0, limit)
            .filter((item) => fits(item, status)),
    ),
  },
  'filter-among-first-20': {
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
  'filter-incomplete': {
    about: 'a filtered list leaves out every third animal that fits',
    mutate: listing(
      (list) => (query, call) =>
        filtered(query)
          ? list(query, call).filter((_, index) => index % 3 !== 2)
          : list(query, call),
    ),
  },
  'filter-lacks-the-last': {
    about: 'a filtered list leaves out the last animal that fits',
    mutate: listing((list) => (query, call) => {
      const found = list({ ...query, limit: 5000 }, call);
      return (filtered(query) ? found.slice(0, -1) : found).slice(0, query.limit);
    }),
  },
};

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

const lists: Entries = {
  ...byId(shapes, ([id, about, change]) => ({
    id: `list-${id}`,
    clause: '§4.1, §2',
    about: `the list ${about}`,
    mutate: tamper(
      { operation: 'listPets', status: 200 },
      body((items) => change(items as Item[])),
    ),
  })),
  'list-wrapped-when-filtered': {
    about: 'a filtered list is wrapped in {"data": …}',
    mutate: tamper(
      { operation: 'listPets', status: 200, when: ({ query }) => query.has('status') },
      body((data) => ({ data })),
    ),
  },
  'list-single-animal-bare': {
    about: 'a list of one animal is that animal',
    mutate: tamper(
      { operation: 'listPets', status: 200 },
      body((items) => ((items as Item[]).length === 1 ? (items as Item[])[0] : items)),
    ),
  },
  'list-404-when-nothing-fits': {
    about: 'an empty store answers 404 instead of an empty list',
    settings: { animals: 0 },
    mutate: tamper({ operation: 'listPets', status: 200 }, (answer) =>
      (answer.body as Item[]).length > 0
        ? answer
        : { ...answer, status: 404, body: { code: 'none', message: 'None.', status: 404n } },
    ),
  },
};

export const listRows = [
  ...family('list', '§4.1', { ...lists, ...sizes, ...short }),
  ...family('filter', '§4.1', filters),
];

function filtered({ status }: Query): boolean {
  return status !== undefined;
}

function fits(item: Item, status: string | undefined): boolean {
  return status === undefined || item.status === status;
}
