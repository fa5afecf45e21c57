import type { Mutate } from '../deployment.ts';
import { type Entries, family } from '../row.ts';
import type { Call, Item, OperationId, Query, Shop } from '../shop.ts';

/** An animal's id, made anew by `make` from its place in the order of creation. */
function ids(make: (index: number) => bigint): Mutate {
  return (truth, { items }) => ({
    seed: (count) => truth.seed(count).map((item, index) => ({ ...item, id: make(index) })),
    create: (sent, call) => {
      const item = truth.create(sent, call);
      items.delete(String(item.id));
      const own = { ...item, id: make(Number(item.id) - 1) };
      items.set(String(own.id), own);
      return own;
    },
  });
}

function ordered(sort: (items: Item[]) => Item[]): Mutate {
  return (_, { items }) => ({
    list: ({ limit, status }: Query) =>
      sort([...items.values()])
        .filter((item) => status === undefined || item.status === status)
        .slice(0, limit),
  });
}

function scattered(index: number): bigint {
  return ((BigInt(index) * 0x9e3779b97f4a7c15n + 0x1234567n) & 0x1fffffffffffffn) + 1n;
}

const orders: Entries = {
  'fair-newest-first': {
    about: 'the newest animals come first',
    mutate: ordered((items) => items.reverse()),
  },
  'fair-by-name': {
    about: 'animals come in the order of their names',
    mutate: ordered((items) => items.sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1))),
  },
  'fair-any-order': {
    about: 'each list comes in another order',
    mutate: (truth, shop) => {
      let turn = 0;
      const shuffle = (items: Item[]) => {
        turn += 7;
        return items
          .map((item, index) => ({ item, rank: (index * 31 + turn * 17) % 97 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ item }) => item);
      };
      return ordered(shuffle)(truth, shop);
    },
  },
};

const animals: Entries = {
  'fair-random-ids': {
    about: 'ids are scattered over 53 bits',
    mutate: ids(scattered),
  },
  'fair-huge-ids': {
    about: 'ids end at 2^63 - 1',
    mutate: ids((index) => 2n ** 63n - 1n - BigInt(index)),
  },
  'fair-negative-ids': {
    about: 'ids are negative',
    mutate: ids((index) => -BigInt(index) - 1n),
  },
  'fair-ids-from-zero': {
    about: 'ids begin at 0',
    mutate: ids((index) => BigInt(index)),
  },
  'fair-empty-store': { clause: '§4.1', about: 'there is no animal', settings: { animals: 0 } },
  'fair-one-animal': { clause: '§4.1', about: 'there is one animal', settings: { animals: 1 } },
  'fair-20-animals': {
    clause: '§4.1',
    about: 'there are exactly 20 animals',
    settings: { animals: 20 },
  },
  'fair-100-animals': {
    clause: '§4.1',
    about: 'there are exactly 100 animals',
    settings: { animals: 100 },
  },
  'fair-5000-animals': {
    clause: '§4.1',
    about: 'there are 5,000 animals',
    settings: { animals: 5000 },
  },
  'fair-5000-animals-newest-first': {
    clause: '§4.1',
    about: 'there are 5,000 animals, newest first',
    settings: { animals: 5000 },
    mutate: ordered((items) => items.reverse()),
  },
  'fair-no-status-at-all': {
    about: 'no animal of the store has a status',
    mutate: (truth) => ({
      seed: (count) => truth.seed(count).map(({ status: _, ...item }) => item),
    }),
  },
  'fair-same-names': {
    about: 'all animals of the store have one name, an empty one',
    mutate: (truth) => ({
      seed: (count) => truth.seed(count).map((item) => ({ ...item, name: '' })),
    }),
  },
  'fair-hostile-names': {
    about: 'the names of the store hold markup, escape sequences and lone surrogates',
    mutate: (truth) => ({
      seed: (count) =>
        truth
          .seed(count)
          .map((item) => ({ ...item, name: `</script>\u001b[31m\u202e${item.name}\u0000\ud800` })),
    }),
  },
  'fair-others-write-too': {
    clause: '§4.2',
    about: 'another client adds an animal at every tenth call',
    mutate: (truth) => ({
      answer: (call, answer) => {
        if (call.number % 10 === 0) truth.create({ name: 'Stray', categoryId: 1n }, call);
        return answer;
      },
    }),
  },
  'fair-listed-a-moment-later': {
    clause: '§4.2',
    about: 'a created animal is in lists 200 ms later',
    mutate: (truth, { now }) => {
      const since = new Map<unknown, number>();
      return {
        create: (sent, call) => {
          const item = truth.create(sent, call);
          since.set(item.id, now());
          return item;
        },
        list: (query, call) =>
          truth
            .list({ ...query, limit: 10_000 }, call)
            .filter(({ id }) => now() - (since.get(id) ?? 0) >= 200)
            .slice(0, query.limit),
      };
    },
  },
};

