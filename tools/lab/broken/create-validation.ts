import type { Mutate } from '../deployment.ts';
import { isJson } from '../exact.ts';
import { byId, type Entries, type Entry, family } from '../row.ts';
import { type Item, statuses } from '../shop.ts';
import { status, tamper } from '../tamper.ts';

/** A mutant that takes bodies which `lenient` lets pass, mended so that its answers stay right. */
function accepting(lenient: (sent: unknown) => boolean): Mutate {
  return (truth) => ({
    refuse: (sent, call) => {
      const reason = truth.refuse(sent, call);
      return reason !== undefined && lenient(sent) && truth.refuse(mended(sent), call) === undefined
        ? undefined
        : reason;
    },
    create: (sent, call) => truth.create(mended(sent), call),
  });
}

function refusing(strict: (sent: Item) => boolean): Mutate {
  return (truth) => ({
    refuse: (sent, call) =>
      truth.refuse(sent, call) ?? (strict(sent as Item) ? 'Not like this.' : undefined),
  });
}

const kinds: Record<string, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string' && !/^\d+$/.test(value),
  'numeric-text': (value) => typeof value === 'string' && /^-?\d+$/.test(value),
  integer: (value) => typeof value === 'bigint' && int64(value),
  fraction: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  list: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

const wrongKinds: Record<string, string[]> = {
  name: ['integer', 'fraction', 'boolean', 'null', 'list', 'object'],
  categoryId: ['text', 'numeric-text', 'fraction', 'boolean', 'null', 'list', 'object'],
  status: ['integer', 'boolean', 'null', 'list', 'object'],
};

const bodies: [id: string, about: string, is: (sent: unknown) => boolean][] = [
  ['list', 'a list', Array.isArray],
  ['null', 'null', (sent) => sent === null],
  ['text', 'a JSON string', (sent) => typeof sent === 'string'],
  ['number', 'a number', (sent) => typeof sent === 'bigint' || typeof sent === 'number'],
  ['boolean', 'true or false', (sent) => typeof sent === 'boolean'],
  ['empty-object', '{}', (sent) => isObject(sent) && Object.keys(sent).length === 0],
];

