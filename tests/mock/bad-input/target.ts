import { type BadInput, get } from '../../support/bad-input.ts';

const unknownPath = { status: 404, code: 'unknown_path' } as const;
const notFound = { status: 404, code: 'not_found' } as const;
const malformed = { status: 400, code: 'malformed_request' } as const;

/** Request targets and paths. */
export const target: BadInput[] = [
  { id: 53, name: 'half a percent escape in the path', send: get('/v1/pets/%'), ...malformed },
  {
    id: 53,
    name: 'half a percent escape in the path, without a key',
    send: get('/v1/pets/%', { Authorization: undefined }),
    status: 401,
    code: 'missing_api_key',
    why: 'The key comes first, so 401 wins over 400.',
  },
  { id: 54, name: '%2F in the id', send: get('/v1/pets/1%2F2'), ...notFound },
  { id: 54, name: '%2F for a slash', send: get('/v1%2Fpets'), ...unknownPath },
  { id: 55, name: '%00 in the id', send: get('/v1/pets/1%00'), ...notFound },
  {
    id: 56,
    name: '/.. as the id',
    send: get('/v1/pets/..'),
    ...notFound,
    why: 'Paths are taken to the letter.',
  },
  { id: 56, name: '/.. inside the path', send: get('/v1/pets/../pets'), ...unknownPath },
  { id: 57, name: '%2e%2e as the id', send: get('/v1/pets/%2e%2e'), ...notFound },
  { id: 58, name: 'doubled slashes', send: get('//v1//pets'), ...unknownPath },
  {
    id: 59,
    name: 'a path in capitals',
    send: get('/V1/PETS'),
    ...unknownPath,
    why: 'Paths are case-sensitive (RFC 3986 §6.2.2.1).',
  },
  { id: 59, name: 'a path in capitals with a final slash', send: get('/V1/PETS/'), ...unknownPath },
  { id: 60, name: 'a final slash', send: get('/v1/pets/'), ...unknownPath },
  { id: 60, name: 'a final slash after the id', send: get('/v1/pets/1/'), ...unknownPath },
  {
    id: 61,
    name: 'UTF-8 in the path, not escaped',
    send: get(Buffer.from('/v1/pets/é').toString('latin1')),
    ...malformed,
  },
  { id: 62, name: 'a tab in the path', send: get('/v1/pets\t1'), ...malformed },
  {
    id: 63,
    name: 'a fragment',
    send: get('/v1/pets#frag'),
    ...malformed,
    why: 'A target holds no fragment (RFC 9112 §3.2).',
  },
  {
    id: 64,
    name: 'a URL of 20 KB',
    send: get(`/v1/pets?note=${'a'.repeat(20_000)}`),
    status: 431,
    code: 'headers_too_large',
    why: "414 would say more, but Node's parser has one bound for the request line and the headers, and does not tell which broke it.",
  },
  {
    id: 65,
    name: ';jsessionid behind the path',
    send: get('/v1/pets;jsessionid=1'),
    ...unknownPath,
  },
  { id: 65, name: ';jsessionid behind the id', send: get('/v1/pets/1;jsessionid=1'), ...notFound },
  { id: 66, name: 'overlong UTF-8', send: get('/v1/pets/%c0%ae%c0%ae'), ...malformed },
  { id: 67, name: 'a backslash for a slash', send: get('/v1\\pets'), ...unknownPath },
  { id: 67, name: 'backslashes in the id', send: get('/v1/pets/..\\..'), ...notFound },
  {
    id: 68,
    name: 'a target that begins with two slashes and a host',
    send: get('//evil.example/v1/pets'),
    ...unknownPath,
  },
  { id: 69, name: 'the id __proto__', send: get('/v1/pets/__proto__'), ...notFound },
  { id: 69, name: 'the id constructor', send: get('/v1/pets/constructor'), ...notFound },
  { id: 70, name: 'an empty id', send: get('/v1/pets/?limit=1'), ...unknownPath },
  { id: 71, name: 'an id of 10 KB', send: get(`/v1/pets/${'9'.repeat(10_000)}`), ...notFound },
  { id: 72, name: 'an empty query', send: get('/v1/pets?'), status: 200 },
];
