import { basename } from 'node:path';
import type { Request } from 'express';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { number } from '../../../common/look/amounts.ts';
import { html, type Markup, preformatted } from '../../../common/look/markup.ts';
import { code, quoted, section } from '../../../common/look/parts.ts';
import { describePinned } from '../../../common/prose/pinned.ts';
import type { Api, Operation } from '../../../openapi/index.ts';
import { toPagePaths } from '../../../reference/page-paths.ts';
import { markers, methodBadge } from '../../../reference/parts.ts';
import type { TextAnswer } from '../../answers/answer.ts';
import { posixShell, type Shell, shellOf } from '../../curl/shell.ts';
import { toCurl, toFetch } from '../../curl/to-curl.ts';
import type { Locals } from '../../http/locals.ts';
import { describeFigures } from '../../limits/windows.ts';
import { type Access, describeAccess, describeTokens } from '../schemes/challenges.ts';
import { modulePath } from './assets.ts';
import {
  type KeyView,
  type OperationView,
  type OperationViewOptions,
  toKeyViews,
  toOperationView,
} from './operation-view.ts';
import { toPage } from './page.ts';

export type StartPageOptions = OperationViewOptions & {
  /** The version of the twin. */
  version: string;
  adminToken?: string;
};

type Visit = StartPageOptions &
  Pick<Locals, 'sandbox' | 'sandboxName'> & {
    /** The URL of the page, without the slash at its end. */
    root: string;
    /** That of the visitor. */
    shell: Shell;
  };

/** Returns the start page: the served document, its keys, and example calls. */
export async function toStartPage(
  request: Request,
  { prefix, ...options }: StartPageOptions & Pick<Locals, 'sandbox' | 'sandboxName' | 'prefix'>,
): Promise<TextAnswer> {
  const shell = shellOf(request.headers['user-agent']);
  const visit = { ...options, root: toRoot(request, prefix), shell };
  const { served, version, sandbox } = visit;
  const { document } = served;
  const body = html`
<a class="skip" href="#content">Skip to the content</a>
${await masthead(visit)}
${links(visit)}
<main class="wrap" id="content" tabindex="-1" data-root="${visit.root}">
${keysSection(visit)}
${await operationsSection(visit)}
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
<p class="base"><span class="label">Base URL</span> <code data-copy="the base URL">${root}${document.basePath}</code></p>
<dl class="facts">
<div><dt>Document</dt><dd>${code(basename(document.file))}${document.file === builtInDocument && ', built in'}${toOverlays(document)}</dd></div>
<div><dt>Data</dt><dd>${await dataOf(visit)}</dd></div>
<div><dt>Seed</dt><dd>${code(String(seed))}</dd></div>
<div><dt>Rate limits</dt><dd>${isUnlimited(visit) ? 'none: the document describes none' : limitsIn[rateLimits]}</dd></div>
${document.pinned && html`<div><dt>Profile</dt><dd><a href="__docs/silences.html">${describePinned(document)}</a></dd></div>`}
<div><dt>Sandbox</dt><dd>${code(sandboxName ?? sandbox.name)}${isNew && ', made by its first request'}</dd></div>
</dl>
</div></header>`;
}

/** The description of each limit mode. */
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
  const rows = keys.slice(0, maxKeys).map((key) => [shownKey(key), limitsOf(visit, key)] as const);
  return section(
    'keys',
    'Keys',
    note,
    html`${table(['Key', 'Limits'], rows)}${rest > 0 && html`<p class="none">${number(rest)} more are in the file.</p>`}${accessList(access, visit)}`,
  );
}

/** So many keys are listed; a file may have thousands. */
const maxKeys = 50;

function shownKey({ name, key }: KeyView): Markup {
  return key === undefined ? quoted(name) : html`<code data-copy="the key ${key}">${key}</code>`;
}

/**
 * Returns the limits of a key as text. A document itself describes no plans, and no daily limit.
 */
function limitsOf(visit: Visit, { plan }: KeyView): Markup {
  if (isUnlimited(visit)) return html`none`;
  if (isSameForAll(visit)) return html`${number(plan.perMinute)} a minute`;
  return html`<span>${quoted(plan.name)}: ${describeFigures(plan)}</span>`;
}