const entries: Entries = {
  ...byId(['name', 'categoryId'], (field) => ({
    id: `create-without-${field}`,
    clause: '§4.2, §2',
    about: `${field} is not required`,
    mutate: accepting((sent) => isObject(sent) && Object.keys(sent).length > 0 && !(field in sent)),
  })),
  ...byId(Object.entries(wrongKinds), ([field, list]) =>
    list.map(
      (kind): Entry => ({
        id: `create-${field}-${kind}`,
        clause: '§4.2, §2',
        about: `${field} may be of kind ${kind}`,
        mutate: accepting(
          (sent) => isObject(sent) && field in sent && kinds[kind]?.(sent[field]) === true,
        ),
      }),
    ),
  ),
  'create-status-unknown': {
    clause: '§2, §4.2, §7',
    about: 'a status that there is not is taken, and answered',
    mutate: (truth) => ({
      refuse: (sent, call) =>
        isObject(sent) && typeof sent.status === 'string'
          ? truth.refuse({ ...sent, status: 'sold' }, call)
          : truth.refuse(sent, call),
    }),
  },
  'create-status-unknown-dropped': {
    clause: '§4.2, §2',
    about: 'a status that there is not is taken and left out',
    mutate: accepting((sent) => isObject(sent) && typeof sent.status === 'string'),
  },
  'create-status-upper-case': {
    clause: '§2, §4.2, §7',
    about: 'a status in upper case is taken',
    mutate: accepting(
      (sent) =>
        isObject(sent) &&
        typeof sent.status === 'string' &&
        statuses.includes(sent.status.toLowerCase()),
    ),
  },
  'create-status-empty': {
    clause: '§2, §4.2, §7',
    about: 'an empty status is taken',
    mutate: accepting((sent) => isObject(sent) && sent.status === ''),
  },
  'create-category-beyond-int64': {
    clause: '§2, §4.2, §7',
    about: 'a category beyond int64 is taken, and answered',
    mutate: (truth) => ({
      refuse: (sent, call) =>
        isObject(sent) && typeof sent.categoryId === 'bigint'
          ? truth.refuse({ ...sent, categoryId: 1n }, call)
          : truth.refuse(sent, call),
    }),
  },
  ...byId(bodies, ([id, about, is]) => [
    {
      id: `create-body-${id}-accepted`,
      about: `a body that is ${about} is taken`,
      mutate: accepting((sent) => is(sent)),
    },
    {
      id: `create-body-${id}-500`,
      about: `a body that is ${about} gets 500`,
      mutate: tamper(
        {
          operation: 'createPet',
          status: 400,
          when: ({ text }) => isJson(text) && is(parse(text)),
        },
        status(500),
      ),
    },
  ]),
  'create-malformed-accepted': {
    about: 'a body that is not JSON is taken',
    mutate: malformed((text) => text !== ''),
  },
  'create-no-body-accepted': {
    about: 'no body at all is taken',
    mutate: malformed((text) => text === ''),
  },
  'create-malformed-500': {
    about: 'a body that is not JSON gets 500',
    mutate: tamper(
      { operation: 'createPet', status: 400, when: ({ text }) => text !== '' && !isJson(text) },
      status(500),
    ),
  },
  'create-no-body-500': {
    about: 'no body at all gets 500',
    mutate: tamper(
      { operation: 'createPet', status: 400, when: ({ text }) => text === '' },
      status(500),
    ),
  },
  'create-malformed-422': {
    about: 'a body that is not JSON gets 422',
    mutate: tamper(
      { operation: 'createPet', status: 400, when: ({ text }) => text !== '' && !isJson(text) },
      status(422),
    ),
  },
  'create-wrong-type-422': {
    about: 'invalid values get 422, missing fields 400',
    mutate: tamper(
      { operation: 'createPet', status: 400, when: ({ text }) => hasBoth(text) },
      status(422),
    ),
  },
  'create-missing-field-422': {
    about: 'missing fields get 422, invalid values 400',
    mutate: tamper(
      { operation: 'createPet', status: 400, when: ({ text }) => isJson(text) && !hasBoth(text) },
      status(422),
    ),
  },
  'create-null-name-500': {
    about: 'null as name gets 500',
    mutate: tamper(
      { operation: 'createPet', status: 400, when: ({ text }) => /"name"\s*:\s*null/.test(text) },
      status(500),
    ),
  },
  'create-status-required': {
    clause: '§4.2, §2',
    about: 'a body without status is refused',
    mutate: refusing((sent) => !('status' in sent)),
  },
  ...byId(statuses, (value) => ({
    id: `create-${value}-refused`,
    clause: '§4.2, §2',
    about: `the status ${value} is refused`,
    mutate: refusing((sent) => sent.status === value),
  })),
  'create-with-status-refused': {
    clause: '§4.2, §2',
    about: 'any body with a status is refused',
    mutate: refusing((sent) => 'status' in sent),
  },
};

export const createValidationRows = family('create-validation', '§4.2, §7', entries);

/** A mutant that takes bodies which are no JSON. */
function malformed(lenient: (text: string) => boolean): Mutate {
  return (truth) => ({
    parse: (text) =>
      !isJson(text) && lenient(text) ? { name: 'unnamed', categoryId: 1n } : truth.parse(text),
  });
}

/** Returns the item that a lenient service makes of a body, with right types throughout. */
function mended(sent: unknown): Item {
  const { name, categoryId, status } = isObject(sent) ? sent : ({} as Item);
  const category = typeof categoryId === 'bigint' ? categoryId : Math.trunc(Number(categoryId));
  return {
    name: typeof name === 'string' ? name : String(name ?? 'unnamed'),
    categoryId:
      typeof category === 'bigint'
        ? category
        : BigInt(Number.isSafeInteger(category) ? category : 1),
    ...(statuses.includes(status as string) && { status }),
  };
}

function hasBoth(text: string): boolean {
  const sent = isJson(text) ? parse(text) : undefined;
  return isObject(sent) && 'name' in sent && 'categoryId' in sent;
}

function parse(text: string): unknown {
  return JSON.parse(text);
}

function isObject(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function int64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}
