import { html } from '../look/markup.ts';
import { quoted } from '../look/parts.ts';
import { assumedMark } from './provenance.ts';
import { toShape } from './schema-shape.ts';
import { schemaTree } from './schema-tree.ts';
import type { PageContent, View } from './site.ts';

/** The page of a schema below `components`. */
export function toSchemaPage(view: View, name: string): PageContent {
  const { raw } = view.site.document;
  const schema = raw.components.schemas[name];
  const body = html`
<header class="title"><p class="over quiet">Schema</p><h1>${quoted(name)}</h1></header>
<div class="card"${assumedMark(view, ...toShape(raw, schema).own)}>${schemaTree(view, schema)}</div>`;
  return { title: name, body };
}
