import { expect, it } from 'vitest';
import { compilerOf } from '../../../mock/json/validator.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const sent = '{ title!, icon: { name }, rank }';
const page = 'slug!: Slug, title!, icon!: {| name!, kind!: "emoji" | "icon" |}, views!: int';
const [listed, whole, created] = [
  `{| ${page} |}`,
  `{| ${page}, rank!: "first" | "second" |}`,
  `{| ${page}, rank!: Rank |}`,
];
const schemas = {
  Slug: { allOf: [{ type: 'string' }, { minLength: 1 }] },
  Rank: { type: 'string', maxLength: 5 },
};

/** Pages of which the list shows less, and answers ask for more, than bodies say. */
const pages = documentOf(
  `
  GET /pages -> [${listed}]
  POST /pages ${sent} -> 201 ${created}
  GET /pages/{slug:text} -> ${whole}
  PUT /pages/{slug:text} ${sent} -> ${whole}
  `,
  schemas,
);
Object.assign(pages.paths['/pages/{slug}']?.parameters[0], { schema: schemas.Slug });

async function serve() {
  const { send, document, lines } = await serveDocument(pages, { pets: 9 });
  const problemsOf = (schema: string, value: unknown) =>
    compilerOf(document)(schemaOf(schema))(value);
  const call = async (path: string, method = 'GET', body?: object) =>
    (await send(method, path, body)).json;
  return { call, problemsOf, lines };
}

it('begins with items that are valid in the list and by themselves', async () => {
  const { call, problemsOf, lines } = await serve();
  const list: { slug: string }[] = await call('/pages');
  expect(list).toHaveLength(9);
  expect(problemsOf(`[${listed}]`, list)).toBeUndefined();
  for (const { slug } of list)
    expect(problemsOf(whole, await call(`/pages/${slug}`)), slug).toBeUndefined();
  expect(lines.join()).not.toContain('do not match');
});

it.each([
  ['POST', '/pages', created],
  ['PUT', '/pages/page-1', whole],
])('stores what answers ask for besides what a %s says', async (method, path, schema) => {
  const { call, problemsOf } = await serve();
  const item = await call(path, method, { title: 'Sea', icon: { name: 'wave' }, rank: 'first' });
  expect(problemsOf(schema, item)).toBeUndefined();
  expect(item).toMatchObject({ title: 'Sea', icon: { name: 'wave' }, rank: 'first' });
  expect(await call(`/pages/${item.slug}`)).toEqual(item);
  const other = await call(path, method, { title: 'Sea', rank: 'last' });
  expect(['first', 'second']).toContain(other.rank);
});
