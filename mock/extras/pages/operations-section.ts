import type { ApiDocument, Operation } from '../../../contracts/description/document.ts';
import { html, type Markup } from '../../../contracts/look/markup.ts';
import { code, number, quoted, section } from '../../../contracts/look/parts.ts';
import { toPagePaths } from '../../../contracts/reference/page-paths.ts';
import { markers, methodBadge } from '../../../contracts/reference/parts.ts';

/** With more operations than this, all are closed at first, and a search finds them. */
const maxOpen = 5;

/** How each operation is called; the page loads the lines of one that is opened. */
export function operationsSection(document: ApiDocument, now: number): Markup {
  const { operations } = document;
  const isLong = operations.length > maxOpen;
  const paths = toPagePaths(document).operations;
  const cards = operations.map((operation) =>
    operationCard(operation, {
      isOpen: !isLong,
      now,
      reference: `__docs/${paths.get(operation.id)}`,
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

type CardOptions = { isOpen: boolean; now: number; reference: string };

function operationCard(operation: Operation, { isOpen, now, reference }: CardOptions): Markup {
  const { id, method, path, hidesTryIt } = operation;
  return html`
<details class="card operation"${isOpen && html` open`} data-operation="${id}">
<summary>${methodBadge(method)} <h3>${code(path)}</h3> <span class="quiet">${quoted(id)}</span> ${markers(operation, now)}</summary>
<div class="none" data-load>Its lines are shown where scripts run.</div>
<p class="more"><a href="${reference}">${hidesTryIt ? 'Reference' : 'Reference, and try it'}<span class="heard"> of ${id}</span></a></p>
</details>`;
}
