import { type BadInputs, get } from '../../support/bad-input.ts';

/** Request targets and paths. */
export const target: BadInputs = {
  'half a percent escape in the path': [get('/v1/pets/%'), 'malformed_request'],
  // The key comes first, so 401 wins over 400.
  'half a percent escape in the path, without a key': [
    get('/v1/pets/%', { Authorization: undefined }),
    'missing_api_key',
  ],
  '%2F in the id': [get('/v1/pets/1%2F2'), 'not_found'],
  '%2F for a slash': [get('/v1%2Fpets'), 'unknown_path'],
  '%00 in the id': [get('/v1/pets/1%00'), 'not_found'],
  // Paths are taken to the letter.
  '/.. as the id': [get('/v1/pets/..'), 'not_found'],
  '/.. inside the path': [get('/v1/pets/../pets'), 'unknown_path'],
  '%2e%2e as the id': [get('/v1/pets/%2e%2e'), 'not_found'],
  'doubled slashes': [get('//v1//pets'), 'unknown_path'],
  // Paths are case-sensitive (RFC 3986 §6.2.2.1).
  'a path in capitals': [get('/V1/PETS'), 'unknown_path'],
  'a path in capitals with a final slash': [get('/V1/PETS/'), 'unknown_path'],
  'a final slash': [get('/v1/pets/'), 'unknown_path'],
  'a final slash after the id': [get('/v1/pets/1/'), 'unknown_path'],
  'UTF-8 in the path, not escaped': [
    get(Buffer.from('/v1/pets/é').toString('latin1')),
    'malformed_request',
  ],
  'a tab in the path': [get('/v1/pets\t1'), 'malformed_request'],
  // A target holds no fragment (RFC 9112 §3.2).
  'a fragment': [get('/v1/pets#frag'), 'malformed_request'],
  // 414 would say more, but Node's parser has one bound for the request line and the headers,
  // and does not tell which broke it.
  'a URL of 20 KB': [get(`/v1/pets?note=${'a'.repeat(20_000)}`), 'headers_too_large'],
  ';jsessionid behind the path': [get('/v1/pets;jsessionid=1'), 'unknown_path'],
  ';jsessionid behind the id': [get('/v1/pets/1;jsessionid=1'), 'not_found'],
  'overlong UTF-8': [get('/v1/pets/%c0%ae%c0%ae'), 'malformed_request'],
  'a backslash for a slash': [get('/v1\\pets'), 'unknown_path'],
  'backslashes in the id': [get('/v1/pets/..\\..'), 'not_found'],
  'a target that begins with two slashes and a host': [
    get('//evil.example/v1/pets'),
    'unknown_path',
  ],
  'the id __proto__': [get('/v1/pets/__proto__'), 'not_found'],
  'the id constructor': [get('/v1/pets/constructor'), 'not_found'],
  'an empty id': [get('/v1/pets/?limit=1'), 'unknown_path'],
  'an id of 10 KB': [get(`/v1/pets/${'9'.repeat(10_000)}`), 'not_found'],
  'an empty query': [get('/v1/pets?'), 200],
};
