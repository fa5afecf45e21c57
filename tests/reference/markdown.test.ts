import { expect, it } from 'vitest';
import { markdown } from '../../reference/markdown.ts';

const htmlOf = (text: string) =>
  (markdown(text, { heading: 3 }) || { text: '' }).text.replaceAll(/\n(?=<)/g, '');

it.each([
  ['a *b* **c** `d` ~~e~~', '<p>a <em>b</em> <strong>c</strong> <code>d</code> <del>e</del></p>'],
  ['# A\n\nb', '<h3>A</h3><p>b</p>'],
  ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['3. a', '<ol start="3"><li>a</li></ol>'],
  ['> a', '<blockquote><p>a</p></blockquote>'],
  ['a  \nb\nc', '<p>a<br>b\nc</p>'],
  ['a &amp; &lt;b&gt; &#67;', '<p>a &amp; &lt;b&gt; C</p>'],
  ['[a](https://example.com/)', '<p><a href="https://example.com/" rel="noreferrer">a</a></p>'],
  ['[a](#b)', '<p><a href="#b" rel="noreferrer">a</a></p>'],
  ['[a](javascript:b)', '<p>a</p>'],
  [
    '![a](https://example.com/b.png)',
    '<p><a href="https://example.com/b.png" rel="noreferrer">a</a></p>',
  ],
  ['<b onclick="c">a</b>', '<p>&lt;b onclick=&quot;c&quot;&gt;a&lt;/b&gt;</p>'],
])('%j', (text, html) => {
  expect(htmlOf(text)).toBe(`<div class="prose">${html}</div>`);
});

it('shows tables, and code as it stands', () => {
  expect(htmlOf('| a |\n|---|\n| `b` |')).toContain('<tbody><tr><td><code>b</code></td></tr>');
  expect(htmlOf('```sh\n# a\nb\n```\n\n# C')).toMatch(/>\n?# a\nb<\/pre><h3>C<\/h3>/);
});

it('marks what nobody sees', () => {
  expect(htmlOf('a\u202eb')).toBe('<div class="prose"><p>a\\u202eb</p></div>');
});

it('shows text literally that would take long to parse, or cannot be parsed', () => {
  for (const text of ['_a*'.repeat(1000), `- ${'a'.repeat(300_000)}`, '>'.repeat(20_000)])
    expect(htmlOf(text)).toMatch(/^<div class="prose"><pre [^>]+>.+<\/pre><\/div>$/s);
});
