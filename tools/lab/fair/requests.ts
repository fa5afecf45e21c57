import { type Mutate, toError } from '../deployment.ts';
import { isJson } from '../exact.ts';
import { type Entry, family } from '../row.ts';
import { type Answer, type Behaviour, type Call, type Item, statuses } from '../shop.ts';
import { dropHeader, status, tamper } from '../tamper.ts';

/** Changes answers on paths and methods that are no operation. */
function elsewhere(change: (answer: Answer, call: Call) => Answer): Mutate {
  return () => ({
    answer: (call, answer) => (call.operation === undefined ? change(answer, call) : answer),
  });
}

function plain(code: number, content: string, type = 'text/plain'): (answer: Answer) => Answer {
  return () => ({ status: code, headers: { 'Content-Type': type }, text: content });
}

/** Reads limits out of range in a way of its own. */
function odd(read: (limit: string) => number): Mutate {
  return (truth) => ({
    query: (call) => {
      const query = truth.query(call);
      const status = call.query.get('status') ?? undefined;
      if (typeof query !== 'string' || (status !== undefined && !statuses.includes(status)))
        return query;
      return { limit: read(call.query.get('limit') ?? ''), status };
    },
  });
}

function clamp(limit: string): number {
  const number = Number.parseInt(limit, 10);
  return Number.isNaN(number) ? 20 : Math.min(100, Math.max(1, number));
}

function refusing(strict: (sent: Item, items: Iterable<Item>) => boolean): Mutate {
  return (truth, { items }) => ({
    refuse: (sent, call) =>
      truth.refuse(sent, call) ??
      (strict(sent as Item, items.values()) ? 'Not like this.' : undefined),
  });
}

const creation = { operation: 'createPet' } as const;
const badId = {
  operation: 'getPet',
  status: 404,
  when: ({ petId = '' }: Call) => !/^-?\d+$/.test(petId),
} as const;

const limits: Entry[] = [
  {
    id: 'fair-limit-clamped',
    clause: '§4.1',
    about: 'a limit out of range is clamped',
    mutate: odd(clamp),
  },
  {
    id: 'fair-limit-ignored',
    clause: '§4.1',
    about: 'a limit out of range is ignored',
    mutate: odd(() => 20),
  },
  {
    id: 'fair-limit-zero-lists-nothing',
    clause: '§4.1',
    about: 'limit=0 lists nothing',
    mutate: odd((limit) => (limit === '0' ? 0 : clamp(limit))),
  },
  {
    id: 'fair-limit-422',
    clause: '§4.1',
    about: 'a bad query gets 422',
    mutate: tamper({ operation: 'listPets', status: 400 }, status(422)),
  },
  {
    id: 'fair-unknown-filter-lists-nothing',
    clause: '§4.1',
    about: 'an unknown status lists nothing',
    mutate: unknownStatus(false),
  },
  {
    id: 'fair-unknown-filter-ignored',
    clause: '§4.1',
    about: 'an unknown status is ignored',
    mutate: unknownStatus(true),
  },
  {
    id: 'fair-unknown-parameter-refused',
    clause: '§4.1',
    about: 'an unknown query parameter gets 400',
    mutate: (truth) => ({
      query: (call) =>
        [...call.query.keys()].every((name) => name === 'limit' || name === 'status')
          ? truth.query(call)
          : 'Unknown parameter.',
    }),
  },
];

