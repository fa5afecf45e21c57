import { expect, it } from 'vitest';
import { remembered } from '../../common/remembered.ts';

it('computes the result of a text once, and again after many others', () => {
  const asked: string[] = [];
  const measure = remembered((text) => {
    asked.push(text);
    return text.length;
  });
  expect([measure('ab'), measure('ab'), measure('c')]).toEqual([2, 2, 1]);
  expect(asked).toEqual(['ab', 'c']);
  for (let n = 0; n < 20_000; n++) measure(`${n}`);
  expect(measure('ab')).toBe(2);
  expect(asked.filter((text) => text === 'ab')).toHaveLength(2);
});

it('keeps no texts without a result, which callers may send without end', () => {
  const asked: string[] = [];
  const find = remembered((text) => {
    asked.push(text);
    return text === 'known' ? text : undefined;
  });
  find('known');
  for (let n = 0; n < 20_000; n++) find(`${n}`);
  expect([find('known'), find('0')]).toEqual(['known', undefined]);
  expect(asked.filter((text) => text === 'known')).toHaveLength(1);
});
