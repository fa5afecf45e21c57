import type { RawDocument } from '../description/schema.ts';
import { html, type Markup } from '../look/markup.ts';
import { jsonView } from './json-view.ts';
import type { View } from './site.ts';

/** A schema as a tree that opens. */
export function schemaTree(_view: View, schema: RawDocument): Markup {
  return html`<pre>${jsonView(schema)}</pre>`;
}
