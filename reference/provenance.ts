import type { JsonObject } from '../common/json.ts';
import { html, type Markup } from '../common/look/markup.ts';
import { sourceLinks as linkSources } from '../common/look/source-links.ts';
import { toPlainText } from './json-view.ts';
import type { View } from './site.ts';

/** The origin of a node: the sections and RFCs that state it, and why it was assumed. */
type Origin = { sources: readonly string[]; reasons: readonly string[] };

/**
 * Marks what nobody states, for the switch that highlights it. Several nodes are one for a reader,
 * such as a header and its schema.
 */
export function assumedMark({ site }: View, ...nodes: readonly JsonObject[]): Markup | false {
  if (!site.hasProvenance) return false;
  const { sources, reasons } = originOf(nodes);
  return sources.length === 0 && reasons.length > 0 && html` data-assumed`;
}

/** Returns the origin of nodes, stated or assumed; nothing if the document gives neither. */
export function provenance(view: View, ...nodes: readonly JsonObject[]): Markup | false {
  if (!view.site.hasProvenance) return false;
  const { sources, reasons } = originOf(nodes);
  if (sources.length + reasons.length === 0) return false;
  const isStated = sources.length > 0;
  return html`<p class="provenance">${
    isStated &&
    html`<span class="stated">Stated in ${sourceLinks(view, sources.join(', '))}.</span> `
  }${reasons.map(
    (reason) =>
      html`<span class="assumed"${isStated && html` data-assumed`}>Assumed: <bdi>${reason}</bdi></span> `,
  )}</p>`;
}

function originOf(nodes: readonly JsonObject[]): Origin {
  const textsOf = (name: string) =>
    nodes.flatMap((node) => (node[name] === undefined ? [] : [toPlainText(node[name])]));
  const sources = textsOf('x-source').flatMap((source) => source.split(', '));
  return { sources: [...new Set(sources)], reasons: [...new Set(textsOf('x-assumed'))] };
}

/** A source such as `§4.1, RFC 9110 §10.2.3`, each part linked to what it names. */
export function sourceLinks({ site, root }: View, source: string): Markup[] {
  const { sections } = site.document;
  return linkSources(source, (section) =>
    sections.some(({ id }) => id === section) ? `${root}index.html#${section}` : undefined,
  );
}
