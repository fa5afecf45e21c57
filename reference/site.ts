import type { JsonObject } from '../common/json.ts';
import type { Markup } from '../common/look/markup.ts';
import type { Api, Operation } from '../openapi/index.ts';
import type { PagePaths } from './page-paths.ts';

/** The data that all pages of a reference share. */
export type Site = {
  document: Api;
  paths: PagePaths;
  /** The operations by the tag that they are listed under, in the order of the document. */
  groups: readonly OperationGroup[];
  /** Whether the document itself is among the files. */
  hasFiles: boolean;
  /** Whether the document says what states its nodes. */
  hasProvenance: boolean;
  /** Additions of a twin to the pages; absent on a static site. */
  twin?: TwinParts;
};

/** Operations that are listed together; the heading is empty where the document gives no tag. */
export type OperationGroup = {
  id: string;
  title: string;
  description?: string;
  operations: readonly Operation[];
};

/** Additions of a twin to the pages, by paths from the root of the reference. */
export type TwinParts = {
  styles: readonly string[];
  modules: readonly string[];
  links: readonly { title: string; href: string }[];
};

/** A page in the making. */
export type View = {
  site: Site;
  /** The way from the page to the root of the reference: nothing, or `../`. */
  root: string;
  /** The time that the page goes by, in Unix milliseconds. */
  now: number;
  /** How many more rows of schemas there may be, so that no page grows beyond what a browser shows. */
  budget: { rows: number };
};

/** The content of a page below the bar that all pages have. */
export type PageContent = { title: string; body: Markup; operation?: Operation };

/** The node of an operation in the document. */
export function nodeOf(
  { site: { document } }: Pick<View, 'site'>,
  { path, method }: Operation,
): JsonObject {
  return document.schemas.resolve(document.asOpenApi().paths[path])[method.toLowerCase()];
}

/** Returns the title of an operation: its summary, or its id. */
export function titleOf(view: Pick<View, 'site'>, operation: Operation): string {
  const { summary } = nodeOf(view, operation);
  return typeof summary === 'string' && summary.trim() !== '' ? summary : operation.id;
}

/** The address of the page of an operation. */
export function operationHref({ site, root }: View, { id }: Operation): string {
  return `${root}${site.paths.operations.get(id)}`;
}
