import { expect, it } from 'vitest';
import { calibrationCases } from '../../../contracts/cases/calibration-cases.ts';
import type { Case } from '../../../contracts/cases/case.ts';
import { credentialCases } from '../../../contracts/cases/credential-cases.ts';
import { listCase } from '../../../contracts/cases/list-cases.ts';
import { protocolCases } from '../../../contracts/cases/protocol-cases.ts';
import { readCase } from '../../../contracts/cases/read-cases.ts';
import { silenceCases } from '../../../contracts/cases/silence-cases.ts';
import { readSilence } from '../../../contracts/silences/read-silences.ts';
import { toWords } from '../../../contracts/silences/to-words.ts';
import { answeredTranscript, document, type Given } from '../../support/answered-transcript.ts';

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

function answer(one: Case, status: number): Given {
  return { case: one, status, body: status < 300 ? stored(1) : error(status) };
}

function readOf(silence: string, given: readonly Given[]) {
  const reading = readSilence(answeredTranscript(given), silence);
  const words = reading?.answer === undefined ? undefined : toWords(silence, reading.answer);
  return { ...reading, words };
}

const ofCategory = asked.filter(
  ({ purpose }) => purpose.kind === 'silence' && purpose.silence === 'unknown-category',
);
const categoryOf = ({ body = '' }: Case) => Number(/"categoryId":(-?\d+)/.exec(body)?.[1]);

it('asks for the category 0 and for a negative one, three times each', () => {
  const sent = ofCategory.map(categoryOf);
  expect([0, -1].map((category) => sent.filter((one) => one === category).length)).toEqual([3, 3]);
});

const refusing = (isRefused: (category: number) => boolean) =>
  readOf(
    'unknown-category',
    ofCategory.map((one) => answer(one, isRefused(categoryOf(one)) ? 400 : 201)),
  );

it('tells apart from which bound on a category is refused', () => {
  const form = { status: 400, code: 'no', message: 'No.' };
  expect(refusing((category) => category < 1)).toMatchObject({
    answer: { belowOne: form },
    words: 'below one: 400, Error',
  });
  expect(refusing((category) => category < 0)).toMatchObject({
    answer: { belowZero: form },
  });
  expect(refusing(() => false)).toMatchObject({
    answer: 'accepted',
  });
  expect(refusing((category) => category === 0)).toMatchObject({
    reason: 'its answers vary (400, Error; 201, {categoryId: number, id: number, name: string})',
  });
});

const id = (value: string, status: number, headers: Record<string, string> = {}): Given => ({
  ...answer(
    readCase(read, value, { kind: status < 300 ? 'read' : 'unknown-id', id: value }, 1),
    status,
  ),
  headers,
});

it('pins deprecation headers to the statuses that were seen with them', () => {
  const headers = { Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' };
  const read200 = [id('1', 200, headers), id('2', 200, headers)];
  expect(readOf('deprecation-headers', [...read200, id('999', 404)])).toMatchObject({
    answer: { ...headers, on: [200] },
    words: 'Sunset, on successes only',
  });
  expect(readOf('deprecation-headers', [...read200, id('999', 404, headers)])).toMatchObject({
    answer: { ...headers, on: [200, 404] },
    words: 'Sunset',
  });
  expect(readOf('deprecation-headers', read200).answer).toEqual(headers);
});

it('says of an id that is written otherwise only what was seen', () => {
  const padded = asked.find(({ path }) => path === '/pets/01') as Case;
  expect(readOf('pet-id-form', [answer(padded, 200)])).toMatchObject({
    reason: '01: it is answered with 200, which the twin cannot do',
  });
});

it('pins no message that repeats a value of its request', () => {
  const unknown = { kind: 'unknown-id' } as const;
  const messageOf = (message: string) => {
    const given = ['987112847', '987112848'].map((value) => ({
      case: readCase(read, value, unknown, 1),
      status: 404,
      body: { code: 'gone', message, status: 404 },
    }));
    const { answer: codes } = readOf('error-codes', given);
    return (codes as { not_found: { message?: string } }).not_found.message;
  };
  expect(messageOf('There is no pet 987112847.')).toBeUndefined();
  expect(messageOf('There is no such pet.')).toBe('There is no such pet.');
  const limit = asked.find(({ path }) => path === '/pets?limit=0') as Case;
  const refused = (message: string) =>
    readOf('limit-out-of-range', [
      { case: limit, status: 400, body: { code: 'limit', message, status: 400 } },
    ]).answer;
  expect(refused('It is "0".')).not.toHaveProperty('message');
  expect(refused('Give 1 to 100.')).toHaveProperty('message');
  const other = asked.find(({ path }) => path.includes('no-such-parameter')) as Case;
  const unknownName = { code: 'query', message: 'There is no "no-such-parameter".', status: 400 };
  expect(
    readOf('unknown-query-parameter', [{ case: other, status: 400, body: unknownName }]).answer,
  ).not.toHaveProperty('message');
  const keyInQuery = credentialCases(document).find(({ path }) => path.includes('?access_token='));
  const noKey = { code: 'key', message: 'Send an API key.', status: 401 };
  expect(
    readOf('error-codes', [{ case: keyInQuery as Case, status: 401, body: noKey }]).answer,
  ).toMatchObject({ missing_api_key: { message: 'Send an API key.' } });
  const zero = asked.find(({ path }) => path === '/pets/0') as Case;
  const nothing = { code: 'none', message: 'Nothing is at /pets/0.', status: 404 };
  expect(
    readOf('pet-id-form', [{ case: zero, status: 404, body: nothing }]).answer,
  ).not.toHaveProperty('message');
  const large = asked.find(({ body = '' }) => body.length > 1_000_000) as Case;
  const tooLarge = { code: 'large', message: 'Too large.', status: 413 };
  expect(readOf('body-size', [{ case: large, status: 413, body: tooLarge }]).answer).toMatchObject({
    answer: { message: 'Too large.' },
  });
});

it('takes no field that the run sent for a member of animals', () => {
  const create = asked.find(({ body }) => body?.includes('noSuchField')) as Case;
  const given: Given[] = [
    { case: create, status: 201, body: { ...stored(2), noSuchField: 'x' } },
    { case: listCase({ document, resource }, list, {}), status: 200, body: [stored(1)] },
  ];
  expect(readOf('further-members', given)).toMatchObject({ answer: 'none' });
  expect(readOf('further-members', given).reason).toBeUndefined();
});