/**
 * Another client changes an animal at every so many calls; `which` picks it from those that are
 * there.
 */
function others(
  every: number,
  which: (items: Item[], turn: number) => Item | undefined,
  change: (item: Item, shop: Shop) => void,
): Mutate {
  return (_, shop) => ({
    answer: (call, answer) => {
      const item =
        call.number % every === 0
          ? which([...shop.items.values()], call.number / every)
          : undefined;
      if (item) change(item, shop);
      return answer;
    },
  });
}

const scatteredPick = (items: Item[], turn: number) => items[(turn * 17 + 5) % 40];
const newest = (items: Item[]) => items.at(-1);
const remove = ({ id }: Item, { items }: Shop) => void items.delete(String(id));
const sell = (item: Item, { items }: Shop) =>
  void items.set(String(item.id), { ...item, status: 'sold' });

const changedByOthers: Entries = {
  'fair-others-delete': {
    about: 'another client deletes an animal at every 60th call',
    mutate: others(60, scatteredPick, remove),
  },
  'fair-others-delete-often': {
    about: 'another client deletes an animal at every 15th call',
    mutate: others(15, scatteredPick, remove),
  },
  'fair-others-delete-the-newest': {
    about: 'another client deletes the newest animal at every 70th call',
    mutate: others(70, newest, remove),
  },
  'fair-others-sell': {
    about: 'another client sells an animal at every 50th call',
    mutate: others(50, scatteredPick, sell),
  },
  'fair-others-sell-often': {
    about: 'another client sells an animal at every 12th call',
    mutate: others(12, scatteredPick, sell),
  },
  'fair-others-sell-the-newest': {
    about: 'another client sells the newest animal at every 70th call',
    mutate: others(70, newest, sell),
  },
};

/**
 * A deployment of several replicas that answer in turn; all but the first see what is created so
 * much later, in milliseconds.
 */
function replicas(count: number, delay: number, operations: readonly OperationId[]): Mutate {
  return (truth, { now }) => {
    const since = new Map<string, number>();
    let turn = 0;
    const sees = (call: Call) => {
      const isLate =
        operations.includes(call.operation as OperationId) && (count === 1 || turn++ % count > 0);
      return (id: unknown) => !isLate || now() - (since.get(String(id)) ?? 0) >= delay;
    };
    return {
      create: (sent, call) => {
        const item = truth.create(sent, call);
        since.set(String(item.id), now());
        return item;
      },
      read: (id, call) => (sees(call)(id) ? truth.read(id, call) : undefined),
      list: (query, call) => {
        const isSeen = sees(call);
        return truth
          .list({ ...query, limit: 10_000 }, call)
          .filter(({ id }) => isSeen(id))
          .slice(0, query.limit);
      },
    };
  };
}

const late: Entries = {
  'fair-read-a-moment-later': {
    clause: '§4.3',
    about: 'getPet knows a created animal 300 ms later',
    mutate: replicas(1, 300, ['getPet']),
  },
  'fair-seen-half-a-second-later': {
    about: 'getPet and lists show a created animal 500 ms later',
    mutate: replicas(1, 500, ['getPet', 'listPets']),
  },
  'fair-two-replicas': {
    about: 'two replicas answer in turn, one of them 300 ms behind',
    mutate: replicas(2, 300, ['getPet', 'listPets']),
  },
  'fair-three-replicas': {
    about: 'three replicas answer in turn, two of them 500 ms behind',
    mutate: replicas(3, 500, ['getPet', 'listPets']),
  },
};

export const animalRows = [
  ...family('fair-order', '§4.1', orders),
  ...family('fair-animals', '§2', animals),
  ...family('fair-others', '§3', changedByOthers),
  ...family('fair-late', '§4.2', late),
];
