import { rewrites } from '../rewriting-proxy.ts';
import { type Entries, family } from '../row.ts';

const list = { method: 'GET', path: /\/pets(\?|$)/, status: 200 };
const read = { method: 'GET', path: /\/pets\/[^/?]+$/, status: 200 };
const create = { method: 'POST', path: /\/pets$/, status: 201 };

const entries: Entries = {
  'rewritten-list-203': {
    clause: '§4.1',
    about: 'the list has status 203',
    rewrite: [rewrites.status(list, 203)],
  },
  'rewritten-create-200': {
    clause: '§4.2',
    about: 'a creation has status 200',
    rewrite: [rewrites.status(create, 200)],
  },
  'rewritten-limit-dropped': {
    clause: '§8',
    about: 'X-RateLimit-Limit is dropped',
    rewrite: [rewrites.dropHeader({}, 'x-ratelimit-limit')],
  },
  'rewritten-reset-dropped-on-401': {
    clause: '§8',
    about: 'X-RateLimit-Reset is dropped on 401',
    rewrite: [rewrites.dropHeader({ status: 401 }, 'x-ratelimit-reset')],
  },
  'rewritten-retry-after-dropped': {
    clause: '§8',
    about: 'Retry-After is dropped',
    rewrite: [rewrites.dropHeader({ status: 429 }, 'retry-after')],
  },
  'rewritten-remaining': {
    clause: '§8',
    about: 'X-RateLimit-Remaining is always 7',
    rewrite: [rewrites.header({}, 'x-ratelimit-remaining', '7')],
  },
  'rewritten-list-name': {
    clause: '§2',
    about: 'name is dropped from lists',
    rewrite: [rewrites.dropMember(list, 'name')],
  },
  'rewritten-list-category': {
    clause: '§2',
    about: 'categoryId is retyped in lists',
    rewrite: [rewrites.retypeMember(list, 'categoryId')],
  },
  'rewritten-read-id': {
    clause: '§2',
    about: 'id is renamed to _id when read',
    rewrite: [rewrites.renameMember(read, 'id', '_id')],
  },
  'rewritten-create-name': {
    clause: '§2',
    about: 'name is retyped in creations',
    rewrite: [rewrites.retypeMember(create, 'name')],
  },
  'rewritten-list-wrapped': {
    clause: '§4.1',
    about: 'lists are wrapped',
    rewrite: [rewrites.wrap(list, 'pets')],
  },
  'rewritten-read-wrapped': {
    clause: '§4.3',
    about: 'a read animal is wrapped',
    rewrite: [rewrites.wrap(read, 'pet')],
  },
  'rewritten-error-media-type': {
    about: 'errors are called application/problem+json',
    rewrite: [400, 401, 404].map((status) =>
      rewrites.mediaType({ status }, 'application/problem+json'),
    ),
  },
  'rewritten-404-content': {
    about: 'the body of a 404 is text',
    rewrite: [rewrites.content({ path: /\/pets\//, status: 404 }, 'nothing')],
  },
  'rewritten-400-code': {
    about: 'code is dropped from a 400',
    rewrite: [rewrites.dropMember({ ...create, status: 400 }, 'code')],
  },
  'rewritten-401-status': {
    about: 'status is retyped in a 401',
    rewrite: [rewrites.retypeMember({ status: 401 }, 'status')],
  },
  'rewritten-truncated': {
    clause: '§1, §4',
    about: 'every 15th answer ends after 10 bytes',
    rewrite: [rewrites.truncate({ every: 15 }, 10)],
  },
  'rewritten-dropped': {
    clause: '§1, §4',
    about: 'every 20th connection is cut',
    rewrite: [rewrites.drop({ every: 20 })],
  },
  'rewritten-500': {
    about: 'every 20th answer is 500',
    rewrite: [rewrites.status({ every: 20 }, 500)],
  },
  'rewritten-list-short': {
    clause: '§4.1',
    about: 'lists lose their last animal',
    rewrite: [rewrites.json(list, withoutLast)],
  },
};

export const rewrittenRows = family('rewritten-twin', '§7', entries);

function withoutLast(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, -1) : value;
}
