import type { ApiDocument } from '../description/document.ts';
import type { RawDocument } from '../description/schema.ts';
import { assets, type ReferenceFile } from './assets.ts';
import { isWritable, notWritable, toJsonParts, toYamlParts } from './document-files.ts';
import { toIndexPage } from './index-page.ts';
import { toPageText } from './layout.ts';
import { groupOperations } from './operation-groups.ts';
import { toOperationPage } from './operation-page.ts';
import { toPagePaths } from './page-paths.ts';
import { toSchemaPage } from './schema-page.ts';
import { toSearchList } from './search-list.ts';
import { toSilencesPage } from './silences-page.ts';
import type { PageContent, Site, TwinParts, View } from './site.ts';
import { toWebhookPage } from './webhook-page.ts';
import { listWebhooks } from './webhooks.ts';

/** A page shows up to so many rows of schemas. */
const maxRows = 500;

/** The reference of a document as files, by their paths below a root. */
export type Reference = {
  /** The paths of all files. */
  paths: readonly string[];
  /**
   * Makes a file; undefined where there is none, and a refusal where the document cannot be written
   * out. `now` is the time it goes by.
   */
  render: (path: string, options: { now: number }) => ReferenceFile | undefined;
};

/**
 * Makes the reference of a document, each file when it is asked for. `twin` is what a twin adds to
 * the pages; without it, they are a static site that opens from disk.
 */
export function createReference(
  document: ApiDocument,
  { twin }: { twin?: TwinParts } = {},
): Reference {
  const { exact } = document;
  const site: Site = {
    document: { ...document, raw: exact },
    paths: toPagePaths(document),
    groups: groupOperations(document),
    hasFiles: isWritable(exact),
    hasProvenance: document.operations.some(
      ({ source, assumed }) => source !== undefined || assumed !== undefined,
    ),
    ...(twin && { twin }),
  };
  const pages = toPages(site);
  const files = new Map([
    ...(site.hasFiles ? documentFiles(exact) : []),
    ...assets,
    ['assets/operations.js', () => toSearchList(site)] satisfies [string, () => ReferenceFile],
  ]);
  const refused = new Map(site.hasFiles ? [] : refusals);
  return {
    paths: [...pages.keys(), ...files.keys()],
    render(path, { now }) {
      const toContent = pages.get(path);
      if (!toContent) return (files.get(path) ?? refused.get(path))?.();
      const view = { site, now, budget: { rows: maxRows }, root: path.includes('/') ? '../' : '' };
      return { mediaType: 'text/html; charset=utf-8', parts: [toPageText(view, toContent(view))] };
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
    ...listWebhooks(document.raw).map((webhook): [string, ToContent] => [
      paths.webhooks.get(webhook.id) ?? '',
      (view) => toWebhookPage(view, webhook),
    ]),
    ...[...paths.schemas].map(([name, path]): [string, ToContent] => [
      path,
      (view) => toSchemaPage(view, name),
    ]),
  ]);
}

function documentFiles(exact: RawDocument): [string, () => ReferenceFile][] {
  return [
    ['openapi.json', () => ({ mediaType: 'application/json', parts: toJsonParts(exact) })],
    ['openapi.yaml', () => ({ mediaType: 'application/yaml', parts: toYamlParts(exact) })],
  ];
}

/** What stands in the place of the files of a document that cannot be written out. */
const refusals: readonly [string, () => ReferenceFile][] = ['openapi.json', 'openapi.yaml'].map(
  (path) => [
    path,
    () => ({ mediaType: 'text/plain; charset=utf-8', parts: [notWritable], isRefusal: true }),
  ],
);
