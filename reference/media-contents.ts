import { isObject, type JsonObject } from '../common/json.ts';
import { html, type Markup } from '../common/look/markup.ts';
import { code, quoted } from '../common/look/parts.ts';
import { exampleViews } from './examples.ts';
import { markdown } from './markdown.ts';
import { methodBadge } from './parts.ts';
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

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** Calls that the service makes itself, of a webhook or a callback: a card for each method. */
export function serviceCalls(
  view: View,
  item: JsonObject,
  { name, address }: { name: string; address?: string },
): Markup[] {
  const { schemas } = view.site.document;
  return Object.entries<JsonObject>(objectOf(schemas.resolve(item)))
    .filter(([method, node]) => methods.has(method) && isObject(node))
    .map(([method, node]) => {
      const request = objectOf(node.requestBody && schemas.resolve(node.requestBody));
      return html`<div class="card"><h3>${quoted(name)}</h3><p class="call">${methodBadge(method.toUpperCase())}${address !== undefined && html` ${code(address)}`}</p>${node.deprecated === true && html`<p class="badges"><span class="badge is-standard">Deprecated</span></p>`}${markdown(node.description ?? node.summary)}${mediaContents(view, request.content)}</div>`;
    });
}
