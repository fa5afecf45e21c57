import type { JsonObject } from '../common/json.ts';
import { html, type Markup } from '../common/look/markup.ts';
import { quoted } from '../common/look/parts.ts';
import type { Operation } from '../openapi/index.ts';
import { toPlainText } from './json-view.ts';
import { linkTo } from './markdown.ts';
import { objectOf } from './schema-shape.ts';

const tones: Record<string, string> = {
  GET: 'difference',
  POST: 'kept',
  PUT: 'standard',
  PATCH: 'undocumented',
  DELETE: 'drift',
};

/** The method of an operation as a badge. */
export function methodBadge(method: string): Markup {
  return html`<span class="badge method is-${tones[method] ?? 'vacuous'}">${method}</span>`;
}

/** Returns the badges of an operation; `now` decides whether the operation is already removed. */
export function markers({ deprecated, stability, sunset }: Operation, now: number): Markup[] {
  const isRemoved = sunset !== undefined && sunset <= now;
  return [
    ...(isRemoved ? [html`<span class="badge is-drift">Removed</span>`] : []),
    ...(deprecated && !isRemoved ? [html`<span class="badge is-standard">Deprecated</span>`] : []),
    ...(stability === undefined
      ? []
      : [html`<span class="badge is-undocumented">${quoted(stability)}</span>`]),
  ];
}

/** When a deprecated operation is or was removed, in a sentence; nothing where no date is given. */
export function removal({ sunset }: Operation, now: number): string | undefined {
  if (sunset === undefined) return undefined;
  const date = new Date(sunset).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return now < sunset ? `To be removed on ${date}.` : `Removed on ${date}.`;
}

/** Returns a link to external documentation of a node, if the document has one. */
export function externalDocs({ externalDocs: node }: JsonObject): Markup | false {
  const { url, description } = objectOf(node);
  return (
    typeof url === 'string' &&
    html`<p class="quiet">See ${linkTo(url, quoted(toPlainText(description ?? url)))}.</p>`
  );
}
