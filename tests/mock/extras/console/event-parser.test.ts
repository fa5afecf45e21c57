import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEventParser } from '../../../../mock/extras/console/browser/request-feed.ts';

const text = [
  ': requests as they come\n\n',
  'event: gap\ndata: {"after":3}\n\n',
  'id: 4\ndata: {"id":4}\n\n',
  ':\n\n',
  'data: one\ndata:two\n\n',
].join('');

const events = [
  { type: 'gap', data: '{"after":3}' },
  { type: 'message', data: '{"id":4}' },
  { type: 'message', data: 'one\ntwo' },
];

it('gives each event once it is complete, however the text is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: text.length })), (cuts) => {
      const parse = createEventParser();
      const places = [0, ...cuts.toSorted((left, right) => left - right), text.length];
      const parts = places.slice(1).map((place, index) => text.slice(places[index], place));
      expect(parts.flatMap(parse)).toEqual(events);
    }),
  );
});

it('holds what is not complete', () => {
  const parse = createEventParser();
  expect(parse('data: a\n')).toEqual([]);
  expect(parse('\ndata: b')).toEqual([{ type: 'message', data: 'a' }]);
});
