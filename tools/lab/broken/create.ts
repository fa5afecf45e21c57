import type { Mutate } from '../deployment.ts';
import { isJson } from '../exact.ts';
import { byId, type Entries, family } from '../row.ts';
import type { Item } from '../shop.ts';
import { body, eachObject, member, tamper } from '../tamper.ts';

/** A mutant that stores something else than was sent, and answers with what it stored. */
function keeping(change: (item: Item) => Item): Mutate {
  return (truth) => ({ create: (sent, call) => truth.create(change(sent), call) });
}

/** A mutant that answers something else than it stored. */
function echoing(change: (item: Item) => Item): Mutate {
  return tamper(
    { operation: 'createPet', status: 201 },
    body((item) => change(item as Item)),
  );
}

function renaming(change: (name: string) => string): Mutate {
  return keeping((item) => ({ ...item, name: change(String(item.name)) }));
}

const names: [id: string, about: string, change: (name: string) => string][] = [
  ['trimmed', 'is trimmed', (name) => name.trim()],
  ['lower-case', 'is put in lower case', (name) => name.toLowerCase()],
  ['title-case', 'begins with a capital', (name) => name.charAt(0).toUpperCase() + name.slice(1)],
  ['truncated-20', 'is cut after 20 characters', (name) => name.slice(0, 20)],
  ['truncated-64', 'is cut after 64 characters', (name) => name.slice(0, 64)],
  [
    'html-escaped',
    'is escaped for HTML',
    (name) => name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ],
  ['tags-stripped', 'loses its tags', (name) => name.replace(/<[^>]*>/g, '')],
  ['nfc', 'is normalised to NFC', (name) => name.normalize('NFC')],
  ['nfd', 'is normalised to NFD', (name) => name.normalize('NFD')],
  [
    'latin-1',
    'has ? for each character beyond Latin-1',
    (name) => name.replace(/[\u0100-\uffff]/g, '?'),
  ],
  ['accents-lost', 'loses its accents', (name) => name.normalize('NFD').replace(/\p{M}/gu, '')],
  [
    'emoji-lost',
    'loses characters beyond the BMP',
    (name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, ''),
  ],
  [
    'utf8-as-latin1',
    'has its UTF-8 read as Latin-1',
    (name) => Buffer.from(name, 'utf8').toString('latin1'),
  ],
  ['quotes-escaped', 'has backslashes before its quotes', (name) => name.replace(/['"]/g, '\\$&')],
  ['spaces-joined', 'has its runs of spaces joined', (name) => name.replace(/\s+/g, ' ')],
  ['controls-lost', 'loses its control characters', (name) => name.replace(/\p{Cc}/gu, '')],
];

const entries: Entries = {
  'create-not-stored': {
    about: 'a created animal is not stored',
    mutate: (truth, { items }) => ({
      create: (sent, call) => {
        const item = truth.create(sent, call);
        items.delete(String(item.id));
        return item;
      },
    }),
  },
  'create-not-listed': {
    clause: '§4.2, §4.1',
    about: 'a created animal can be read and is in no list',
    mutate: withSet((made, truth) => ({
      list: (query, call) =>
        truth
          .list({ ...query, limit: 5000 }, call)
          .filter(({ id }) => !made.has(id))
          .slice(0, query.limit),
    })),
  },
  'create-not-in-filtered-list': {
    clause: '§4.2, §4.1',
    about: 'a created animal is in the list, and not in the filtered one',
    mutate: withSet((made, truth) => ({
      list: (query, call) =>
        truth
          .list({ ...query, limit: 5000 }, call)
          .filter(({ id }) => query.status === undefined || !made.has(id))
          .slice(0, query.limit),
    })),
  },
  'create-listed-not-readable': {
    clause: '§4.2, §4.3',
    about: 'a created animal is listed, and reading it gives 404',
    mutate: withSet((made, truth) => ({
      read: (id, call) => {
        const item = truth.read(id, call);
        return item && made.has(item.id) ? undefined : item;
      },
    })),
  },
  'create-echo-name': {
    about: 'createPet answers another name than it stored',
    mutate: tamper({ operation: 'createPet', status: 201 }, member('name', 'Rex')),
  },
  'create-echo-category': {
    about: 'createPet answers category 1 whatever it stored',
    mutate: tamper({ operation: 'createPet', status: 201 }, member('categoryId', 1n)),
  },
  'create-echo-status': {
    about: 'createPet answers status pending whatever it stored',
    mutate: tamper({ operation: 'createPet', status: 201 }, member('status', 'pending')),
  },
  'create-echo-no-status': {
    about: 'createPet leaves out the status that was sent',
    mutate: echoing(({ status: _, ...item }) => item),
  },
  'create-echo-other-id': {
    about: 'createPet answers an id one too high',
    mutate: echoing((item) => ({ ...item, id: (item.id as bigint) + 1n })),
  },
  'create-keeps-other-category': {
    about: 'the category is stored as 1',
    mutate: keeping((item) => ({ ...item, categoryId: 1n })),
  },
  'create-category-absolute': {
    about: 'the sign of a category is lost',
    mutate: keeping((item) => ({
      ...item,
      categoryId: (item.categoryId as bigint) < 0n ? -(item.categoryId as bigint) : item.categoryId,
    })),
  },
  'create-category-rounded': {
    clause: '§2, §4.2',
    about: 'categories beyond 2^53 are rounded to a double',
    mutate: keeping((item) => ({ ...item, categoryId: BigInt(Number(item.categoryId)) })),
  },
  'create-category-32-bits': {
    clause: '§2, §4.2',
    about: 'categories are cut to 32 bits',
    mutate: keeping((item) => ({
      ...item,
      categoryId: BigInt.asIntN(32, item.categoryId as bigint),
    })),
  },
  'create-category-53-bits-refused': {
    clause: '§2, §4.2',
    about: 'categories from 2^53 to 2^63 - 1 are answered with 500',
    mutate: tamper(
      { operation: 'createPet', status: 201, when: ({ text }) => /\d{16}/.test(text) },
      (answer) => ({
        ...answer,
        status: 500,
        body: { code: 'internal', message: 'Overflow.', status: 500n },
      }),
    ),
  },
  'create-category-beyond-32-bits-refused': {
    clause: '§2, §4.2',
    about: 'categories beyond 32 bits are refused with 400, while any other is taken',
    mutate: (truth) => ({
      refuse: (sent, call) => {
        const category = (sent as Item | null)?.categoryId;
        const isLarge = typeof category === 'bigint' && BigInt.asIntN(32, category) !== category;
        return truth.refuse(sent, call) ?? (isLarge ? 'categoryId is too large.' : undefined);
      },
    }),
  },
  'create-name-of-digits-is-a-number': {
    clause: '§2, §4.2',
    about: 'a name of digits is stored as a number',
    mutate: keeping((item) => ({
      ...item,
      name: /^\d+$/.test(String(item.name)) ? BigInt(item.name as string) : item.name,
    })),
  },
  'create-name-of-digits-is-listed-as-a-number': {
    clause: '§2, §4.1',
    about: 'a name of digits is a number in lists',
    mutate: tamper(
      { operation: 'listPets', status: 200 },
      eachObject((item) => ({
        ...item,
        name: /^\d+$/.test(String(item.name)) ? BigInt(item.name as string) : item.name,
      })),
    ),
  },
  'create-name-true-is-a-boolean': {
    clause: '§2, §4.2',
    about: 'the name true is stored as a boolean',
    mutate: keeping((item) => ({ ...item, name: item.name === 'true' ? true : item.name })),
  },
  ...byId(names, ([id, about, change]) => ({
    id: `create-name-${id}`,
    about: `a created animal's name ${about}`,
    mutate: renaming(change),
  })),
  'create-name-stored-as-empty': {
    about: 'createPet answers the name that was sent and keeps an empty one',
    mutate: (truth) => ({
      create: (sent, call) => ({ ...truth.create({ ...sent, name: '' }, call), name: sent.name }),
    }),
  },
  'create-status-always-available': {
    about: 'the status is stored as available whatever was sent',
    mutate: keeping((item) => ({ ...item, status: 'available' })),
  },
  'create-status-lost': {
    about: 'the status that was sent is not stored',
    mutate: keeping(({ status: _, ...item }) => item),
  },
  'create-sold-becomes-pending': {
    about: 'an animal created as sold is pending',
    mutate: keeping((item) => (item.status === 'sold' ? { ...item, status: 'pending' } : item)),
  },
  'create-id-reused': {
    clause: '§2',
    about: 'every created animal has the same id',
    mutate: (truth, { items }) => ({
      create: (sent, call) => {
        const item = truth.create(sent, call);
        items.delete(String(item.id));
        const again = { ...item, id: 4711n };
        items.set('4711', again);
        return again;
      },
    }),
  },
  'create-id-of-existing': {
    clause: '§2',
    about: 'a created animal takes the place of the first one',
    mutate: (truth, { items }) => ({
      create: (sent, call) => {
        const item = truth.create(sent, call);
        items.delete(String(item.id));
        items.set('1', { ...item, id: 1n });
        return { ...item, id: 1n };
      },
    }),
  },
  'create-id-from-client': {
    clause: '§2',
    about: "the id is taken from the client's body",
    mutate: (truth, { items }) => ({
      create: (sent, call) => {
        const item = truth.create(sent, call);
        if (typeof sent.id !== 'bigint') return item;
        items.delete(String(item.id));
        items.set(String(sent.id), { ...item, id: sent.id });
        return { ...item, id: sent.id };
      },
    }),
  },
  'create-twice': {
    about: 'one creation stores two animals',
    mutate: (truth) => ({
      create: (sent, call) => {
        const item = truth.create(sent, call);
        truth.create(sent, call);
        return item;
      },
    }),
  },
  'create-stored-although-400': {
    clause: '§4.2, §7',
    about: 'a body that is refused with 400 is stored all the same',
    mutate: (truth) => ({
      refuse: (sent, call) => {
        const reason = truth.refuse(sent, call);
        const item = typeof sent === 'object' && sent !== null ? (sent as Item) : {};
        if (reason !== undefined) truth.create(mended(item), call);
        return reason;
      },
    }),
  },
  'create-stored-although-401': {
    clause: '§5, §4.2',
    about: 'a creation without a valid key gets 401 and is stored all the same',
    mutate: (truth) => ({
      answer: (call, answer) => {
        if (call.operation === 'createPet' && answer.status === 401 && isJson(call.text)) {
          const sent = truth.parse(call.text);
          if (truth.refuse(sent, call) === undefined) truth.create(sent as Item, call);
        }
        return answer;
      },
    }),
  },
};

export const createRows = family('create', '§4.2', entries);

/** A mutant that knows the ids of created animals. */
function withSet(
  change: (made: Set<unknown>, ...rest: Parameters<Mutate>) => ReturnType<Mutate>,
): Mutate {
  return (truth, shop) => {
    const made = new Set<unknown>();
    const create: typeof truth.create = (sent, call) => {
      const item = truth.create(sent, call);
      made.add(item.id);
      return item;
    };
    return { create, ...change(made, truth, shop) };
  };
}

/** An animal of right types out of what was sent. */
function mended({ name, categoryId }: Item): Item {
  return {
    name: typeof name === 'string' ? name : 'unnamed',
    categoryId: typeof categoryId === 'bigint' ? BigInt.asIntN(64, categoryId) : 1n,
  };
}