const creations: Entry[] = [
  {
    id: 'fair-unknown-field-refused',
    clause: '§4.2',
    about: 'an unknown field gets 400',
    mutate: refusing((sent) =>
      Object.keys(sent).some((name) => !['name', 'categoryId', 'status'].includes(name)),
    ),
  },
  {
    id: 'fair-categories-1-to-9',
    clause: '§4.2',
    about: 'a category that there is not gets 400',
    mutate: (truth, shop) => ({
      ...refusing(({ categoryId }) => (categoryId as bigint) < 1n || (categoryId as bigint) > 9n)(
        truth,
        shop,
      ),
      seed: (count) =>
        truth.seed(count).map((item, index) => ({ ...item, categoryId: BigInt((index % 9) + 1) })),
    }),
  },
  {
    id: 'fair-category-positive',
    clause: '§4.2',
    about: 'a category below 1 gets 400',
    mutate: refusing(({ categoryId }) => (categoryId as bigint) < 1n),
  },
  {
    id: 'fair-empty-name-refused',
    clause: '§4.2',
    about: 'an empty or blank name gets 400',
    mutate: refusing(({ name }) => String(name).trim() === ''),
  },
  {
    id: 'fair-long-name-refused',
    clause: '§4.2',
    about: 'a name of more than 100 characters gets 400',
    mutate: refusing(({ name }) => String(name).length > 100),
  },
  {
    id: 'fair-control-characters-refused',
    clause: '§4.2',
    about: 'a name with control characters gets 400',
    mutate: refusing(({ name }) => /\p{Cc}/u.test(String(name))),
  },
  {
    id: 'fair-repeated-name-400',
    clause: '§4.2',
    about: 'a name that there is gets 400',
    mutate: refusing(({ name }, items) => [...items].some((item) => item.name === name)),
  },
  {
    id: 'fair-repeated-name-409',
    clause: '§4.2',
    about: 'a name that there is gets 409',
    mutate: (truth, { items }) => ({
      refuse: (sent, call) =>
        truth.refuse(sent, call) ??
        ([...items.values()].some(({ name }) => name === (sent as Item).name)
          ? 'Repeated.'
          : undefined),
      answer: (_, answer) =>
        (answer.body as Item | undefined)?.message === 'Repeated.'
          ? { ...toError(409, 'conflict', 'Repeated.'), headers: answer.headers }
          : answer,
    }),
  },
  {
    id: 'fair-text-body-400',
    clause: '§4.2',
    about: 'a body called text/plain gets 400',
    mutate: tamper({ ...creation, status: 415 }, status(400)),
  },
  {
    id: 'fair-text-body-taken',
    clause: '§4.2',
    about: 'a body called text/plain is taken',
    mutate: (truth) => ({
      answer: (call, answer) => {
        if (answer.status !== 415 || !isJson(call.text || 'null')) return answer;
        const sent = truth.parse(call.text || 'null');
        const reason = truth.refuse(sent, call);
        const made =
          reason === undefined
            ? { status: 201, body: truth.create(sent as Item, call) }
            : toError(400, 'bad_request', reason);
        return { ...answer, ...made, headers: answer.headers };
      },
    }),
  },
  {
    id: 'fair-large-body-413',
    clause: '§4.2',
    about: 'a body of more than 4 kB gets 413',
    mutate: tamper({ ...creation, when: ({ text }) => text.length > 4096 }, (answer) => ({
      ...answer,
      ...toError(413, 'too_large', 'Too large.'),
      headers: answer.headers,
    })),
  },
];

