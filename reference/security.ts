import type { JsonObject } from '../common/json.ts';
import { html, type Markup } from '../common/look/markup.ts';
import { code, quoted, section } from '../common/look/parts.ts';
import { toPlainText } from './json-view.ts';
import { markdown } from './markdown.ts';
import { assumedMark, provenance } from './provenance.ts';
import { listOf, objectOf } from './schema-shape.ts';
import type { View } from './site.ts';

/** Returns the credentials that an operation requires, in a line. */
export function securityLine({ site, root }: View, node: JsonObject): Markup | false {
  const { asOpenApi } = site.document;
  const asked = listOf(node.security ?? asOpenApi().security);
  if (asked.length === 0) return false;
  const ways = asked.map((way) => {
    const schemes = Object.entries(objectOf(way));
    return schemes.length === 0
      ? html`nothing`
      : html`${schemes.map(([name, scopes], index) => html`${index > 0 && ' and '}<a href="${root}index.html#security">${quoted(name)}</a>${scopesOf(scopes)}`)}`;
  });
  return html`<p class="security"><span class="label">Needs</span> ${ways.map((way, index) => html`${index > 0 && ', or '}${way}`)}</p>`;
}

function scopesOf(scopes: unknown): Markup | false {
  const names = listOf(scopes);
  return names.length > 0 && html` (${names.map((scope) => html`${code(toPlainText(scope))} `)})`;
}

/** The ways in which a caller says who it is. */
export function securityPart(view: View): Markup | false {
  const { schemas, asOpenApi } = view.site.document;
  const schemes = Object.entries<JsonObject>(objectOf(asOpenApi().components?.securitySchemes)).map(
    ([name, scheme]) => {
      const node = schemas.resolve(scheme);
      return html`<li class="card"${assumedMark(view, node)}><h3>${quoted(name)}</h3>${describeScheme(node)}${markdown(node.description)}${provenance(view, node)}</li>`;
    },
  );
  return (
    schemes.length > 0 &&
    section('security', 'Security', '', html`<ul class="stack">${schemes}</ul>`)
  );
}

function describeScheme(node: JsonObject): Markup {
  return node.type === 'oauth2' ? flowList(node) : html`<p>${schemeWords(node)}</p>`;
}

function schemeWords({ type, scheme, in: place, name, openIdConnectUrl }: JsonObject) {
  if (type === 'http')
    return html`HTTP ${quoted(toPlainText(scheme))}, sent as ${code(`Authorization: ${toScheme(toPlainText(scheme))} ...`)}`;
  if (type === 'apiKey')
    return html`A key in the ${quoted(toPlainText(place))} ${code(toPlainText(name))}`;
  if (type === 'openIdConnect')
    return html`OpenID Connect, ${quoted(toPlainText(openIdConnectUrl))}`;
  return html`${quoted(toPlainText(type))}`;
}

/** The flows of OAuth 2, each with its scopes. */
function flowList({ flows }: JsonObject): Markup {
  const items = Object.entries(objectOf(flows)).map(([flow, node]) => {
    const scopes = Object.entries(objectOf(objectOf(node).scopes));
    const count = scopes.length === 1 ? '1 scope' : `${scopes.length} scopes`;
    return html`<li>${quoted(flow)}${scopes.length > 0 && html`<details><summary>${count}</summary><ul>${scopes.map(([scope, about]) => html`<li>${code(scope)} ${quoted(toPlainText(about))}</li>`)}</ul></details>`}</li>`;
  });
  return html`<p>OAuth 2</p><ul>${items}</ul>`;
}

function toScheme(scheme: string): string {
  return `${scheme.slice(0, 1).toUpperCase()}${scheme.slice(1)}`;
}
