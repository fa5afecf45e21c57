import { byId, type Entry, family } from '../row.ts';
import type { OperationId } from '../shop.ts';
import { body, header, status, tamper } from '../tamper.ts';

type Wrong = [OperationId, from: number, to: number];

const sources: Record<string, string> = {
  listPets: '§4.1',
  createPet: '§4.2',
  getPet: '§4.3',
  listOrders: '§5',
};

const successes: Wrong[] = [
  ...[201, 202, 203, 204, 206, 500].map((to): Wrong => ['listPets', 200, to]),
  ...[200, 202, 204, 500].map((to): Wrong => ['createPet', 201, to]),
  ...[201, 202, 203, 204, 410, 503].map((to): Wrong => ['getPet', 200, to]),
];

const errors: Wrong[] = [
  ...[200, 201, 409, 422, 500].map((to): Wrong => ['createPet', 400, to]),
  ...[200, 204, 400, 403, 410, 500].map((to): Wrong => ['getPet', 404, to]),
  ...(['listPets', 'createPet', 'getPet', 'listOrders'] as const).flatMap((operation) =>
    [403, 500].map((to): Wrong => [operation, 401, to]),
  ),
  ['listPets', 401, 400],
  ['listPets', 401, 200],
  ['getPet', 401, 404],
  ['createPet', 401, 422],
  ['listPets', 401, 407],
];

export const statusRows = [
  ...family('success-status', '§4.1', {
    ...byId(successes, toEntry),
    'success-list-redirected': {
      about: 'GET /pets answers 302 to another path',
      mutate: tamper(
        { operation: 'listPets', status: 200 },
        status(302),
        header('Location', '/v1/animals'),
        emptied(),
      ),
    },
    'success-filtered-list-206': {
      about: 'GET /pets answers 206 when a status filter is given',
      mutate: tamper(
        { operation: 'listPets', status: 200, when: ({ query }) => query.has('status') },
        status(206),
      ),
    },
    'success-limited-list-206': {
      about: 'GET /pets answers 206 when there are more animals than it lists',
      mutate: tamper(
        { operation: 'listPets', status: 200, when: ({ query }) => query.has('limit') },
        status(206),
      ),
    },
    'success-create-empty-body': {
      clause: '§4.2',
      about: 'POST /pets answers 201 without the animal',
      mutate: tamper({ operation: 'createPet', status: 201 }, emptied()),
    },
    'success-create-id-alone': {
      clause: '§4.2',
      about: 'POST /pets answers 201 with nothing but the id',
      mutate: tamper(
        { operation: 'createPet', status: 201 },
        body((item) => ({ id: (item as { id: bigint }).id })),
      ),
    },
    'success-create-201-without-status-only': {
      clause: '§4.2',
      about: 'POST /pets answers 200 instead of 201 when the body has a status',
      mutate: tamper(
        { operation: 'createPet', status: 201, when: ({ text }) => text.includes('"status"') },
        status(200),
      ),
    },
  }),
  ...family('error-status', '§5', {
    ...byId(errors, toEntry),
    'error-unknown-key-403': {
      about: 'a key that is not valid gets 403, a missing one 401',
      mutate: tamper(
        { status: 401, when: ({ headers }) => headers.authorization !== undefined },
        status(403),
      ),
    },
    'error-missing-key-400': {
      about: 'a missing key gets 400, one that is not valid 401',
      mutate: tamper(
        { status: 401, when: ({ headers }) => headers.authorization === undefined },
        status(400),
      ),
    },
    'error-missing-key-redirected': {
      about: 'a missing key gets 302 to a login page',
      mutate: tamper({ status: 401 }, status(302), header('Location', '/login'), emptied()),
    },
    'error-200-with-error-body': {
      clause: '§7',
      about: 'every error is answered with 200 and the Error object',
      mutate: tamper(
        { when: (_, answer) => [400, 401, 404].includes(answer.status) },
        (answer) => ({ ...answer, status: 200 }),
      ),
    },
  }),
];

function toEntry([operation, from, to]: Wrong): Entry {
  return {
    id: `status-${operation}-${from}-is-${to}`,
    clause: from >= 400 ? `${sources[operation]}, §5, §7` : (sources[operation] ?? ''),
    about: `${operation} answers ${to} where ${from} is stated`,
    mutate: tamper({ operation, status: from }, status(to)),
  };
}

function emptied() {
  return body(() => undefined);
}
