import type { JsonObject } from '../common/json.ts';
import { html, type Markup } from '../common/look/markup.ts';
import { code } from '../common/look/parts.ts';
import { exampleViews } from './examples.ts';
import { assumedMark, provenance } from './provenance.ts';
import { objectOf } from './schema-shape.ts';
import { schemaTree } from './schema-tree.ts';
import type { View } from './site.ts';

/** Returns each media type of a body with its schema and its examples. */
export function mediaContents(view: View, content: unknown): Markup[] {
  return Object.entries<JsonObject>(objectOf(content)).map(
    ([mediaType, node]) => html`
<div class="media"${assumedMark(view, node)}>
<p class="label">${code(mediaType)}</p>
${provenance(view, node)}
${node.schema !== undefined && schemaTree(view, node.schema)}
${exampleViews(view, node)}
</div>`,
  );
}
