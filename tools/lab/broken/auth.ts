import { type Mutate, toError } from '../deployment.ts';
import { byId, type Entries, family } from '../row.ts';
import type { Answer, Call, OperationId } from '../shop.ts';

const operations: OperationId[] = ['listPets', 'createPet', 'getPet', 'listOrders'];
const visitor = { key: 'visitor', plan: 'free' };
const keys = ['k-free-1', 'k-free-2', 'k-pro-1', 'k-business', 'k-enterprise'];

/** Lets in, besides the true keys, whoever `guard` lets in. */
function alsoAccept(guard: (call: Call, credential: string) => boolean): Mutate {
  return (truth) => ({
    authenticate: (call) =>
      truth.authenticate(call) ??
      (guard(call, call.headers.authorization ?? '') ? visitor : undefined),
  });
}

function token(credential: string): string {
  return /^bearer +(.*)$/i.exec(credential)?.[1] ?? '';
}

function basic(credential: string): string[] {
  return Buffer.from(/^basic +(.*)$/i.exec(credential)?.[1] ?? '', 'base64')
    .toString()
    .split(':');
}

const entries: Entries = {
  ...byId(operations, (operation) => [
    {
      id: `auth-${operation}-without-key`,
      about: `${operation} needs no key`,
      mutate: alsoAccept((call) => call.operation === operation),
    },
    {
      id: `auth-${operation}-any-key`,
      about: `${operation} takes any bearer token`,
      mutate: alsoAccept(
        (call, credential) => call.operation === operation && token(credential) !== '',
      ),
    },
    {
      id: `auth-${operation}-refuses-valid-key`,
      clause: '§4, §5',
      about: `${operation} answers 401 to a valid key`,
      mutate: (truth) => ({
        authenticate: (call) =>
          call.operation === operation ? undefined : truth.authenticate(call),
      }),
    },
  ]),
  'auth-no-key-anywhere': {
    about: 'no operation needs a key',
    mutate: alsoAccept(() => true),
  },
  'auth-any-key-anywhere': {
    about: 'any bearer token is taken',
    mutate: alsoAccept((_, credential) => token(credential) !== ''),
  },
  'auth-any-authorization': {
    about: 'any Authorization header at all is taken',
    mutate: alsoAccept((_, credential) => credential !== ''),
  },
  'auth-truncated-key': {
    about: 'the first half of a key is taken',
    mutate: alsoAccept(
      (_, credential) =>
        token(credential).length >= 4 && keys.some((key) => key.startsWith(token(credential))),
    ),
  },
  'auth-last-character-missing': {
    about: 'a key without its last character is taken',
    mutate: alsoAccept((_, credential) =>
      keys.some((key) => key.slice(0, -1) === token(credential)),
    ),
  },
  'auth-last-character-other': {
    about: 'the last character of a key is not compared',
    mutate: alsoAccept((_, credential) =>
      keys.some((key) => key.slice(0, -1) === token(credential).slice(0, -1)),
    ),
  },
  'auth-longer-key': {
    about: 'a key with more behind it is taken',
    mutate: alsoAccept((_, credential) => keys.some((key) => token(credential).startsWith(key))),
  },
  'auth-wrong-case-key': {
    about: 'keys are compared without regard to case',
    mutate: alsoAccept((_, credential) => keys.includes(token(credential).toLowerCase())),
  },
  'auth-basic-user': {
    about: 'the key is taken as the user of Basic',
    mutate: alsoAccept((_, credential) => keys.includes(basic(credential)[0] ?? '')),
  },
  'auth-basic-any': {
    about: 'any Basic credential is taken',
    mutate: alsoAccept((_, credential) => /^basic /i.test(credential)),
  },
  'auth-empty-token': {
    about: 'an empty bearer token is taken',
    mutate: alsoAccept((_, credential) => /^bearer *$/i.test(credential)),
  },
  'auth-key-without-scheme': {
    about: 'a key without the Bearer scheme is taken',
    mutate: alsoAccept((_, credential) => keys.includes(credential)),
  },
  'auth-any-scheme': {
    about: 'the key is taken behind any scheme',
    mutate: alsoAccept((_, credential) => keys.includes(credential.split(' ')[1] ?? '')),
  },
  'auth-key-in-query': {
    about: 'the key is taken from ?api_key= or ?access_token=',
    mutate: alsoAccept(({ query }) =>
      keys.includes(query.get('api_key') ?? query.get('access_token') ?? ''),
    ),
  },
  'auth-key-in-x-api-key': {
    about: 'the key is taken from X-API-Key',
    mutate: alsoAccept(({ headers }) => keys.includes(String(headers['x-api-key']))),
  },
  'auth-skipped-on-filtered-lists': {
    about: 'GET /pets?status= needs no key',
    mutate: alsoAccept(({ operation, query }) => operation === 'listPets' && query.has('status')),
  },
  'auth-content-first-and-no-key-after-it': {
    about: 'a bad body gets 400 and an unknown id 404 without a key, and all else needs none',
    mutate: (truth, { items }) => ({
      authenticate: (call) => {
        const isFaultless =
          call.operation === 'getPet'
            ? items.has(call.petId ?? '')
            : call.operation === 'createPet' && call.text.includes('"name"');
        return truth.authenticate(call) ?? (isFaultless ? visitor : undefined);
      },
      answer: refuseContent,
    }),
  },
  'auth-content-is-blamed': {
    clause: '§5, §7',
    about: 'without a key, a known animal gets 404 and a valid body 400',
    mutate: () => ({ answer: refuseContent }),
  },
};

/** Answers 404 or 400 where the key was refused. */
function refuseContent({ operation }: Call, answer: Answer): Answer {
  if (answer.status !== 401 || (operation !== 'getPet' && operation !== 'createPet')) return answer;
  const error =
    operation === 'getPet'
      ? toError(404, 'not_found', 'None.')
      : toError(400, 'bad_request', 'Bad.');
  return { ...error, headers: answer.headers };
}

export const authRows = family('auth', '§5', entries);
