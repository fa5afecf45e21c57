import { basename } from 'node:path';
import type { Request } from 'express';
import {
  type ApiDocument,
  builtInDocument,
  type Operation,
} from '../../../contracts/description/document.ts';
import { describePinned } from '../../../contracts/description/pinned.ts';
import { html, type Markup } from '../../../contracts/look/markup.ts';
import { code, number, quoted, section } from '../../../contracts/look/parts.ts';
import { toPagePaths } from '../../../contracts/reference/page-paths.ts';
import { markers, methodBadge } from '../../../contracts/reference/parts.ts';
import type { TextAnswer } from '../../answers/answer.ts';
import type { Locals } from '../../http/locals.ts';
import { type Access, describeAccess, describeTokens } from '../schemes/describe-access.ts';
import { modulePath } from './assets.ts';
import { type KeyView, type OperationViewOptions, toKeyViews } from './operation-view.ts';
import { toPage } from './page.ts';

export type StartPageOptions = OperationViewOptions & {
  /** The version of the twin. */
  version: string;
  adminToken?: string;
};

type Visit = StartPageOptions &
  Pick<Locals, 'sandbox' | 'sandboxName'> & {
    /** Where the page is, without the slash at its end. */
    root: string;
  };

/** The page at `/`: what is served where, with which keys, and how it is called. */
export async function toStartPage(
  request: Request,
  { prefix, ...options }: StartPageOptions & Pick<Locals, 'sandbox' | 'sandboxName' | 'prefix'>,
): Promise<TextAnswer> {
  const visit = { ...options, root: toRoot(request, prefix) };
  const { served, version, sandbox } = visit;
  const { document } = served;
  const body = html`
<a class="skip" href="#content">Skip to the content</a>
${await masthead(visit)}
${links(visit)}
<main class="wrap" id="content" tabindex="-1">
${keysSection(visit)}
${operationsSection(document, sandbox.clock.now())}
</main>
<footer><div class="wrap"><p>petstore-twin ${version}. Its documentation is in the folder <code>docs</code> of the package.</p></div></footer>`;
  const place = sandbox.name === 'default' ? '' : `, ${sandbox.name}`;
  return toPage({
    title: `${document.title} ${document.version}${place}: petstore-twin`,
    root: '',
    styles: ['mock/extras/pages/browser/start.css'],
    modules: [modulePath('mock/extras/pages/browser/start')],
    body,
  });
}

/** The URL that a request was for, without its path; with the sandbox that it names. */
export function toRoot(request: Request, prefix: string): string {
  return `${request.protocol}://${request.get('host')}${prefix}`;
}

async function masthead(visit: Visit): Promise<Markup> {
  const { root, sandbox, sandboxName, served } = visit;
  const { document } = served;
  const { seed, rateLimits } = sandbox.settings;
  const isNew = sandboxName !== undefined && sandboxName !== sandbox.name;
  return html`
<header class="masthead is-kept"><div class="wrap">
<p class="over">petstore-twin ${visit.version} is running</p>
<h1>${quoted(document.title)} <span class="version">${quoted(document.version)}</span></h1>
<p class="base"><span class="label">Base URL</span> <code data-copy="the base URL" data-base="${document.basePath}">${root}${document.basePath}</code></p>
<dl class="facts">
<div><dt>Document</dt><dd>${code(basename(document.file))}${document.file === builtInDocument && ', built in'}${toOverlays(document)}</dd></div>
<div><dt>Data</dt><dd>${await dataOf(visit)}</dd></div>
<div><dt>Seed</dt><dd>${code(String(seed))}</dd></div>
<div><dt>Rate limits</dt><dd>${isUnlimited(visit) ? 'none: the document describes none' : limitsIn[rateLimits]}</dd></div>
${document.pinned && html`<div><dt>Pinned</dt><dd><a href="__docs/silences.html">${describePinned(document)}</a></dd></div>`}
<div><dt>Sandbox</dt><dd>${code(sandboxName ?? sandbox.name)}${isNew && ', made by its first request'}</dd></div>
</dl>
</div></header>`;
}

/** What each mode does. */
const limitsIn = {
  enforce: 'enforced',
  observe: 'observed: counted, nothing is refused',
  off: 'off: nothing is counted or refused',
};

/** Whether nothing limits calls: the document describes no limits, and nobody sets any. */
function isUnlimited({ served, sandbox }: Visit): boolean {
  return served.limits === 'none' && sandbox.settings.rateLimits === 'off';
}

/** Whether all keys have the one limit that the document describes, for a minute. */
function isSameForAll({ served }: Visit): boolean {
  return served.limits === 'documented' && served.document.limits?.perMinute !== undefined;
}

async function dataOf({ served: { document }, sandbox }: Visit): Promise<string> {
  const counts = document.resources.map(
    async ({ name }) => `${number(await sandbox.store.count(name))} ${name}`,
  );
  const shown = (await Promise.all(counts.slice(0, maxCollections))).join(', ');
  const more = counts.length - maxCollections;
  if (counts.length === 0) return 'none is stored';
  return more > 0 ? `${shown} and ${number(more)} more collections` : shown;
}