/** A table of two columns; of a row, the first cell is its header. */
function table(
  [first, second]: readonly [string, string],
  rows: readonly (readonly [Markup, Markup])[],
): Markup {
  const head = [first, second].map(
    (title) => html`<th scope="col" role="columnheader">${title}</th>`,
  );
  return html`<table class="stacks" role="table">
<thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">${rows.map(([name, content]) => html`<tr role="row"><th scope="row" role="rowheader">${name}</th><td role="cell"><span class="cell-label">${second}</span>${content}</td></tr>`)}</tbody>
</table>`;
}

/** How each scheme of the document is met. */
function accessList({ schemes, unchecked, oauth }: Access, visit: Visit): Markup {
  const client = visit.demoKeys ? visit.served.keys[0]?.name : undefined;
  const tokens = oauth ? describeTokens(oauth, { root: visit.root, client }) : [];
  const rows: [Markup, Markup][] = [
    ...schemes.map(({ name, expected }): [Markup, Markup] => [quoted(name), quoted(expected)]),
    ...unchecked.map((name): [Markup, Markup] => [
      quoted(name),
      html`not checked: everybody meets it`,
    ]),
    ...tokens.map(({ name, text }): [Markup, Markup] => [
      quoted(name),
      html`<code data-copy="${name}">${text}</code>`,
    ]),
  ];
  return rows.length === 0 ? html`` : table(['Scheme', 'What to send'], rows);
}

function toOverlays({ written: { overlays } }: Api): Markup | undefined {
  if (!overlays) return undefined;
  return html`, corrected by ${overlays.map((file, index) => html`${index > 0 && ', '}${code(basename(file))}`)}`;
}

/** The lines of so many operations are shown; the reference has the others. */
const maxOperations = 5;

/** How operations are called. */
async function operationsSection(visit: Visit): Promise<Markup> {
  const { operations } = visit.served.document;
  const paths = toPagePaths(visit.served.document).operations;
  const shown = operations.slice(0, maxOperations);
  const cards = await Promise.all(
    shown.map((operation) => operationCard(visit, operation, `__docs/${paths.get(operation.id)}`)),
  );
  const more = operations.length - shown.length;
  return section(
    'operations',
    'Operations',
    'Ready to paste into a shell, a script or the console of a browser.',
    html`<div class="stack">${cards}${more > 0 && html`<p><a href="__docs/">${number(more)} more in the reference</a></p>`}</div>`,
  );
}

async function operationCard(
  visit: Visit,
  operation: Operation,
  reference: string,
): Promise<Markup> {
  const { id, method, path, hidesTryIt } = operation;
  const base = visit.root + visit.served.document.basePath;
  const view = await toOperationView(operation, { ...visit, base });
  const samples = toSamples(view, base, visit.shell);
  const none = 'There is no example: no query or body could be generated that the mock accepts.';
  return html`
<article class="card stack operation">
<div class="row">${methodBadge(method)} <h3>${code(path)}</h3> <span class="quiet">${quoted(id)}</span> ${markers(operation, visit.sandbox.clock.now())}</div>
${samples.map(
  ([name, text]) =>
    html`<div><p class="text-title" data-copies>${name}</p><pre tabindex="0" role="group" aria-label="${name}: ${id}" data-copy="the ${name} of ${id}">${preformatted(text)}</pre></div>`,
)}
${samples.length === 0 && html`<p class="none">${none}</p>`}
<p class="more"><a href="${reference}">${hidesTryIt ? 'Reference' : 'Reference, and try it'}<span class="heard"> of ${id}</span></a></p>
</article>`;
}

/** How an operation is called at a base URL; empty where no call would succeed. */
export function toSamples(
  { call, keys, trust, ...operation }: OperationView,
  base: string,
  shell: Shell = posixShell,
): [name: string, text: string][] {
  if (!call) return [];
  const key = keys[0]?.key;
  const options = { base, key: key ?? '$KEY', trust };
  const own: [string, string] = [
    'curl in PowerShell',
    toCurl(operation, call, { ...options, shell }),
  ];
  return [
    ['curl', toCurl(operation, call, options)],
    ...(shell === posixShell ? [] : [own]),
    ['fetch', toFetch(operation, call, { base, key })],
  ];
}