const paths: Entry[] = [
  {
    id: 'fair-bad-id-400',
    clause: '§4.3',
    about: 'an id that is no integer gets 400',
    mutate: tamper(badId, status(400)),
  },
  {
    id: 'fair-bad-id-422',
    clause: '§4.3',
    about: 'an id that is no integer gets 422',
    mutate: tamper(badId, status(422)),
  },
  {
    id: 'fair-id-below-1-400',
    clause: '§4.3',
    about: 'an id below 1 gets 400',
    mutate: tamper(
      { operation: 'getPet', status: 404, when: ({ petId = '' }) => !/^[1-9]\d*$/.test(petId) },
      status(400),
    ),
  },
  {
    id: 'fair-other-method-404',
    clause: '§4',
    about: 'other methods get 404',
    mutate: elsewhere((answer) =>
      answer.status === 405 ? plain(404, 'Not Found')(answer) : answer,
    ),
  },
  {
    id: 'fair-other-method-501',
    clause: '§4',
    about: 'other methods get 501',
    mutate: elsewhere((answer) =>
      answer.status === 405 ? plain(501, 'Not Implemented')(answer) : answer,
    ),
  },
  {
    id: 'fair-unknown-path-text',
    clause: '§4',
    about: 'unknown paths get a 404 in text, without any rate-limit header',
    mutate: elsewhere(plain(404, 'Not Found')),
  },
  {
    id: 'fair-unknown-path-html',
    clause: '§4',
    about: 'unknown paths get an HTML page with status 200',
    mutate: elsewhere(plain(200, '<!doctype html><title>Pets</title>', 'text/html')),
  },
  {
    id: 'fair-unknown-path-redirect',
    clause: '§4',
    about: 'unknown paths and methods redirect to the docs',
    mutate: elsewhere(() => ({ status: 302, headers: { Location: 'https://docs.example/' } })),
  },
  {
    id: 'fair-head-refused',
    clause: '§4',
    about: 'HEAD gets 405',
    mutate: tamper(
      { when: ({ method }) => method === 'HEAD' },
      status(405),
      dropHeader('Content-Type'),
    ),
  },
  {
    id: 'fair-validates-before-the-key',
    clause: '§5',
    about: 'a bad body gets 400 and an unknown id 404 before the key is looked at',
    mutate: contentFirst,
  },
  {
    id: 'fair-parameter-before-the-key',
    clause: '§4.4, §5',
    about: 'orders ask for a parameter, and a bad query gets 400, before the key is looked at',
    mutate: (truth) => ({
      answer: (call, answer) => {
        const isBad =
          call.operation === 'listOrders' ||
          (call.operation === 'listPets' && typeof truth.query(call) === 'string');
        return isBad ? { ...toError(400, 'bad_request', 'Bad.'), headers: answer.headers } : answer;
      },
    }),
  },
  {
    id: 'fair-bearer-case-matters',
    clause: '§5',
    about: 'the scheme is Bearer to the letter',
    mutate: (truth) => ({
      authenticate: (call) =>
        call.headers.authorization?.startsWith('Bearer ') ? truth.authenticate(call) : undefined,
    }),
  },
  {
    id: 'fair-path-prefix',
    clause: '§1',
    about: 'the address has a path before /v1',
    prefix: '/some/prefix',
    looksTrue: 'the script asks below the address',
  },
  {
    id: 'fair-path-prefix-v1',
    clause: '§1',
    about: 'the address has another v1 before /v1',
    prefix: '/v1/store%20a',
    looksTrue: 'the script asks below the address',
  },
];

export const requestRows = [
  ...family('fair-queries', limits),
  ...family('fair-creations', creations),
  ...family('fair-paths', paths),
];

/** Tells what is wrong with the content of a call before its key is looked at. */
function contentFirst(truth: Behaviour): Partial<Behaviour> {
  return {
    answer: (call, answer) => {
      if (answer.status !== 401) return answer;
      if (call.operation === 'getPet' && !truth.read(call.petId ?? '', call))
        return { ...toError(404, 'not_found', 'None.'), headers: answer.headers };
      if (call.operation === 'createPet' && !acceptable(truth, call))
        return { ...toError(400, 'bad_request', 'Bad.'), headers: answer.headers };
      return answer;
    },
  };
}

function unknownStatus(ignored: boolean): Mutate {
  return (truth) => ({
    query: (call) => {
      const status = call.query.get('status') ?? '';
      if (!call.query.has('status') || statuses.includes(status)) return truth.query(call);
      const rest = new URLSearchParams(call.query);
      rest.delete('status');
      const query = truth.query({ ...call, query: rest });
      return typeof query === 'string' || ignored ? query : { ...query, status };
    },
  });
}

function acceptable(truth: Behaviour, call: Call): boolean {
  try {
    return truth.refuse(truth.parse(call.text), call) === undefined;
  } catch {
    return false;
  }
}
