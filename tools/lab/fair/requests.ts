import { type Mutate, toError } from '../deployment.ts';
import { isJson } from '../exact.ts';
import { type Entries, family } from '../row.ts';
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

const limits: Entries = {
  'fair-limit-clamped': {
    about: 'a limit out of range is clamped',
    mutate: odd(clamp),
  },
  'fair-limit-ignored': {
    about: 'a limit out of range is ignored',
    mutate: odd(() => 20),
  },
  'fair-limit-zero-lists-nothing': {
    about: 'limit=0 lists nothing',
    mutate: odd((limit) => (limit === '0' ? 0 : clamp(limit))),
  },
  'fair-limit-422': {
    about: 'a bad query gets 422',
    mutate: tamper({ operation: 'listPets', status: 400 }, status(422)),
  },
  'fair-unknown-filter-lists-nothing': {
    about: 'an unknown status lists nothing',
    mutate: unknownStatus(false),
  },
  'fair-unknown-filter-ignored': {
    about: 'an unknown status is ignored',
    mutate: unknownStatus(true),
  },
  'fair-unknown-parameter-refused': {
    about: 'an unknown query parameter gets 400',
    mutate: (truth) => ({
      query: (call) =>
        [...call.query.keys()].every((name) => name === 'limit' || name === 'status')
          ? truth.query(call)
          : 'Unknown parameter.',
    }),
  },
};

const creations: Entries = {
  'fair-unknown-field-refused': {
    about: 'an unknown field gets 400',
    mutate: refusing((sent) =>
      Object.keys(sent).some((name) => !['name', 'categoryId', 'status'].includes(name)),
    ),
  },
  'fair-categories-1-to-9': {
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
  'fair-category-positive': {
    about: 'a category below 1 gets 400',
    mutate: refusing(({ categoryId }) => (categoryId as bigint) < 1n),
  },
  'fair-empty-name-refused': {
    about: 'an empty or blank name gets 400',
    mutate: refusing(({ name }) => String(name).trim() === ''),
  },
  'fair-long-name-refused': {
    about: 'a name of more than 100 characters gets 400',
    mutate: refusing(({ name }) => String(name).length > 100),
  },
  'fair-control-characters-refused': {
    about: 'a name with control characters gets 400',
    mutate: refusing(({ name }) => /\p{Cc}/u.test(String(name))),
  },
  'fair-repeated-name-400': {
    about: 'a name that there is gets 400',
    mutate: refusing(({ name }, items) => [...items].some((item) => item.name === name)),
  },
  'fair-repeated-name-409': {
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
  'fair-text-body-400': {
    about: 'a body called text/plain gets 400',
    mutate: tamper({ ...creation, status: 415 }, status(400)),
  },
  'fair-text-body-taken': {
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
  'fair-large-body-413': {
    about: 'a body of more than 4 kB gets 413',
    mutate: tamper({ ...creation, when: ({ text }) => text.length > 4096 }, (answer) => ({
      ...answer,
      ...toError(413, 'too_large', 'Too large.'),
      headers: answer.headers,
    })),
  },
};

const paths: Entries = {
  'fair-bad-id-400': {
    clause: '§4.3',
    about: 'an id that is no integer gets 400',
    mutate: tamper(badId, status(400)),
  },
  'fair-bad-id-422': {
    clause: '§4.3',
    about: 'an id that is no integer gets 422',
    mutate: tamper(badId, status(422)),
  },
  'fair-id-below-1-400': {
    clause: '§4.3',
    about: 'an id below 1 gets 400',
    mutate: tamper(
      { operation: 'getPet', status: 404, when: ({ petId = '' }) => !/^[1-9]\d*$/.test(petId) },
      status(400),
    ),
  },
  'fair-other-method-404': {
    about: 'other methods get 404',
    mutate: elsewhere((answer) =>
      answer.status === 405 ? plain(404, 'Not Found')(answer) : answer,
    ),
  },
  'fair-other-method-501': {
    about: 'other methods get 501',
    mutate: elsewhere((answer) =>
      answer.status === 405 ? plain(501, 'Not Implemented')(answer) : answer,
    ),
  },
  'fair-unknown-path-text': {
    about: 'unknown paths get a 404 in text, without any rate-limit header',
    mutate: elsewhere(plain(404, 'Not Found')),
  },
  'fair-unknown-path-html': {
    about: 'unknown paths get an HTML page with status 200',
    mutate: elsewhere(plain(200, '<!doctype html><title>Pets</title>', 'text/html')),
  },
  'fair-unknown-path-redirect': {
    about: 'unknown paths and methods redirect to the docs',
    mutate: elsewhere(() => ({ status: 302, headers: { Location: 'https://docs.example/' } })),
  },
  'fair-head-refused': {
    about: 'HEAD gets 405',
    mutate: tamper(
      { when: ({ method }) => method === 'HEAD' },
      status(405),
      dropHeader('Content-Type'),
    ),
  },
  'fair-validates-before-the-key': {
    clause: '§5',
    about: 'a bad body gets 400 and an unknown id 404 before the key is looked at',
    mutate: contentFirst,
  },
  'fair-parameter-before-the-key': {
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
  'fair-bearer-case-matters': {
    clause: '§5',
    about: 'the scheme is Bearer to the letter',
    mutate: (truth) => ({
      authenticate: (call) =>
        call.headers.authorization?.startsWith('Bearer ') ? truth.authenticate(call) : undefined,
    }),
  },
  'fair-path-prefix': {
    clause: '§1',
    about: 'the address has a path before /v1',
    prefix: '/some/prefix',
    looksTrue: 'the script asks below the address',
  },
  'fair-path-prefix-v1': {
    clause: '§1',
    about: 'the address has another v1 before /v1',
    prefix: '/v1/store%20a',
    looksTrue: 'the script asks below the address',
  },
};

export const requestRows = [
  ...family('fair-queries', '§4.1', limits),
  ...family('fair-creations', '§4.2', creations),
  ...family('fair-paths', '§4', paths),
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
