import type { Mutate } from '../deployment.ts';
import { byId, type Entries, family } from '../row.ts';
import type { Item } from '../shop.ts';
import { body, dropHeader, header, renameMember, status, tamper, text } from '../tamper.ts';

const read = { operation: 'getPet', status: 200 } as const;
const unknown = { operation: 'getPet', status: 404 } as const;
const orders = { operation: 'listOrders', status: 200 } as const;

/** A mutant that reads another animal than was asked for, or none. */
function reading(
  change: (id: string, found: Item | undefined, items: Map<string, Item>) => Item | undefined,
): Mutate {
  return (truth, { items }) => ({ read: (id, call) => change(id, truth.read(id, call), items) });
}

const reads: Entries = {
  'read-404-for-all': {
    about: 'every animal is unknown',
    mutate: tamper(read, gone(404)),
  },
  'read-removed-410': {
    clause: '§4.3, §9',
    about: 'the deprecated operation is gone already (410)',
    mutate: tamper({ operation: 'getPet' }, gone(410)),
  },
  'read-removed-404': {
    clause: '§4.3, §9',
    about: 'the deprecated operation is gone already (404 in text)',
    mutate: tamper({ operation: 'getPet' }, status(404), text('404', 'text/plain')),
  },
  'read-redirected': {
    clause: '§4.3, §9',
    about: 'the deprecated operation redirects to the list',
    mutate: tamper(read, status(301), header('Location', '/v1/pets')),
  },
  'read-seeded-404': {
    about: 'an animal is readable if its id is odd',
    mutate: reading((id, found) => (/[13579]$/.test(id) ? found : undefined)),
  },
  'read-unknown-gives-first': {
    clause: '§4.3, §7',
    about: 'an unknown id gives the first animal',
    mutate: reading((_, found, items) => found ?? items.values().next().value),
  },
  'read-unknown-200-null': {
    clause: '§4.3, §7',
    about: 'an unknown id gives 200 and null',
    mutate: tamper(
      unknown,
      status(200),
      body(() => null),
    ),
  },
  'read-unknown-200-empty': {
    clause: '§4.3, §7',
    about: 'an unknown id gives 200 and {}',
    mutate: tamper(
      unknown,
      status(200),
      body(() => ({})),
    ),
  },
  'read-other-animal': {
    about: 'always the first animal',
    mutate: reading((_, found, items) => found && items.values().next().value),
  },
  'read-next-animal': {
    about: 'the animal after the one that was asked for, under the id asked for',
    mutate: reading(
      (id, found, items) =>
        found && { ...(items.get(String(BigInt(id) + 1n)) ?? items.get('1')), id: found.id },
    ),
  },
  'read-name-differs': {
    about: 'the name differs from the list',
    mutate: reading((_, found) => found && { ...found, name: `${found.name}!` }),
  },
  'read-category-differs': {
    about: 'the category differs from the list',
    mutate: reading((_, found) => found && { ...found, categoryId: 7_777n }),
  },
  'read-status-differs': {
    about: 'the status differs from the list',
    mutate: reading((_, found) =>
      found?.status === undefined
        ? found
        : { ...found, status: found.status === 'sold' ? 'available' : 'sold' },
    ),
  },
  'read-status-missing': {
    about: 'the status is left out',
    mutate: reading((_, found) => found && without(found, 'status')),
  },
  'read-snake-case': {
    clause: '§2',
    about: 'categoryId is called category_id',
    mutate: tamper(read, renameMember('categoryId', 'category_id')),
  },
  'read-id-differs': {
    about: 'the id differs from the one asked for',
    mutate: reading((_, found) => found && { ...found, id: (found.id as bigint) + 1000n }),
  },
  'read-stale-after-create': {
    clause: '§4.3, §4.2',
    about: 'a created animal is unknown to getPet',
    settings: { animals: 45 },
    mutate: reading((id, found) => (Number(id) > 45 ? undefined : found)),
  },
  'read-any-id-made-up': {
    clause: '§4.3, §7',
    about: 'an unknown id gives an animal made up for it',
    mutate: reading(
      (id, found) =>
        found ??
        (/^-?\d{1,19}$/.test(id) ? { id: BigInt(id), name: 'Rex', categoryId: 1n } : undefined),
    ),
  },
  'read-large-unknown-id-500': {
    clause: '§4.3, §7',
    about: 'an unknown id beyond 32 bits gives 500',
    mutate: tamper({ ...unknown, when: ({ petId = '' }) => /^\d{10,}$/.test(petId) }, status(500)),
  },
  'read-sunset-other-date': {
    clause: '§4.3, §9',
    about: 'Sunset names 1 January 2027',
    mutate: tamper({ operation: 'getPet' }, header('Sunset', 'Fri, 01 Jan 2027 00:00:00 GMT')),
  },
  'read-sunset-year-later': {
    clause: '§4.3, §9',
    about: 'Sunset names 5 December 2031',
    mutate: tamper({ operation: 'getPet' }, header('Sunset', 'Fri, 05 Dec 2031 00:00:00 GMT')),
  },
  'read-sunset-past': {
    clause: '§4.3, §9',
    about: 'Sunset names 12 May 2020',
    mutate: tamper({ operation: 'getPet' }, header('Sunset', 'Tue, 12 May 2020 00:00:00 GMT')),
  },
};

