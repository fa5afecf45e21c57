import { expect, it } from 'vitest';
import { createValues } from '../../../contracts/run/values.ts';

it('fills placeholders that name a nested collection', () => {
  const values = createValues('a1');
  values.set('known.users/{userId}/notes.text', 'Hi');
  values.set('id.users/{userId}/notes.first', 7);
  const fill = (template: string) => values.fill(template).text;
  expect(fill('{"text":{{known.users/{userId}/notes.text|%22no%22}}}')).toBe('{"text":"Hi"}');
  expect(fill('{"size":{{known.users/{userId}/notes.size|5}}}')).toBe('{"size":5}');
  expect(fill('/notes/{{id.users/{userId}/notes.first}}?run={{run}}')).toBe('/notes/7?run=a1');
});
