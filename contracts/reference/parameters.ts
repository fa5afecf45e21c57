import { type RawDocument, resolve } from '../description/schema.ts';
import { html, type Markup } from '../look/markup.ts';
import { code, section } from '../look/parts.ts';
import { toPlainText } from './json-view.ts';
import { listOf } from './schema-shape.ts';
import { schemaRow } from './schema-tree.ts';
import type { View } from './site.ts';

const places: Readonly<Record<string, string>> = {
  path: 'In the path',
  query: 'In the query',
  header: 'In headers',
  cookie: 'In cookies',
};

/** The parameters of an operation, those of its path too, by their places. */
export function parametersSection(
  view: View,
  item: RawDocument,
  node: RawDocument,
): Markup | false {
  const { raw } = view.site.document;
  const own = listOf(node.parameters).map((one) => resolve(raw, one as RawDocument));
  const shared = listOf(item.parameters)
    .map((one) => resolve(raw, one as RawDocument))
    .filter((one) => !own.some(({ name, in: place }) => name === one.name && place === one.in));
  const all = [...own, ...shared];
  const lists = Object.entries(places).map(([place, title]) => {
    const rows = all.filter((one) => one.in === place);
    return (
      rows.length > 0 &&
      html`<h3>${title}</h3><ul class="card nodes">${rows.map((one) => schemaRow(view, code(toPlainText(one.name)), one))}</ul>`
    );
  });
  return (
    all.length > 0 &&
    section('parameters', 'Parameters', '', html`<div class="stack">${lists}</div>`)
  );
}
