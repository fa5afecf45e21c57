import { expect, it } from 'vitest';
import { toBlocks } from '../../../../mock/extras/console/browser/words.ts';

it('cuts a long text at its line breaks', () => {
  const lines = Array.from({ length: 5000 }, (_, number) => `${number}`.repeat(number % 50));
  const blocks = toBlocks(lines.join('\n'));
  expect(blocks.join('\n')).toBe(lines.join('\n'));
  expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThanOrEqual(2000);
});

it('cuts a long line, but no character', () => {
  const line = `a${'\u{1f436}'.repeat(5000)}`;
  const blocks = toBlocks(line);
  expect(blocks.join('')).toBe(line);
  expect(blocks.every((block) => block.isWellFormed())).toBe(true);
  expect(blocks.length).toBeGreaterThan(4);
  expect(toBlocks('')).toEqual(['']);
});
