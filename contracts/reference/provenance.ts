import type { RawDocument } from '../description/schema.ts';
import { html, type Markup } from '../look/markup.ts';
import type { View } from './site.ts';

/** Marks what nobody states, for the switch that highlights it. */
export function assumedMark({ site }: View, node: RawDocument): Markup | false {
  const isAssumed = node['x-assumed'] !== undefined && node['x-source'] === undefined;
  return site.hasProvenance && isAssumed && html` data-assumed`;
}

/** What states a node, or why it was assumed; nothing where the document says neither. */
export function provenance(view: View, node: RawDocument): Markup | false {
  if (!view.site.hasProvenance) return false;
  const { 'x-source': source, 'x-assumed': assumed } = node;
  return (
    (source !== undefined || assumed !== undefined) &&
    html`<p class="provenance">${
      source !== undefined &&
      html`<span class="stated">Stated in ${sourceLinks(view, String(source))}.</span>`
    } ${
      assumed !== undefined &&
      html`<span class="assumed"${source !== undefined && html` data-assumed`}>Assumed: <bdi>${String(assumed)}</bdi></span>`
    }</p>`
  );
}

/** A source such as `§4.1, RFC 9110 §10.2.3`, each part linked to what it names. */
export function sourceLinks(view: View, source: string): Markup[] {
  return source
    .split(/(?<=,)\s*/)
    .map(
      (part, index) =>
        html`${index > 0 && ' '}${sourceLink(view, part.replace(/,$/, ''))}${part.endsWith(',') && ','}`,
    );
}

function sourceLink({ root }: View, source: string): Markup {
  const [, rfc, section] = /^RFC (\d+)(?: §([\d.]+))?$/.exec(source) ?? [];
  if (rfc !== undefined)
    return html`<a href="https://www.rfc-editor.org/rfc/rfc${rfc}${section !== undefined && `#section-${section}`}" rel="noreferrer">${source}</a>`;
  const [, clause] = /^§(\d[\d.]*)$/.exec(source) ?? [];
  return clause === undefined
    ? html`<bdi>${source}</bdi>`
    : html`<a href="${root}index.html#${clause}">${source}</a>`;
}
