import type { JsonObject } from '../common/json.ts';
import { moduleExtension, readScript } from '../common/look/browser-code.ts';
import { html, type Markup } from '../common/look/markup.ts';
import { code, quoted } from '../common/look/parts.ts';
import { readIcon, readLook } from '../common/look/read-look.ts';
import { readOwn } from '../common/look/read-own.ts';
import { toExcerpt } from '../common/look/visible.ts';
import { describePinned } from '../common/prose/pinned.ts';
import type { Api, Pin } from '../openapi/index.ts';
import { toDocumentJson, toDocumentYaml } from './document-files.ts';
import { toIndexPage } from './index-page.ts';
import { toPlainText } from './json-view.ts';
import { toPageText } from './layout.ts';
import { toOperationPage } from './operation-page.ts';
import { toPagePaths } from './page-paths.ts';
import { assumedMark, sourceLinks } from './provenance.ts';
import { toShape } from './schema-shape.ts';
import { schemaTree } from './schema-tree.ts';
import type { OperationGroup, PageContent, Site, TwinParts, View } from './site.ts';

/** A page shows up to so many rows of schemas. */
const maxRows = 500;

/** The reference of a document as files, by their paths below a root. */
export type Reference = {
  /** The paths of all files. */
  paths: readonly string[];
  /**
   * Makes a file; undefined where there is none. `now` is the time it goes by.
   */
  render: (path: string, options: { now: number }) => ReferenceFile | undefined;
};

/**
 * Creates the reference of a document; each file is rendered on demand. `twin` is what a twin adds
 * to the pages. Without it, they are a static site that opens from disk.
 */
export function createReference(document: Api, { twin }: { twin?: TwinParts } = {}): Reference {
  const exact = document.exact.asOpenApi();
  const json = toDocumentJson(exact);
  const site: Site = {
    document: { ...document, ...document.exact },
    paths: toPagePaths(document),
    groups: groupOperations(document),
    hasFiles: json !== undefined,
    hasProvenance: document.operations.some(
      ({ source, assumed }) => source !== undefined || assumed !== undefined,
    ),
    ...(twin && { twin }),
  };
  const pages = toPages(site);
  const files = new Map([...assets, ...(json === undefined ? [] : documentFiles(exact, json))]);
  return {
    paths: [...pages.keys(), ...files.keys()],
    render(path, { now }) {
      const toContent = pages.get(path);
      if (!toContent) return files.get(path)?.();
      const view = { site, now, budget: { rows: maxRows }, root: path.includes('/') ? '../' : '' };
      return { mediaType: 'text/html; charset=utf-8', text: toPageText(view, toContent(view)) };
    },
  };
}

type ToContent = (view: View) => PageContent;

function toPages({ document, paths }: Site): Map<string, ToContent> {
  return new Map<string, ToContent>([
    ['index.html', toIndexPage],
    ...(document.silences.length > 0
      ? [['silences.html', toSilencesPage] satisfies [string, ToContent]]
      : []),
    ...document.operations.map((operation): [string, ToContent] => [
      paths.operations.get(operation.id) ?? '',
      (view) => toOperationPage(view, operation),
    ]),
    ...[...paths.schemas].map(([name, path]): [string, ToContent] => [
      path,
      (view) => toSchemaPage(view, name),
    ]),
  ]);
}

function documentFiles(exact: JsonObject, json: string): [string, () => ReferenceFile][] {
  return [
    ['openapi.json', () => ({ mediaType: 'application/json', text: json })],
    ['openapi.yaml', () => ({ mediaType: 'application/yaml', text: toDocumentYaml(exact) })],
  ];
}

