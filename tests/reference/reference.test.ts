import { describe, expect, it } from 'vitest';
import { builtInDocument } from '../../common/built-in-document.ts';
import { compile } from '../../openapi/index.ts';
import { createReference } from '../../reference/reference.ts';
import { findHtmlProblems } from '../support/check-html.ts';

type Raw = Record<string, unknown>;

/** A document of one operation with a body of a schema. */
function withSchema(schema: unknown, more: Raw = {}): Raw {
  return {
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: {
      '/a': {
        post: {
          operationId: 'a',
          requestBody: { content: { 'application/json': { schema } } },
          responses: {},
        },
      },
    },
    ...more,
  };
}

function render(raw: Raw, path: string, now = 0): string {
  const file = createReference(compile(raw)).render(path, { now });
  if (!file) throw new Error(`There is no ${path}.`);
  return file.text;
}

/** The text of a page as a reader sees it, on one line. */
function textOf(html: string): string {
  const [, main = ''] = html.split('<main');
  return `<main${main}`
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,)])/g, '$1');
}

const bodyOf = (schema: unknown, more?: Raw) =>
  textOf(render(withSchema(schema, more), 'operations/a.html'));

describe('a schema', () => {
  it.each([
    [
      { type: 'integer', format: 'int64', minimum: 1, maximum: 100, default: 20 },
      'integer (int64) at least 1, at most 100, default 20',
    ],
    [
      { type: ['string', 'null'], minLength: 1, maxLength: 5, pattern: '^a' },
      'string or null at least 1 character, at most 5 characters, matches ^a',
    ],
    [{ type: 'string', nullable: true }, 'string or null'],
    [{ const: 'x' }, 'value always x'],
    [{ type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 }, 'number above 0, a multiple of 0.5'],
    [
      { type: 'array', items: { type: 'string' }, uniqueItems: true, minItems: 1 },
      'array of string at least 1 item, no item twice',
    ],
    [{ type: 'object', additionalProperties: false }, 'object no other fields'],
    [{ enum: ['a', 'b'] }, 'value One of a b'],
    [{ type: 'string', examples: ['x y', '1'] }, 'string for example x y "1"'],
    [true, 'any value'],
    [{}, 'any value'],
  ])('%j is in words', (schema, words) => {
    expect(bodyOf(schema)).toContain(words);
  });

  it('folds a long enumeration', () => {
    const values = Array.from({ length: 45 }, (_, index) => `value-${index}`);
    const html = render(withSchema({ enum: values }), 'operations/a.html');
    expect(html).toContain('<summary>One of 45 values</summary>');
    expect(textOf(html)).toContain('value-44');
  });

  it('shows fields, and marks what is required, read-only, write-only or deprecated', () => {
    const text = bodyOf({
      required: ['a'],
      properties: {
        a: { type: 'string', readOnly: true },
        b: { type: 'string', writeOnly: true, deprecated: true },
      },
      additionalProperties: { type: 'integer' },
    });
    expect(text).toContain('a string required read-only');
    expect(text).toContain('b string write-only deprecated');
    expect(text).toContain('other fields integer');
  });

  it('puts the parts of allOf together', () => {
    const text = bodyOf(
      {
        allOf: [
          { $ref: '#/components/schemas/New' },
          { required: ['id'], properties: { id: { type: 'integer' } } },
        ],
      },
      { components: { schemas: { New: { properties: { name: { type: 'string' } } } } } },
    );
    expect(text).toContain('name string');
    expect(text).toContain('id integer required');
  });

  it('lists alternatives, with their titles', () => {
    const text = bodyOf({ oneOf: [{ title: 'Cat', type: 'string' }, { type: 'integer' }] });
    expect(text).toContain('One of 2 1. Cat string 2. integer');
    expect(bodyOf({ not: { type: 'string' } })).toContain('Not 1. string');
  });

  it('leads to its own page where it is recursive', () => {
    const Tree = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
    };
    const html = render(
      withSchema({ $ref: '#/components/schemas/Tree' }, { components: { schemas: { Tree } } }),
      'operations/a.html',
    );
    expect(textOf(html)).toContain('children array of Tree');
    expect(textOf(html)).toContain('Recursive: see Tree.');
    expect(html).toContain('<a href="../schemas/Tree.html">');
  });

  it('shows integers exactly', () => {
    expect(bodyOf({ maximum: 9223372036854775807n, default: -9223372036854775808n })).toContain(
      'at most 9223372036854775807, default -9223372036854775808',
    );
    const example = { id: 9223372036854775807n };
    expect(bodyOf({ type: 'object', example })).toContain('"id": 9223372036854775807');
  });

  it('stops before a page grows beyond what a browser shows', () => {
    const wide = (depth: number): Raw => ({
      properties: Object.fromEntries(
        Array.from({ length: 12 }, (_, index) => [
          `field${index}`,
          depth === 0 ? { type: 'string' } : wide(depth - 1),
        ]),
      ),
    });
    const html = render(withSchema(wide(3)), 'operations/a.html');
    expect(html.length).toBeLessThan(1_500_000);
    expect(textOf(html)).toContain('too much to show here: see the document');
  });
});

