import { expect, it } from 'vitest';
import type { Case } from '../../../contracts/cases/case.ts';
import { listCase } from '../../../contracts/cases/list-cases.ts';
import { silenceCases } from '../../../contracts/cases/silence-cases.ts';
import { readSilence } from '../../../contracts/silences/read-silences.ts';
import { answeredTranscript, document, type Given } from '../../support/answered-transcript.ts';

const [resource] = document.resources;
const list = resource?.operations.list;
if (!resource || !list) throw new Error('the document has no list');

const animals = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: 'x', categoryId: 1 }));
const all = (count: number): Given => ({
  case: listCase({ document, resource }, list, { limit: 100 }),
  status: 200,
  body: animals(Math.min(count, 100)),
});
const plain: Given = {
  case: listCase({ document, resource }, list, {}),
  status: 200,
  body: animals(20),
};
const probe = (query: string): Case => {
  const found = silenceCases(document).find(({ path }) => path.endsWith(`?${query}`));
  if (!found) throw new Error(`no case asks for ${query}`);
  return found;
};
const above = (limit: number, length: number): Given => ({
  case: { ...probe('limit=101'), path: `/pets?limit=${limit}` },
  status: 200,
  body: animals(length),
});

it('is unsure whether a page size is clamped where the list is no longer than its bound', () => {
  const reading = readSilence(
    answeredTranscript([all(53), above(101, 53), above(1000, 53)]),
    'limit-out-of-range',
  );
  expect(reading).toMatchObject({
    answer: 'clamped',
    unsure: [
      'above: at most 53 items were listed, which a page as large as asked for would show too',
    ],
  });
});

it('is sure that a page size is clamped where more items are known than are listed', () => {
  const created = document.resources[0]?.operations.create;
  const more: Given = {
    case: {
      id: 'createPet/one more',
      ...(created && { operation: created }),
      method: 'POST',
      path: '/pets',
      credential: 'valid',
      purpose: { kind: 'create' },
      priority: 1,
      writes: true,
    },
    status: 201,
    body: { id: 101, name: 'x', categoryId: 1 },
  };
  const reading = readSilence(
    answeredTranscript([all(120), more, above(101, 100), above(1000, 100)]),
    'limit-out-of-range',
  );
  expect(reading?.answer).toBe('clamped');
  expect(reading?.unsure).toBeUndefined();
});

it('counts the part of an answer that was seen least', () => {
  const refused = (query: string): Given => ({
    case: probe(query),
    status: 400,
    body: { code: 'bad', message: 'no', status: 400 },
  });
  const reading = readSilence(
    answeredTranscript([
      all(120),
      plain,
      refused('limit=0'),
      refused('limit=0'),
      refused('limit=0'),
      { case: probe('limit=abc'), status: 200, body: animals(20) },
    ]),
    'limit-out-of-range',
  );
  expect(reading).toMatchObject({ answer: { text: 'ignored' }, parts: { zero: 3, text: 1 } });
});

it('takes no shorter list for an ignored filter, nor lists that differ', () => {
  const filtered = (length: number): Given => ({
    case: probe('status=no-such-value'),
    status: 200,
    body: animals(length),
  });
  const read = (...given: Given[]) =>
    readSilence(answeredTranscript([plain, ...given]), 'unknown-status-filter');
  expect(read(filtered(20))).toMatchObject({ answer: 'ignored' });
  expect(read(filtered(0))).toMatchObject({ answer: 'empty-list' });
  expect(read(filtered(7))?.answer).toBeUndefined();
  expect(read(filtered(20), filtered(0))?.answer).toBeUndefined();
});

it('is unsure of the order where nothing was created, and of windows where only one was shown', () => {
  const transcript = answeredTranscript(
    [plain, plain, plain].map((one) => ({
      ...one,
      headers: {
        'X-RateLimit-Limit': '60',
        'X-RateLimit-Remaining': '50',
        'X-RateLimit-Reset': String(Date.UTC(2026, 10, 22, 12, 1) / 1000),
      },
    })),
  );
  expect(readSilence(transcript, 'list-order')).toMatchObject({
    answer: 'oldest-first',
    unsure: ['the ids rise, but too few created items were listed to show where new ones go'],
  });
  expect(readSilence(transcript, 'rate-limit-windows')).toMatchObject({
    answer: 'least-remaining',
    unsure: [
      'only one window of each key was shown, so this may be the only one that ever is',
      'no window was seen from its beginning to its end; it lasts 59 s or more, and 60 s are taken',
    ],
  });
});

it('has one word for each thing that becomes of a wrong page size', () => {
  const listed = (query: string, length: number): Given => ({
    case: probe(query),
    status: 200,
    body: animals(length),
  });
  const reading = readSilence(
    answeredTranscript([
      all(100),
      ...[listed('limit=0', 1), listed('limit=101', 100), listed('limit=abc', 20)],
      ...[listed('limit=', 20), listed('limit=1.5', 1), listed('limit=1e1', 10)],
    ]),
    'limit-out-of-range',
  );
  expect(reading?.answer).toEqual({
    ...{ zero: 'clamped', above: 'clamped', text: 'ignored', empty: 'ignored' },
    ...{ fraction: 'as-number', exponent: 'as-number' },
  });
});