/** Groups operations by their first tag: tags of the document first, in its order. */
function groupOperations({ asOpenApi, operations }: Api): OperationGroup[] {
  const { tags: all } = asOpenApi();
  const tags: JsonObject[] = Array.isArray(all) ? all : [];
  const descriptions = new Map(tags.map((tag) => [toPlainText(tag?.name), tag?.description]));
  const byTag = Map.groupBy(operations, ({ tags: [tag = ''] = [] }) => tag);
  const titles = new Set([...descriptions.keys(), ...byTag.keys()]);
  return [...titles]
    .filter((title) => byTag.has(title))
    .map((title, index) => {
      const description = descriptions.get(title);
      return {
        id: `tag-${index + 1}`,
        title,
        ...(typeof description === 'string' && { description }),
        operations: byTag.get(title) ?? [],
      };
    });
}

/** The page of a schema below `components`. */
function toSchemaPage(view: View, name: string): PageContent {
  const { asOpenApi, schemas } = view.site.document;
  const schema = asOpenApi().components.schemas[name];
  const body = html`
<header class="title"><p class="over quiet">Schema</p><h1>${quoted(name)}</h1></header>
<div class="card"${assumedMark(view, ...toShape(schemas, schema).own)}>${schemaTree(view, schema)}</div>`;
  return { title: name, body };
}

/** Returns the page of unspecified behaviour and the mock's choices. */
function toSilencesPage(view: View): PageContent {
  const { pinned } = view.site.document;
  const rows = view.site.document.silences.map(
    ({ id, source, question, twin, assumed, pin }) => html`
<tr id="${id}" role="row">
<th scope="row" role="rowheader">${quoted(question)}<span class="sub">${code(id)} ${sourceLinks(view, source)}</span></th>
<td role="cell"><span class="cell-label">The twin</span>${pin ? html`${answerOf(pin)}<span class="sub">Unless pinned: ${quoted(twin)}</span>` : quoted(twin)}</td>
<td role="cell"><span class="cell-label">Reason</span>${pin ? evidenceOf(pin) : quoted(assumed)}</td>
</tr>`,
  );
  const body = html`
<header class="title">
<h1>Silences</h1>
<p class="reason">What the interface leaves open, what the twin does there, and why. None of it is ever judged.${pinned && ` Pinned: ${describePinned(view.site.document)}.`}</p>
</header>
<table class="stacks" role="table">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Question</th><th scope="col" role="columnheader">The twin</th><th scope="col" role="columnheader">Reason</th></tr></thead>
<tbody role="rowgroup">${rows}</tbody>
</table>`;
  return { title: 'Silences', body };
}

/** Why a silence is pinned: the exchanges that show it. */
function evidenceOf({ evidence, times, confidence }: Pin): Markup {
  const seen = times === undefined ? 'Seen' : `Seen ${times} ${times === 1 ? 'time' : 'times'}`;
  const shown = evidence.slice(0, maxEvidence);
  return html`${seen}${confidence !== undefined && `, confidence ${confidence}`}${shown.map((line) => html`<span class="sub">${quoted(line)}</span>`)}`;
}

const maxEvidence = 3;

/** An answer in words, or else as it stands in the file of pins. */
function answerOf({ answer, summary }: Pin): Markup {
  const text = summary ?? (typeof answer === 'string' ? answer : toPlainText(answer));
  return quoted(toExcerpt(text, 200));
}

/** A file of the reference. */
type ReferenceFile = {
  mediaType: string;
  text: string;
};

const style = { mediaType: 'text/css; charset=utf-8' };

/** The modules of all pages, each before those that import it. */
const modules = ['../common/look/browser/copy', 'browser/reference'];

/** Files that pages load, by path; read on demand. */
const assets: ReadonlyMap<string, () => ReferenceFile> = new Map([
  ['assets/look.css', () => ({ ...style, text: readLook() })],
  ['assets/reference.css', () => ({ ...style, text: readOwn(toUrl('browser/reference.css')) })],
  ['assets/icon.svg', () => ({ mediaType: 'image/svg+xml', text: readIcon() })],
  [
    'assets/reference.js',
    () => ({
      mediaType: 'text/javascript; charset=utf-8',
      text: readScript(modules.map((path) => toUrl(path + moduleExtension))),
    }),
  ],
]);

function toUrl(path: string): URL {
  return new URL(path, import.meta.url);
}
