import * as fc from 'fast-check';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { toDocumentJson, toDocumentYaml } from '../../reference/document-files.ts';
import { markdown } from '../../reference/markdown.ts';
import { createReference } from '../../reference/reference.ts';
import { jsonOf, toDocument } from '../support/serve-document.ts';

const members = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }), { maxKeys: 5 })
  .map((document) => JSON.parse(JSON.stringify(document)) as Record<string, unknown>);

it('writes any document as JSON and as YAML that read as the same', () => {
  fc.assert(
    fc.property(members, (document) => {
      expect(JSON.parse(toDocumentJson(document) ?? '')).toEqual(document);
      expect(load(toDocumentYaml(document))).toEqual(document);
    }),
  );
});

it('writes integers exactly, and no more than 20 MB', () => {
  const document = { a: { d: 9223372036854775807n }, e: -9223372036854775808n };
  expect(toDocumentJson(document)).toContain('"d": 9223372036854775807');
  expect(toDocumentYaml(document)).toBe('a:\n  d: 9223372036854775807\ne: -9223372036854775808\n');
  expect(toDocumentJson({ a: 'a'.repeat(21_000_000) })).toBeUndefined();
});

const names = [
  '../../etc/passwd',
  '..',
  '.',
  'CON',
  'a/b',
  'a\\b',
  'é',
  'É',
  ' ',
  'get pets',
  'Get Pets',
  '__proto__',
  'constructor',
  '\u202e',
  'x'.repeat(5000),
  '</script>',
  'a.html',
  '%2e%2e',
];

it('gives each operation and schema a file of its own within the folder, on any file system', () => {
  const paths = Object.fromEntries(
    names.map((operationId, index) => [`/${index}`, { get: { operationId, responses: {} } }]),
  );
  const schemas = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:{}`).join()}}`);
  const raw = { openapi: '3.1.0', info: {}, paths, components: { schemas } };
  const reference = createReference(compile(raw));
  const made = reference.paths.filter((path) => path.includes('/'));
  for (const path of made)
    expect(path).toMatch(/^(?:operations|schemas|assets)\/[\w-]{1,90}\.(?:html|css|js|svg)$/);
  expect(new Set(made.map((path) => path.toLowerCase())).size).toBe(made.length);
  expect(made.filter((path) => path.startsWith('operations/'))).toHaveLength(names.length);
  for (const path of reference.paths) expect(reference.render(path, { now: 0 })).toBeDefined();
  expect(reference.render('operations/../index.html', { now: 0 })).toBeUndefined();
  expect(reference.render('__proto__', { now: 0 })).toBeUndefined();
});

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

it('shows webhooks on the first page, as calls that the service makes', () => {
  const body = (title: string) => ({ required: true, ...jsonOf({ type: 'object', title }) });
  const answers = { responses: { 204: { description: 'Taken.' } } };
  const raw = toDocument(
    { '/a': { get: { operationId: 'a', responses: {} } } },
    {
      webhooks: {
        sold: {
          post: { summary: 'An animal was sold', requestBody: body('Sale'), ...answers },
          put: { deprecated: true, ...answers },
        },
        named: { $ref: '#/components/pathItems/named' },
        wrong: null,
      },
      components: { pathItems: { named: { post: { description: 'It has a name.', ...answers } } } },
    },
  );
  const pages = (options: object) => {
    const reference = createReference(compile(raw), options);
    return (path: string) => reference.render(path, { now: 0 })?.text ?? '';
  };
  const page = pages({});
  const index = page('index.html');
  expect(index).toContain('<section id="webhooks"');
  for (const part of ['An animal was sold', 'application/json', 'Deprecated', 'It has a name.'])
    expect(index).toContain(part);
  expect(index).not.toContain('<bdi>wrong</bdi>');
  const twin = { styles: [], modules: [], links: [] };
  expect(pages({ twin })('index.html')).toContain('The mock makes none.');
  expect(index).not.toContain('The mock makes none.');
});