const orderEntries: Entries = {
  'orders-missing': {
    about: 'GET /store/orders is not there',
    mutate: tamper(orders, gone(404)),
  },
  'orders-missing-text': {
    about: 'GET /store/orders is not there, said in text',
    mutate: tamper(orders, status(404), text('Not Found', 'text/plain')),
  },
  'orders-500': {
    about: 'GET /store/orders fails with 500',
    mutate: tamper(orders, gone(500)),
  },
  'orders-501': {
    about: 'GET /store/orders is not implemented (501)',
    mutate: tamper(orders, gone(501)),
  },
  'orders-405': {
    about: 'GET /store/orders is not allowed (405)',
    mutate: tamper(orders, gone(405)),
  },
  'orders-html': {
    clause: '§1',
    about: 'GET /store/orders answers an HTML page',
    mutate: tamper(orders, text('<h1>Orders</h1>', 'text/html')),
  },
  'orders-text': {
    clause: '§1',
    about: 'GET /store/orders answers plain text',
    mutate: tamper(orders, text('no orders', 'text/plain')),
  },
  'orders-not-json': {
    clause: '§1',
    about: 'GET /store/orders answers no JSON, called application/json',
    mutate: tamper(orders, text('id;quantity\n1;2')),
  },
  'orders-csv': {
    clause: '§1',
    about: 'GET /store/orders answers CSV',
    mutate: tamper(orders, text('id,quantity\n1,2', 'text/csv')),
  },
  'orders-media-type': {
    clause: '§1',
    about: 'GET /store/orders calls its JSON text/html',
    mutate: tamper(orders, header('Content-Type', 'text/html')),
  },
};

const safetyEntries: Entries = {
  'safety-list-shrinks': {
    about: 'each list removes the last animal',
    mutate: (truth, { items }) => ({
      list: (query, call) => {
        const found = truth.list(query, call);
        items.delete([...items.keys()].at(-1) ?? '');
        return found;
      },
    }),
  },
  'safety-list-grows': {
    about: 'each list adds an animal',
    mutate: (truth) => ({
      list: (query, call) => {
        truth.create({ name: 'Stray', categoryId: 1n }, call);
        return truth.list(query, call);
      },
    }),
  },
  'safety-read-removes': {
    clause: '§4.3',
    about: 'reading an animal removes it',
    mutate: (truth, { items }) => ({
      read: (id, call) => {
        const found = truth.read(id, call);
        items.delete(id);
        return found;
      },
    }),
  },
  'safety-read-changes-status': {
    clause: '§4.3, §3',
    about: 'reading an animal makes it sold',
    mutate: (truth, { items }) => ({
      read: (id, call) => {
        const found = truth.read(id, call);
        if (found)
          items.set(id, { ...found, status: found.status === 'sold' ? 'available' : 'sold' });
        return found;
      },
    }),
  },
  'safety-read-sells': {
    clause: '§4.3, §3',
    about: 'reading an available animal makes it sold, once and for all',
    mutate: (truth, { items }) => ({
      read: (id, call) => {
        const found = truth.read(id, call);
        if (found?.status === 'available') items.set(id, { ...found, status: 'sold' });
        return found;
      },
    }),
  },
  'safety-create-evicts': {
    clause: '§4.2',
    about: 'each creation removes the oldest animal',
    mutate: (truth, { items }) => ({
      create: (sent, call) => {
        const [oldest] = items.keys();
        if (oldest !== undefined) items.delete(oldest);
        return truth.create(sent, call);
      },
    }),
  },
  'safety-create-sells-another': {
    clause: '§4.2, §3',
    about: 'each creation makes the animal created before it sold',
    mutate: (truth, { items }) => {
      let last: string | undefined;
      return {
        create: (sent, call) => {
          const item = truth.create(sent, call);
          const before = last === undefined ? undefined : items.get(last);
          if (before) items.set(String(before.id), { ...before, status: 'sold' });
          last = String(item.id);
          return item;
        },
      };
    },
  },
  'safety-list-renames': {
    about: 'each list renames the animals that it lists',
    mutate: (truth) => ({
      list: (query, call) => {
        const found = truth.list(query, call).map((item) => ({ ...item }));
        for (const item of truth.list(query, call)) item.name = `${item.name}'`;
        return found;
      },
    }),
  },
};

const mediaTypes: Entries = byId(['listPets', 'createPet', 'getPet'] as const, (operation) => {
  const scope = {
    operation,
    when: (_: unknown, answer: { status: number }) => answer.status < 300,
  };
  const clause = '§1';
  return [
    {
      id: `media-${operation}-text-plain`,
      clause,
      about: `${operation} calls its JSON text/plain`,
      mutate: tamper(scope, header('Content-Type', 'text/plain')),
    },
    {
      id: `media-${operation}-missing`,
      clause,
      about: `${operation} sends no Content-Type`,
      mutate: tamper(scope, dropHeader('Content-Type')),
    },
    {
      id: `media-${operation}-suffix`,
      clause,
      about: `${operation} calls its JSON application/vnd.pets+json`,
      mutate: tamper(scope, header('Content-Type', 'application/vnd.pets+json')),
    },
    {
      id: `media-${operation}-html`,
      clause,
      about: `${operation} calls its JSON text/html`,
      mutate: tamper(scope, header('Content-Type', 'text/html; charset=utf-8')),
    },
  ];
});

export const readRows = [
  ...family('read', '§4.3', reads),
  ...family('orders', '§4.4', orderEntries),
  ...family('safety', '§4.1', safetyEntries),
  ...family('media-type', '', mediaTypes),
];

function gone(code: number) {
  return (answer: { headers: Record<string, string> }) => ({
    ...answer,
    status: code,
    body: { code: 'gone', message: 'There is nothing here.', status: BigInt(code) },
  });
}

function without(item: Item, name: string): Item {
  return Object.fromEntries(Object.entries(item).filter(([key]) => key !== name));
}
