import { expect, it } from 'vitest';
import { calibrationCases } from '../../../contracts/cases/calibration-cases.ts';
import { type Case, readCase } from '../../../contracts/cases/case.ts';
import { listCase } from '../../../contracts/cases/list-cases.ts';
import { protocolCases } from '../../../contracts/cases/protocol-cases.ts';
import { silenceCases } from '../../../contracts/cases/silence-cases.ts';
import { readSilence } from '../../../contracts/silences/read-silences.ts';
import { toWords } from '../../../contracts/silences/to-words.ts';
import { answeredTranscript, document, type Reply } from '../../support/answered-transcript.ts';

const [resource] = document.resources;
const { list, read } = resource?.operations ?? {};
if (!resource || !list || !read) throw new Error('the document has no list and read');
const asked = [
  ...silenceCases(document),
  ...protocolCases(document),
  ...calibrationCases(document),
];
const error = (status: number) => ({ code: 'no', message: 'No.', status });
const stored = (id: number) => ({ id, name: 'x', categoryId: 1 });

function answer(one: Case, status: number): Reply {
  return { case: one, status, body: status < 300 ? stored(1) : error(status) };
}

function readOf(silence: string, given: readonly Reply[]) {
  const reading = readSilence(answeredTranscript(given), silence);
  const words = reading?.answer === undefined ? undefined : toWords(silence, reading.answer);
  return { ...reading, words };
}

it('reads a category that no item has', () => {
  const one = asked.find(({ body }) => body?.includes('987654321')) as Case;
  expect(readOf('unknown-category', [answer(one, 201)]).answer).toBe('accepted');
  expect(readOf('unknown-category', [answer(one, 404)])).toMatchObject({
    answer: { status: 404, code: 'no' },
    words: '404, Error',
  });
});

it('reads what no 64-bit integer is as an id', () => {
  const [text, beyond] = ['/pets/abc', '/pets/9223372036854775808'].map(
    (path) => asked.find((one) => one.path === path) as Case,
  ) as [Case, Case];
  expect(readOf('pet-id-form', [answer(text, 400), answer(beyond, 404)])).toMatchObject({
    answer: { text: { status: 400, code: 'no' }, beyond: { status: 404, code: 'no' } },
    words: 'beyond: 404, Error; text: 400, Error',
  });
  expect(readOf('pet-id-form', [answer(beyond, 200)]).answer).toBeUndefined();
});

it('takes JSON of another media type for text, as the twin sends it in no other way', () => {
  const one = asked.find(({ path }) => path.includes('no-such-parameter')) as Case;
  const given = { ...answer(one, 400), headers: { 'Content-Type': 'text/plain' } };
  expect(readOf('unknown-query-parameter', [given])).toMatchObject({
    answer: { status: 400, text: JSON.stringify(error(400)), mediaType: 'text/plain' },
  });
});

it('pins codes, and no messages, which may be of one request alone', () => {
  const given = ['987112847', '987112848'].map((value) => ({
    case: readCase(read, value, { kind: 'unknown-id' }, 1),
    status: 404,
    body: { code: 'gone', message: `There is no pet ${value}.`, status: 404, trace: 1 },
  }));
  expect(readOf('error-codes', given).answer).toEqual({
    not_found: { code: 'gone', members: { trace: 1 } },
  });
  const slow = { case: listCase(list, {}), status: 429, body: error(429) };
  expect(readOf('rate-limit-body', [slow, slow])).toMatchObject({
    answer: { code: 'no' },
    words: 'no',
  });
});

it('tells headers of all answers from those of one operation', () => {
  const headers = { Server: 'shop', Vary: 'Origin' };
  const of = (one: Case, more: Record<string, string>): Reply => ({
    ...answer(one, 200),
    headers: { ...headers, ...more },
  });
  const lists = listCase(list, {});
  const reads = readCase(read, '1', { kind: 'read', id: '1' }, 1);
  const reading = readOf('further-headers', [of(lists, { ETag: '"x"' }), of(reads, {})]);
  expect(reading).toMatchObject({
    answer: {
      '*': { ...headers, link: null },
      'listPets 200': { ETag: '"{etag}"' },
      'getPet 200': { etag: null },
    },
    words: 'etag, server, vary',
  });
});

it('takes no field that the run sent for a member of animals', () => {
  const create = asked.find(({ body }) => body?.includes('noSuchField')) as Case;
  const given: Reply[] = [
    { case: create, status: 201, body: { ...stored(2), noSuchField: 'x' } },
    { case: listCase(list, {}), status: 200, body: [stored(1)] },
  ];
  expect(readOf('further-members', given)).toMatchObject({ answer: 'none' });
  expect(readOf('further-members', given).reason).toBeUndefined();
});