describe('an operation', () => {
  const markedUp = (marks: Raw): Raw => ({
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: { '/a': { get: { operationId: 'a', responses: {}, ...marks } } },
  });

  it('has a badge of its stability', () => {
    const html = render(markedUp({ 'x-stability': 'beta' }), 'operations/a.html');
    expect(html).toContain('<span class="badge is-undocumented"><bdi>beta</bdi></span>');
    expect(render(markedUp({}), 'operations/a.html')).not.toContain('is-undocumented');
  });

  it('has a place for the try-it panel unless the document hides it', () => {
    const shown = render(markedUp({ 'x-hideTryItPanel': false }), 'operations/a.html');
    expect(shown).toContain('<div data-try-it="a"></div>');
    const hidden = render(markedUp({ 'x-hideTryItPanel': true }), 'operations/a.html');
    expect(hidden).not.toContain('data-try-it');
  });

  it('says when it is removed, and after that date that it was', () => {
    const document = markedUp({ deprecated: true, 'x-deprecated-sunset': '2030-12-05' });
    const at = (date: string) => textOf(render(document, 'operations/a.html', Date.parse(date)));
    expect(at('2030-12-04T23:59:59Z')).toContain('Deprecated To be removed on 5 December 2030.');
    expect(at('2030-12-05T00:00:00Z')).toContain('Removed Removed on 5 December 2030.');
  });

  it('says what states each of its nodes, or why it was assumed', async () => {
    const reference = createReference(await compile(builtInDocument));
    const html = reference.render('operations/createPet.html', { now: 0 })?.text ?? '';
    expect(html).toMatch(/Stated in <a href="..\/index.html#4.2"/);
    expect(html).toContain('https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1');
    expect(textOf(html)).toContain('Assumed: No size limit is stated');
    expect(html).toMatch(/id="response-413" data-assumed>/);
    expect(html).not.toMatch(/id="response-201"[^>]* data-assumed>/);
  });

  it('shows each response with its headers', async () => {
    const reference = createReference(await compile(builtInDocument));
    const html = reference.render('operations/getPet.html', { now: 0 })?.text ?? '';
    expect(html.match(/X-RateLimit-Reset<\/bdi>/g)).toHaveLength(5);
    expect(textOf(html)).toContain('Retry-After');
    expect(textOf(html)).toContain('Sunset');
  });

  it('says nothing of sources where the document has none', () => {
    const html = render(markedUp({}), 'operations/a.html');
    expect(html).not.toContain('provenance');
    expect(html).not.toContain('highlight-assumed');
  });
});

const attacks = [
  '<script>alert(1)</script>',
  '</script><img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '[click](javascript:alert(1))',
  '[click](&#106;avascript:alert(1))',
  '![](https://example.com/x.png "<b>")',
  '[x]: javascript:alert(1)\n[x]',
  '```html\n</pre><script>\n```',
  '\x1b[31mred\x1b[0m \u202etxt.exe \ud800',
  '<a href="javascript:x">a</a><p style="position:fixed">',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
];

/** A document with a text in each place that a page shows. */
function filledWith(text: string): Raw {
  const schema = {
    type: text,
    format: text,
    title: text,
    description: text,
    pattern: text,
    default: text,
    enum: [text],
    examples: [text, { [text]: text }],
    'x-source': text,
    'x-assumed': text,
    required: [text],
    properties: { [text]: { const: text } },
    patternProperties: { [text]: true },
    dependentRequired: { [text]: [text] },
    oneOf: [{ title: text }, { $ref: '#/components/schemas/Named' }],
  };
  const content = {
    [text]: {
      schema,
      examples: { [text]: { summary: text, description: text, value: { [text]: text } } },
    },
  };
  const parameter = (place: string) => ({ name: text, in: place, description: text, schema });
  return {
    openapi: '3.1.0',
    info: {
      title: text,
      version: text,
      summary: text,
      description: text,
      contact: { name: text, url: text },
      license: { name: text, url: text },
      termsOfService: text,
    },
    servers: [{ url: '/', description: text, variables: { [text]: { default: text } } }],
    tags: [{ name: text, description: text }],
    externalDocs: { url: text, description: text },
    webhooks: {
      [text]: {
        post: { summary: text, description: text, requestBody: { content }, responses: {} },
      },
    },
    paths: {
      '/a': {
        post: {
          operationId: text,
          summary: text,
          description: text,
          tags: [text],
          'x-stability': text,
          'x-source': text,
          'x-assumed': text,
          externalDocs: { url: text },
          security: [{ scheme: [text] }],
          parameters: ['query', 'header', 'cookie', 'path'].map(parameter),
          requestBody: { description: text, content },
          responses: {
            200: {
              description: text,
              headers: { [text]: parameter('header') },
              content,
              links: { [text]: { description: text } },
            },
            400: { description: text },
          },
          callbacks: { [text]: { [text]: { post: { description: text, responses: {} } } } },
        },
      },
    },
    components: {
      schemas: { [text]: schema, Named: schema },
      securitySchemes: {
        scheme: {
          type: 'oauth2',
          description: text,
          flows: { [text]: { scopes: { [text]: text } } },
        },
      },
    },
    'x-silences': [{ id: text, source: text, question: text, twin: text, 'x-assumed': text }],
  };
}

