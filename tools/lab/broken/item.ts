import { byId, type Entries, family } from '../row.ts';
import type { Item } from '../shop.ts';
import { dropMember, eachObject, member, renameMember, tamper } from '../tamper.ts';

const deep = 43;

const badItems: [id: string, about: string, change: (item: Item) => Item][] = [
  ['id-text', 'a text as id', (item) => ({ ...item, id: String(item.id) })],
  ['id-fraction', 'a fraction as id', (item) => ({ ...item, id: Number(item.id) + 0.5 })],
  ['id-null', 'null as id', (item) => ({ ...item, id: null })],
  ['id-missing', 'no id', ({ id: _, ...item }) => item],
  ['id-uuid', 'a UUID as id', (item) => ({ ...item, id: '0b4f5f2e-6a55-4c57-9a4e-0e9a9d0d8f11' })],
  ['id-beyond-int64', 'an id beyond int64', (item) => ({ ...item, id: 2n ** 63n })],
  [
    'category-text',
    'a text as categoryId',
    (item) => ({ ...item, categoryId: String(item.categoryId) }),
  ],
  ['category-fraction', 'a fraction as categoryId', (item) => ({ ...item, categoryId: 1.5 })],
  ['category-null', 'null as categoryId', (item) => ({ ...item, categoryId: null })],
  ['category-missing', 'no categoryId', ({ categoryId: _, ...item }) => item],
  [
    'category-object',
    'an object as categoryId',
    (item) => ({ ...item, categoryId: { id: item.categoryId } }),
  ],
  [
    'category-beyond-int64',
    'a categoryId beyond int64',
    (item) => ({ ...item, categoryId: -(2n ** 63n) - 1n }),
  ],
  ['name-null', 'null as name', (item) => ({ ...item, name: null })],
  ['name-missing', 'no name', ({ name: _, ...item }) => item],
  ['name-number', 'a number as name', (item) => ({ ...item, name: 12n })],
  ['name-list', 'a list as name', (item) => ({ ...item, name: [item.name] })],
  ['status-unknown', 'an unknown status', (item) => ({ ...item, status: 'reserved' })],
  ['status-null', 'null as status', (item) => ({ ...item, status: null })],
  [
    'status-upper-case',
    'a status in upper case',
    (item) => ({ ...item, status: String(item.status).toUpperCase() }),
  ],
  ['status-number', 'a number as status', (item) => ({ ...item, status: 1n })],
  ['status-empty', 'an empty status', (item) => ({ ...item, status: '' })],
];

const list = { operation: 'listPets', status: 200 } as const;
const read = { operation: 'getPet', status: 200 } as const;
const create = { operation: 'createPet', status: 201 } as const;

const entries: Entries = {
  ...byId(badItems, ([id, about, change]) => ({
    id: `item-deep-${id}`,
    about: `animal 44 of 45 has ${about}`,
    mutate: (truth, { items }) => ({
      list: (query, call) => {
        const bad = [...items.values()][deep];
        return truth.list(query, call).map((item) => (item === bad ? change(item) : item));
      },
    }),
  })),
  'item-list-id-text': {
    about: 'each id in lists is a text',
    mutate: tamper(list, textId()),
  },
  'item-list-category-text': {
    about: 'each categoryId in lists is a text',
    mutate: tamper(list, member('categoryId', '1')),
  },
  'item-list-category-missing': {
    about: 'lists lack categoryId',
    mutate: tamper(list, dropMember('categoryId')),
  },
  'item-list-name-missing': {
    about: 'lists lack name',
    mutate: tamper(list, dropMember('name')),
  },
  'item-list-snake-case': {
    about: 'categoryId is called category_id in lists',
    mutate: tamper(list, renameMember('categoryId', 'category_id')),
  },
  'item-list-pet-id': {
    about: 'id is called petId in lists',
    mutate: tamper(list, renameMember('id', 'petId')),
  },
  'item-read-id-missing': {
    about: 'getPet lacks id',
    mutate: tamper(read, dropMember('id')),
  },
  'item-read-id-text': {
    about: 'getPet has a text as id',
    mutate: tamper(read, textId()),
  },
  'item-read-category-text': {
    about: 'getPet has a text as categoryId',
    mutate: tamper(read, member('categoryId', '1')),
  },
  'item-read-name-null': {
    about: 'getPet has null as name',
    mutate: tamper(read, member('name', null)),
  },
  'item-read-status-unknown': {
    about: 'getPet has an unknown status',
    mutate: tamper(read, member('status', 'alive')),
  },
  'item-read-status-null-when-none': {
    about: 'getPet has null as status for animals without one',
    mutate: tamper(read, (answer) => ({
      ...answer,
      body: { status: null, ...(answer.body as Item) },
    })),
  },
  'item-read-list': {
    clause: '§4.3',
    about: 'getPet answers a list of one',
    mutate: tamper(read, (answer) => ({ ...answer, body: [answer.body] })),
  },
  'item-read-wrapped': {
    clause: '§4.3',
    about: 'getPet answers {"data": …}',
    mutate: tamper(read, (answer) => ({ ...answer, body: { data: answer.body } })),
  },
  'item-created-id-missing': {
    clause: '§4.2, §2',
    about: 'createPet lacks id',
    mutate: tamper(create, dropMember('id')),
  },
  'item-created-id-text': {
    clause: '§4.2, §2',
    about: 'createPet has a text as id',
    mutate: tamper(create, textId()),
  },
  'item-created-id-null': {
    clause: '§4.2, §2',
    about: 'createPet has null as id',
    mutate: tamper(create, member('id', null)),
  },
  'item-created-id-zero': {
    clause: '§4.2, §2',
    about: 'createPet has 0 as every id',
    mutate: tamper(create, member('id', 0n)),
  },
  'item-created-wrapped': {
    clause: '§4.2',
    about: 'createPet answers {"pet": …}',
    mutate: tamper(create, (answer) => ({ ...answer, body: { pet: answer.body } })),
  },
  'item-created-list': {
    clause: '§4.2',
    about: 'createPet answers a list of one',
    mutate: tamper(create, (answer) => ({ ...answer, body: [answer.body] })),
  },
  'item-created-status-null': {
    clause: '§4.2, §2',
    about: 'createPet has null as status where none was sent',
    mutate: tamper(create, (answer) => ({
      ...answer,
      body: { status: null, ...(answer.body as Item) },
    })),
  },
  'item-no-status-null-in-lists': {
    about: 'animals without a status have null in lists',
    mutate: (truth) => ({
      list: (query, call) => truth.list(query, call).map((item) => ({ status: null, ...item })),
    }),
  },
};

export const itemRows = family('item', '§2', entries);

function textId() {
  return eachObject((item) => ({ ...item, id: String(item.id) }));
}