/** So many collections are listed. */
const maxCollections = 4;

function links({ loopback, adminToken }: Visit): Markup {
  const admin =
    adminToken !== undefined ? 'asks for the token' : loopback ? undefined : 'off beyond loopback';
  const all = [
    { title: 'Console', href: '__admin/console', note: admin },
    { title: 'Reference', href: '__docs/' },
    { title: 'Admin API', href: '__admin/openapi.json', note: admin },
    { title: 'OpenAPI document', href: '__docs/openapi.yaml' },
  ];
  return html`<nav aria-label="Pages"><ul class="wrap">${all.map(({ title, href, note }) => html`<li><a href="${href}">${title}${note !== undefined && html` <span class="count">${note}</span>`}</a></li>`)}</ul></nav>`;
}

function keysSection(visit: Visit): Markup {
  const { served, demoKeys } = visit;
  const access = describeAccess(served.document);
  if (!access.asksForKeys)
    return section('keys', 'Keys', 'No operation requires credentials.', accessList(access, visit));
  const keys = toKeyViews(visit.sandbox, visit);
  const isBearer = access.schemes.length === 0;
  const note = demoKeys
    ? `Send one ${isBearer ? 'as a bearer token' : 'as listed below'}. They are public demo keys.`
    : `The keys are those of your file, so ${keys.length > 0 ? 'they' : 'they and their names'} are not shown. The curl lines below read one from the variable KEY of the shell; write yours for YOUR_KEY in the scripts.`;
  if (keys.length === 0) return section('keys', 'Keys', note, accessList(access, visit));
  const rest = keys.length - maxKeys;
  const columns = isUnlimited(visit)
    ? []
    : limitColumns.filter(({ of }) => of === 'all' || !isSameForAll(visit));
  const rows = keys.slice(0, maxKeys).map((one) => keyRow(one, columns));
  return section(
    'keys',
    'Keys',
    note,
    html`<table class="stacks keys" role="table">
<thead role="rowgroup"><tr role="row">${['Key', ...columns.map(({ name }) => name)].map((name) => html`<th scope="col" role="columnheader">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows}</tbody>
</table>${rest > 0 && html`<p class="none">${number(rest)} more are in the file.</p>`}${accessList(access, visit)}`,
  );
}

/** So many keys are listed; a file may have thousands. */
const maxKeys = 50;

type LimitColumn = {
  name: string;
  label: string;
  of: 'plans' | 'all';
  shown: (plan: KeyView['plan']) => Markup | string;
};

/** What is said of the limits of a key; the document itself describes none for a day. */
const limitColumns: readonly LimitColumn[] = [
  { name: 'Plan', label: 'Plan', of: 'plans', shown: ({ name }) => quoted(name) },
  {
    name: 'Requests a minute',
    label: 'A minute',
    of: 'all',
    shown: ({ perMinute }) => number(perMinute),
  },
  { name: 'Requests a day', label: 'A day', of: 'plans', shown: ({ perDay }) => number(perDay) },
];

function keyRow({ name, plan, key }: KeyView, columns: readonly LimitColumn[]): Markup {
  const shown =
    key === undefined ? quoted(name) : html`<code data-copy="the key ${key}">${key}</code>`;
  const cell = (label: string, content: Markup | string) =>
    html`<td role="cell"><span class="cell-label">${label}</span>${content}</td>`;
  return html`<tr role="row"><th scope="row" role="rowheader">${shown}</th>${columns.map(({ label, shown: toShown }) => cell(label, toShown(plan)))}</tr>`;
}

/** How each scheme of the document is met. */
function accessList({ schemes, unchecked, oauth }: Access, visit: Visit): Markup {
  const client = visit.demoKeys ? visit.served.keys[0]?.name : undefined;
  const tokens = oauth ? describeTokens(oauth, { root: visit.root, client }) : [];
  const rows = [
    ...schemes.map(({ name, expected }) => ({ name, shown: quoted(expected) })),
    ...unchecked.map((name) => ({ name, shown: html`not checked: everybody meets it` })),
    ...tokens.map(({ name, text }) => ({
      name,
      shown: html`<code data-copy="${name}">${text}</code>`,
    })),
  ];
  if (rows.length === 0) return html``;
  const cell = (shown: Markup | string) =>
    html`<td role="cell"><span class="cell-label">What to send</span>${shown}</td>`;
  return html`<table class="stacks schemes" role="table">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Scheme</th><th scope="col" role="columnheader">What to send</th></tr></thead>
<tbody role="rowgroup">${rows.map(({ name, shown }) => html`<tr role="row"><th scope="row" role="rowheader">${quoted(name)}</th>${cell(shown)}</tr>`)}</tbody>
</table>`;
}

function toOverlays({ written: { overlays } }: ApiDocument): Markup | undefined {
  if (!overlays) return undefined;
  return html`, corrected by ${overlays.map((file, index) => html`${index > 0 && ', '}${code(basename(file))}`)}`;
}

/** With more operations than this, all are closed at first, and a search finds them. */
const maxOpen = 5;

/** How each operation is called; the page loads the lines of one that is opened. */
function operationsSection(document: ApiDocument, now: number): Markup {
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
