import { expect, it } from 'vitest';
import type { Case } from '../../../contracts/cases/case.ts';
import { listCase } from '../../../contracts/cases/list-cases.ts';
import { silenceCases } from '../../../contracts/cases/silence-cases.ts';
import { readSilence } from '../../../contracts/silences/read-silences.ts';
import { answeredTranscript, document, type Reply } from '../../support/answered-transcript.ts';

const [resource] = document.resources;
const list = resource?.operations.list;
if (!resource || !list) throw new Error('the document has no list');

const animals = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: 'x', categoryId: 1 }));
const all = (count: number): Reply => ({
  case: listCase(list, { limit: 100 }),
  status: 200,
  body: animals(Math.min(count, 100)),
});
const plain: Reply = {
  case: listCase(list, {}),
  status: 200,
  body: animals(20),
};
const probe = (query: string): Case => {
  const found = silenceCases(document).find(({ path }) => path.endsWith(`?${query}`));
  if (!found) throw new Error(`no case asks for ${query}`);
  return found;
};
it('takes no shorter list for an ignored filter, nor lists that differ', () => {
  const filtered = (length: number): Reply => ({
    case: probe('status=no-such-value'),
    status: 200,
    body: animals(length),
  });
  const read = (...given: Reply[]) =>
    readSilence(answeredTranscript([plain, ...given]), 'unknown-status-filter');
  expect(read(filtered(20))).toMatchObject({ answer: 'ignored' });
  expect(read(filtered(0))).toMatchObject({ answer: 'empty-list' });
  expect(read(filtered(7))?.answer).toBeUndefined();
  expect(read(filtered(20), filtered(0))?.answer).toBeUndefined();
});

it('reads the order of lists by their ids where nothing was created', () => {
  const read = (list: Reply) => readSilence(answeredTranscript([list, list]), 'list-order');
  expect(read(plain)).toMatchObject({ answer: 'oldest-first' });
  expect(read({ ...plain, body: animals(20).toReversed() })).toMatchObject({
    answer: 'newest-first',
  });
});

it('reads no page size where too few items were listed to tell two meanings apart', () => {
  const one = { case: probe('limit=0'), status: 200, body: animals(1) };
  const reading = readSilence(answeredTranscript([all(1), one]), 'limit-out-of-range');
  expect(reading?.answer).toBeUndefined();
  expect(reading?.reason).toBe('zero: too few items are listed to tell clamped from ignored');
});

it('has one word for each thing that becomes of a wrong page size', () => {
  const listed = (query: string, length: number): Reply => ({
    case: probe(query),
    status: 200,
    body: animals(length),
  });
  const reading = readSilence(
    answeredTranscript([
      all(100),
      ...[listed('limit=0', 1), listed('limit=101', 100), listed('limit=abc', 20)],
    ]),
    'limit-out-of-range',
  );
  expect(reading?.answer).toEqual({
    ...{ zero: 'clamped', above: 'clamped', text: 'ignored' },
  });
});