/** Returns what is wrong with the pages of a document that holds a text everywhere. */
function problemsOf(text: string): string[] {
  const reference = createReference(compile(filledWith(text)));
  return reference.paths
    .filter((path) => path.endsWith('.html'))
    .flatMap((path) => {
      const html = reference.render(path, { now: 0 })?.text ?? '';
      return findHtmlProblems(html).map((problem) => `${path}: ${problem}`);
    });
}

describe('a hostile document', () => {
  it.each(attacks)('changes nothing of the pages: %j', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it('is found by the test where something of it is not escaped', () => {
    expect(findHtmlProblems('<body><p onclick="x"></p></body>')).toHaveLength(1);
    expect(findHtmlProblems('<body><a href="javascript:x"></a></body>')).toHaveLength(1);
    expect(findHtmlProblems('<body><script></script></body>')).toHaveLength(1);
    expect(findHtmlProblems('<body><p></body>')).not.toEqual([]);
    expect(findHtmlProblems('<body><p>a < b</p></body>')).toHaveLength(1);
  });

  it('may be long and deep', () => {
    let nested: Raw = { type: 'string' };
    for (let depth = 0; depth < 500; depth++)
      nested = depth % 2 === 0 ? { properties: { a: nested } } : { oneOf: [nested] };
    for (const description of ['a'.repeat(1_000_000), '*'.repeat(50_000)]) {
      const html = render(withSchema({ ...nested, description }), 'operations/a.html');
      expect(findHtmlProblems(html)).toEqual([]);
    }
  });

  it('may refer to itself in each way', () => {
    const A = { $ref: '#/components/schemas/B', allOf: [{ $ref: '#/components/schemas/B' }] };
    const B = {
      anyOf: [{ $ref: '#/components/schemas/A' }],
      items: { $ref: '#/components/schemas/B' },
    };
    const raw = withSchema(
      { $ref: '#/components/schemas/A' },
      { components: { schemas: { A, B } } },
    );
    for (const path of ['operations/a.html', 'schemas/A.html', 'schemas/B.html'])
      expect(findHtmlProblems(render(raw, path))).toEqual([]);
  });

  it('may contain itself, and is no file then', () => {
    const own: Raw = { a: 'b' };
    own.own = [own];
    const schema = { default: own, const: own, enum: [own], example: own, properties: { a: own } };
    const raw = withSchema(schema, { 'x-own': own, components: { schemas: { A: schema } } });
    const { paths, render } = createReference(compile(raw));
    expect(paths.filter((path) => path.startsWith('openapi'))).toEqual([]);
    for (const path of ['openapi.json', 'openapi.yaml'])
      expect(render(path, { now: 0 })).toBeUndefined();
    for (const path of paths.filter((name) => name.endsWith('.html'))) {
      const html = render(path, { now: 0 })?.text ?? '';
      expect(findHtmlProblems(html)).toEqual([]);
      expect(html).not.toContain('openapi.yaml');
    }
  });
});

it('shows the id of an operation once, and the flows of OAuth one below the other', () => {
  const flow = (name: string) => ({ tokenUrl: '/t', scopes: { [name]: 'Some.', more: 'More.' } });
  const flows = { clientCredentials: flow('read'), password: flow('write') };
  const raw = withSchema(
    {},
    { components: { securitySchemes: { login: { type: 'oauth2', flows } } } },
  );
  const page = render(raw, 'operations/a.html');
  expect(page.match(/<bdi>a<\/bdi><\/h1>/g)).toHaveLength(1);
  expect(page).not.toContain('class="badges"');
  const index = render(raw, 'index.html');
  expect(textOf(index)).toContain(
    'OAuth 2 clientCredentials 2 scopes read Some. more More. password',
  );
  expect(index).not.toContain('</details>; ');
  expect(findHtmlProblems(index)).toEqual([]);
});
