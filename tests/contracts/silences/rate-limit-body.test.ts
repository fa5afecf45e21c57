import { expect, it } from 'vitest';
import { listCase } from '../../../contracts/cases/list-cases.ts';
import { readSilence } from '../../../contracts/silences/read-silences.ts';
import { toWords } from '../../../contracts/silences/to-words.ts';
import { answeredTranscript, document, type Given } from '../../support/answered-transcript.ts';

const [resource] = document.resources;
const list = resource?.operations.list;
if (!resource || !list) throw new Error('the document has no list');

const refused = (...values: string[]): Given[] =>
  values.map((value) => ({
    case: listCase({ document, resource }, list, {}),
    status: 429,
    headers: { 'Retry-After': value },
    body: { code: 'slow', message: 'Slow down.', status: 429 },
  }));
const read = (...values: string[]) => {
  const reading = readSilence(answeredTranscript(refused(...values)), 'rate-limit-body');
  return [reading?.answer, toWords('rate-limit-body', reading?.answer), reading?.reason];
};

it('reads the form of Retry-After', () => {
  const form = { code: 'slow', message: 'Slow down.' };
  const date = 'Sun, 22 Nov 2026 12:01:00 GMT';
  expect(read('30', '29')).toEqual([{ ...form, retryAfter: 'seconds' }, 'slow', undefined]);
  expect(read(date, date)).toEqual([
    { ...form, retryAfter: 'date' },
    'slow, Retry-After as a date',
    undefined,
  ]);
  expect(read('30', date)).toEqual([form, 'slow', 'Retry-After is a date or seconds in turn']);
});
