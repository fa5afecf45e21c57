import { expect, it, vi } from 'vitest';
import { markdown } from '../../../contracts/reference/markdown.ts';

vi.mock(import('marked'), async (importActual) => ({
  ...(await importActual()),
  lexer: () => {
    throw new RangeError('Maximum call stack size exceeded');
  },
}));

it('shows text literally that the parser cannot read', () => {
  expect(markdown('a *b*')).toMatchObject({
    text: '<div class="prose"><pre tabindex="0" role="group" aria-label="Description">a *b*</pre></div>',
  });
});
