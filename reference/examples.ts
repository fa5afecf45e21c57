import type { JsonObject } from '../common/json.ts';
import { html, type Markup } from '../common/look/markup.ts';
import { code, quoted } from '../common/look/parts.ts';
import { jsonView } from './json-view.ts';
import { markdown } from './markdown.ts';
import { objectOf } from './schema-shape.ts';
import { isShort, shownValue } from './schema-words.ts';
import type { View } from './site.ts';

/** The short examples of a parameter or a header, a phrase each. */
export function examplePhrases(view: View, node: JsonObject): Markup[] {
  return examplesOf(view, node)
    .filter(({ value, href }) => href === undefined && isShort(value))
    .map(({ name, value }) =>
      name === undefined || name === value
        ? html`for example ${shownValue(value)}`
        : html`for example ${shownValue(value)} <span class="quiet">(${quoted(name)})</span>`,
    );
}

/** The examples of a body; the first is open. */
export function exampleViews(view: View, node: JsonObject): Markup[] {
  return examplesOf(view, node).map(
    ({ name, summary, description, value, href }, index) => html`
<details class="example"${index === 0 && html` open`}><summary>Example${name !== undefined && html` ${code(name)}`}${typeof summary === 'string' && html` <span class="quiet">${quoted(summary)}</span>`}</summary>
${markdown(description)}
${href === undefined ? html`<pre tabindex="0" role="group" aria-label="Example${name !== undefined && ` ${name}`}" data-copy="the example${name !== undefined && ` ${name}`}">${jsonView(value)}</pre>` : html`<p>It is at ${quoted(href)}.</p>`}
</details>`,
  );
}

type Example = {
  name?: string;
  summary?: unknown;
  description?: unknown;
  value?: unknown;
  href?: string;
};

function examplesOf({ site }: View, node: JsonObject): Example[] {
  const named = Object.entries(objectOf(node.examples)).map(([name, example]): Example => {
    const { summary, description, value, externalValue } = objectOf(
      site.document.schemas.resolve(example as JsonObject),
    );
    const href = typeof externalValue === 'string' && { href: externalValue };
    return { name, summary, description, value, ...href };
  });
  return node.example === undefined ? named : [{ value: node.example }, ...named];
}
