import type { PinnedTarget } from '../../common/prose/pinned.ts';
import type { Section, StatedClause } from '../../common/prose/sections.ts';
import type { PlanFigures, Silence } from '../../common/prose/silences.ts';
import type { FoundPlace } from '../collections/find-resources.ts';
import type { DocumentedLimits } from '../documented-limits.ts';
import type { DocumentHint } from '../hint.ts';
import type { WrittenForm } from '../reading/make-usable.ts';
import type { RawDocument } from '../schema.ts';
import type { Schemas } from '../schemas.ts';
import type { Operation } from './operation.ts';
import type { Resource } from './resource.ts';
import type { SecurityScheme } from './security.ts';

export type Api = {
  /** The file that it was read from, as it was named. */
  file: string;
  title: string;
  version: string;
  /** The path that all servers end with, e.g. `/v1`. */
  basePath: string;
  operations: Operation[];
  resources: Resource[];
  /** The places that may be collections, with the collection found there, or what that lacks. */
  places: readonly FoundPlace[];
  /** The single objects that have a path of their own, such as `/me`. */
  singletons: Resource[];
  /** The nested collections, if `resources` lists only those with one path. */
  nested?: readonly Resource[];
  plans: Record<string, PlanFigures>;
  /** The limits that it describes otherwise: by `x-rate-limit` or headers of responses. */
  limits?: DocumentedLimits;
  /** The defaults that it gives a twin. */
  hint: DocumentHint;
  /** The sections of the interface with their statements, where the document has them. */
  sections: Section[];
  /** The clauses that the contract suite checks, where the document words them. */
  clauses: StatedClause[];
  silences: Silence[];
  /** The deployment that the silences are pinned to, if they are. */
  pinned?: PinnedTarget;
  written: WrittenForm;
  /** Whether references of its schemas should be followed when a value gets there. */
  suitsLazyReferences: boolean;
  schemas: Schemas;
  /** The ways in that it defines, whether operations use them or not. */
  securitySchemes: readonly SecurityScheme[];
  serverUrls: readonly string[];
  /** Returns the whole as OpenAPI 3.1 or 3.2, for libraries and pages that read documents themselves. */
  asOpenApi: () => RawDocument;
  /**
   * The same with integers that a double cannot hold as bigints; `of`, if there are any, returns a value
   * made of the schemas with such integers as the document has them.
   */
  exact: { asOpenApi: () => RawDocument; of?: <Value>(value: Value) => Value };
};

/** All collections, those that are nested too. */
export function collectionsOf({
  resources,
  nested = [],
}: Pick<Api, 'resources' | 'nested'>): Resource[] {
  return [...resources, ...nested];
}

/** The resource that an operation works on, if any; also one that is nested. */
export function findResource(
  document: Pick<Api, 'resources' | 'nested'>,
  operation: Operation | undefined,
): Resource | undefined {
  return collectionsOf(document).find(({ name }) => name === operation?.resource);
}

/** The collection or single object that an operation works on, or whose item its path names. */
export function findSubject(
  { singletons, ...document }: Pick<Api, 'resources' | 'nested' | 'singletons'>,
  { resource, actsOn, singleton }: Operation,
): Resource | undefined {
  const name = resource ?? actsOn ?? singleton;
  return [...collectionsOf(document), ...singletons].find((one) => one.name === name);
}

/** The document with those of its open lists as collections that have these names. */
export function withOpenLists(document: Api, names: readonly string[]): Api {
  const opened = document.schemas
    .findOpenLists(document.operations)
    .filter(({ name }) => names.includes(name));
  if (opened.length === 0) return document;
  const operations = document.operations.map((operation) => {
    const resource = opened.find(({ operations: { list } }) => list === operation);
    if (!resource) return operation;
    const listRules = document.schemas.findListRules(operation, resource.item);
    const list: Operation = { ...operation, kind: 'list', resource: resource.name, listRules };
    resource.operations = { list };
    return list;
  });
  return { ...document, operations, resources: [...document.resources, ...opened] };
}
