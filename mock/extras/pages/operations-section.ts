import type { Operation } from '../../../contracts/description/document.ts';
import { html, type Markup, preformatted } from '../../../contracts/look/markup.ts';
import { code, number, quoted, section } from '../../../contracts/look/parts.ts';
import { toPagePaths } from '../../../contracts/reference/page-paths.ts';
import { markers, methodBadge } from '../../../contracts/reference/parts.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { type OperationViewOptions, toOperationView } from './operation-view.ts';
import { isWord, noSamples, toSamples } from './samples.ts';

type Visit = OperationViewOptions & { sandbox: Sandbox; root: string };

/** With more operations than this, each is loaded when it is opened, and a search finds them. */
const maxLoaded = 12;

/** With more operations than this, all are closed at first. */
const maxOpen = 5;

/** How each operation is called, with lines that succeed as they stand. */
export async function operationsSection(visit: Visit): Promise<Markup> {
  const { operations } = visit.served.document;
  const paths = toPagePaths(visit.served.document).operations;
  const isLong = operations.length > maxLoaded;
  const cards: Markup[] = [];
  for (const operation of operations)
    cards.push(
      operationCard(operation, {
        isOpen: operations.length <= maxOpen,
        now: visit.sandbox.clock.now(),
        reference: `__docs/${paths.get(operation.id)}`,
        lines: isLong
          ? html`<p class="none" role="status" data-load></p>`
          : await samples(visit, operation),
      }),
    );
  const search = html`
<form class="field search" role="search" data-search hidden><label for="words">Search ${number(operations.length)} operations</label><input id="words" type="search" autocomplete="off" spellcheck="false"><output for="words"></output></form>`;
  return section(
    'operations',
    'Operations',
    'Ready to paste into a shell, a script or the console of a browser.',
    html`${isLong && search}<div class="operations">${cards}</div>`,
  );
}

type CardOptions = { isOpen: boolean; now: number; reference: string; lines: Markup };

function operationCard(
  operation: Operation,
  { isOpen, now, reference, lines }: CardOptions,
): Markup {
  const { id, method, path, hidesTryIt } = operation;
  return html`
<details class="card operation"${isOpen && html` open`} data-operation="${id}">
<summary>${methodBadge(method)} <h3>${code(path)}</h3> <span class="quiet">${quoted(id)}</span> ${markers(operation, now)}</summary>
${lines}
<p class="more"><a href="${reference}">${hidesTryIt ? 'Reference' : 'Reference, and try it'}<span class="heard"> of ${id}</span></a></p>
</details>`;
}

async function samples(visit: Visit, operation: Operation): Promise<Markup> {
  const { root, served } = visit;
  const base = root + served.document.basePath;
  const found = toSamples(await toOperationView(operation, { ...visit, base }), base);
  if (found.length === 0) return html`<p class="none">${noSamples}</p>`;
  const shown = found.map(
    ({ name, label, about, parts }) => html`
<div class="sample"><p class="text-title" data-copies>${name}</p><pre tabindex="0" role="group" aria-label="${label}" data-copy="${about}">${parts.map((part) => (isWord(part) ? html`<span class="word">${preformatted(part)}</span>` : preformatted(part)))}</pre></div>`,
  );
  return html`<div class="samples">${shown}</div>`;
}
