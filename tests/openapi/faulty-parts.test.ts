import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseText } from '../../common/parse-text.ts';
import { compile } from '../../openapi/index.ts';
import { jsonOf, serveDocument, toDocument } from '../support/serve-document.ts';
import { projectFile } from '../support/twin.ts';
import { writeText } from '../support/write-json.ts';

const ok = { 200: { description: 'Fine.' } };
const components = { schemas: { Pet: { type: 'object' } } };

/** The paths of a document that has a part of a kind. */
const toPaths = {
  schema: (part: object) => ({ '/a': { get: { responses: { 200: jsonOf(part) } } } }),
  parameter: (part: object) => ({ '/a': { get: { parameters: [part], responses: ok } } }),
  operation: (part: object) => ({ '/a': { get: { responses: ok, ...part } } }),
  content: (content: object) => ({ '/a': { get: { responses: { 200: { content } } } } }),
  paths: (part: object) => part,
};

/** Lists parts by their kinds and by the problems that the reader reports of them. */
type Rows = Record<keyof typeof toPaths | 'document', Record<string, Record<string, object>>>;

const rows: Rows = parseText(
  readFileSync(projectFile('tests/support/faulty-parts.yaml'), 'utf8'),
) as never;

const documents = Object.entries(rows).flatMap(([kind, ofKind]) =>
  Object.entries(ofKind).flatMap(([problems, parts]) =>
    Object.entries(parts).map(([name, part]) => {
      const own = kind === 'document' ? part : { paths: toPaths[kind as 'paths'](part) };
      const version = 'swagger' in part ? {} : { openapi: '3.1.0' };
      const document = { ...version, info: { title: 'Other', version: '2' }, components, ...own };
      return { document, name, problems: problems.split(' + ') };
    }),
  ),
);

/** Points to the schema of a document of one. */
const inSchema = '#/paths/~1a/get/responses/200/content/application~1json/schema';

it.each(documents)('says what becomes of $name', ({ document, problems }) => {
  const { warnings } = compile(document).written;
  const found = warnings.map(({ pointer, problem }, index) =>
    problems[index]?.startsWith('#') ? `${pointer.replace(inSchema, '#')}: ${problem}` : problem,
  );
  expect(found).toEqual(problems);
  expect(() => compile(document, { file: 'a.yaml', isStrict: true })).toThrow(
    `a.yaml cannot be used under --strict-spec: ${warnings[0]?.pointer}: ${warnings[0]?.problem}.`,
  );
});

it('serves all that is faulty without a failure', async () => {
  const kinds = ['schema', 'parameter', 'operation', 'content'] as const;
  const items = kinds.flatMap((kind) =>
    Object.values(rows[kind]).flatMap((parts) =>
      Object.values(parts).map((part) => Object.values(toPaths[kind](part))[0]),
    ),
  );
  const paths = Object.fromEntries(items.map((item, index) => [`/${index}`, item]));
  const { call } = await serveDocument(toDocument(paths, { components }));
  for (const path of Object.keys(paths)) {
    const { status, json } = await call(path);
    // A document may describe no response.
    const isFailure = status >= 500 && json.code !== 'no_response_described';
    expect({ path, isFailure }).toEqual({ path, isFailure: false });
  }
});

it.each([
  ['{type: object, properties: {a: {type: int, required: true}}}', '{"a":1}', '{"a":"x"}'],
  ['{type: object, properties: {a: {required: true}}}', '{"a":1}', '{}'],
  ['{Type: object, properties: {a: {type: date}}}', '{"a":"2030-01-01"}', '{"a":1}'],
  ['{$ref: "#/definitions/pet"}', '{"name":"Rex"}', '{}'],
])('checks bodies by what %s is read as', async (text, right, wrong) => {
  const requestBody = jsonOf(parseText(text) as object);
  const { call } = await serveDocument(
    toDocument(
      { '/a': { post: { requestBody, responses: ok } } },
      { components: { schemas: { Pet: { type: 'object', required: ['name'] } } } },
    ),
  );
  const headers = { 'Content-Type': 'application/json' };
  const statusOf = async (body: string) =>
    (await call('/a', { method: 'POST', headers, body })).status;
  expect([await statusOf(right), await statusOf(wrong)]).toEqual([200, 400]);
});

it('reads YAML that is indented with tabs', async () => {
  const file = await writeText(
    'openapi: 3.1.0\ninfo:\n\ttitle: T\n\tversion: "1"\npaths:\n\t/a:\n\t\tget:\n\t\t\tresponses: {200: {}}\n',
    'tabs.yaml',
  );
  const { call, document } = await serveDocument(file);
  expect(await call('/a')).toMatchObject({ status: 200 });
  expect(document.written.warnings).toEqual([
    {
      pointer: '#',
      problem: 'YAML is indented with spaces; each tab there is read as two of them',
    },
  ]);
});
