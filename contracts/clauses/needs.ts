import { toToken } from '../../common/json-pointer.ts';
import { jsonPatchType, mergePatchType } from '../../common/media-type.ts';
import type { Api, Operation, Resource, ResponseDescription } from '../../openapi/index.ts';
import { keyPlacesOf } from '../../openapi/model/key-places.ts';
import { isSecured } from '../../openapi/model/security.ts';
import { namesSentAlone } from '../cases/body-parts.ts';
import { isTriedNested } from '../cases/call-cases.ts';
import { memberDefaults, parameterDefaults } from '../cases/defaults.ts';
import { valueFilters } from '../cases/list-cases.ts';
import { readOnlyFields } from '../cases/read-only.ts';
import { findDescribedCount } from '../document/described-counts.ts';
import {
  boundedPageSize,
  defaultPageSize,
  describesPrecondition,
  isInProse,
  isJson,
  statedErrors,
  statedSuccesses,
  unusedMethod,
} from '../document/stated.ts';
import { holdsTextValues } from '../document/text-values.ts';
import { readingLinks } from '../transcript/link-cases.ts';
import { pagesOf } from '../transcript/page-walks.ts';

/** Finds where a document states what a check needs, as a JSON pointer; undefined if nowhere. */
type Find = (document: Api) => string | undefined;

type Row = {
  find: Find;
  /**
   * Describes a document without it, after "the document". Omitted where most documents lack it.
   */
  absent?: string;
};

/** JSON pointer for statements that a document makes by its operations. */
export const anyOperation = '#/paths';

/** An operation as a JSON pointer into its document. */
export function pointerTo({ path, method }: Operation): string {
  return `${anyOperation}/${toToken(path)}/${method.toLowerCase()}`;
}

/** States something by one operation or more. */
function operationWith(isMeant: (operation: Operation, document: Api) => boolean): Find {
  return (document) =>
    withKinds(document).some((one) => isMeant(one, document)) ? anyOperation : undefined;
}

/** The same where no interface in prose says which of it counts. */
function unlessInProse(isMeant: Parameters<typeof operationWith>[0]): Find {
  return (document) => (isInProse(document) ? undefined : operationWith(isMeant)(document));
}

/** States something by the operations of one collection that has a path of its own. */
function withResource(isMeant: (resource: Resource, document: Api) => unknown): Find {
  return (document) =>
    document.resources.some((one) => isMeant(one, document)) ? anyOperation : undefined;
}

/** All operations of a document, and those of nested collections with their kinds. */
function withKinds({ operations, nested = [] }: Api): Operation[] {
  return [...operations, ...nested.flatMap((resource) => Object.values(resource.operations))];
}

/** States that items are changed by a patch of a media type. */
function findPatch(mediaType: string): Find {
  return (document) => {
    const updates = withKinds(document).filter(({ kind }) => kind === 'update');
    const operation = updates.find((one) => document.schemas.namesMediaType(one, mediaType));
    if (operation) return `${pointerTo(operation)}/requestBody/content/${toToken(mediaType)}`;
    // A document may say in words that plain JSON is a merge patch.
    const isWorded = document.clauses.some(({ id }) => id === 'merge-patch');
    const [plain] = updates;
    return plain && isWorded && mediaType === mergePatchType ? pointerTo(plain) : undefined;
  };
}

const describesValues = ({ schema, contents }: ResponseDescription) =>
  schema !== undefined || contents.some(holdsTextValues);

const states = (operation: Operation, ...statuses: number[]) =>
  statedErrors(operation).some(({ status }) => statuses.includes(Number(status)));

/**
 * The needs of checks, each with its search. OpenAPI cannot express `the clause itself`: only an
 * interface in prose states it.
 */
const needs = {
  'an operation': { find: () => anyOperation, absent: 'describes no operation' },
  'a success status': {
    find: operationWith((operation) => statedSuccesses(operation).length > 0),
    absent: 'states no success status',
  },
  'a schema of a success': {
    find: operationWith((operation) => statedSuccesses(operation).some(describesValues)),
    absent: 'has no schema of a success',
  },
  'a schema of an error': {
    find: operationWith((operation) => statedErrors(operation).some(describesValues)),
    absent: 'has no schema of an error',
  },
  'a JSON body': {
    find: operationWith(({ responses }) => responses.some(isJson)),
    absent: 'describes no JSON response',
  },
  'an answer to an unknown id': {
    find: operationWith((operation) => operation.kind === 'read' && states(operation, 404, 410)),
    absent: 'states no 404 or 410 for an item',
  },
  'an answer to an invalid body': {
    find: operationWith((operation) => operation.kind === 'create' && states(operation, 400, 422)),
    absent: 'states no 400 or 422 for a create',
  },
  'an operation of no kind': {
    find: operationWith(({ kind, method }) => kind === undefined && method === 'GET'),
    absent: 'has no GET beside those of its collections',
  },
  'a collection to list': {
    find: operationWith(({ kind }) => kind === 'list'),
    absent: 'has no list of a collection',
  },
  'a method that the document does not describe': {
    find: operationWith(
      (one, document) => one.kind === 'read' && unusedMethod(document, one) !== undefined,
    ),
    absent: 'describes every method of the paths that could be tried',
  },
  'a credential': {
    find: operationWith((operation) => keyPlacesOf(operation).length > 0),
    absent: 'asks for no credentials',
  },
  'a bearer token': {
    find: operationWith(isSecured),
    absent: 'needs no bearer token',
  },
  'a deprecated operation': {
    find: operationWith(({ deprecated }) => deprecated),
    absent: 'has no deprecated operation',
  },
  'a removal date': {
    find: operationWith(({ sunset }) => sunset !== undefined),
    absent: 'has no removal date (x-deprecated-sunset)',
  },
  'an operation that replaces items': { find: operationWith(({ kind }) => kind === 'replace') },
  'an operation that deletes items': { find: operationWith(({ kind }) => kind === 'delete') },
  'a merge patch': { find: findPatch(mergePatchType) },
  'a JSON Patch': { find: findPatch(jsonPatchType) },
  'a plain update': {
    find: (document) => {
      const operation = withKinds(document).find(
        (one) =>
          one.kind === 'update' &&
          one.method === 'PATCH' &&
          [jsonPatchType, mergePatchType].every(
            (type) => !document.schemas.namesMediaType(one, type),
          ),
      );
      return operation && `${pointerTo(operation)}/requestBody`;
    },
  },
  'a property for requests alone': {
    find: (document) => {
      const resources = [...document.resources, ...(document.nested ?? [])];
      const isSentAlone = resources.some((one) => namesSentAlone(document, one).length > 0);
      const isShown = operationWith((operation) =>
        statedSuccesses(operation).some(
          ({ schema }) => schema !== undefined && document.schemas.showsWriteOnly(schema),
        ),
      );
      return isSentAlone ? anyOperation : isShown(document);
    },
  },
  'a property for responses alone': {
    find: withResource(
      (resource, document) => Object.keys(readOnlyFields(document, resource)).length > 0,
    ),
  },
  'a change that If-Match may prevent': {
    find: withResource(({ operations: { read, replace, update, delete: remove } }) =>
      [replace, update, remove].some((one) => read && one && describesPrecondition(one)),
    ),
  },
  'a count of a list': { find: findDescribedCount },
  'a nested collection': {
    find: (document) => {
      const tried = document.nested?.find((one) => isTriedNested(document, one));
      return tried?.operations.create && pointerTo(tried.operations.create);
    },
  },
  'pages of a list': {
    find: (document) => {
      const paged = document.resources.find((resource) => pagesOf(resource));
      const list = paged?.operations.list;
      return list && `${pointerTo(list)}/parameters`;
    },
  },
  'a webhook or callback': {
    find: ({ schemas }) =>
      schemas.makesCalls()
        ? schemas.webhooksOf().length > 0
          ? '#/webhooks'
          : anyOperation
        : undefined,
  },
  'responses and no clauses': {
    find: unlessInProse(({ responses }) => responses.length > 0),
  },
  'a required header and no clauses': {
    find: unlessInProse((operation) =>
      statedSuccesses(operation).some(({ headers }) =>
        Object.values(headers).some(({ required }) => required),
      ),
    ),
  },
  'a header of a response and no clauses': {
    find: unlessInProse(({ responses }) =>
      responses.some(({ headers }) => Object.keys(headers).length > 0),
    ),
  },
  'a link of a response and no clauses': {
    find: unlessInProse((operation, document) => readingLinks(document, operation).length > 0),
  },
  'a create and a read': {
    find: withResource(({ operations: { create, read } }) => create && read),
    absent: 'describes no create and read of one thing',
  },
  'a create, a read and a list': {
    find: withResource(({ operations: { create, read, list } }) => create && read && list),
    absent: 'describes no create, read and list of one thing',
  },
  'a limit with bounds or a default': {
    find: withResource(
      (resource) =>
        resource.operations.list &&
        (boundedPageSize(resource) ?? defaultPageSize(resource)) !== undefined,
    ),
    absent: 'gives neither bounds nor a default of the items that a list shows at once',
  },
  'a default': {
    find: withResource(
      (resource, document) =>
        Object.keys({
          ...(resource.operations.list && parameterDefaults(document, resource.operations.list)),
          ...memberDefaults(document, resource),
        }).length > 0,
    ),
  },
  'a filter by listed values': {
    find: withResource((resource, document) => valueFilters(document, resource).size > 0),
    absent:
      'has no collection whose own list takes a parameter with the name and the values (enum) of a property',
  },
  'rate limits': {
    find: ({ plans }) => (Object.keys(plans).length > 0 ? '#/x-rate-limits' : undefined),
    absent: 'states no rate limits (x-rate-limits)',
  },
  'the clause itself': {
    find: () => undefined,
    absent: 'has no x-clauses that state this; docs/document-checks.md has lines to copy',
  },
} satisfies Record<string, Row>;

export type Need = keyof typeof needs;

/**
 * Finds where a document states what a check needs. Otherwise gives the reason, where most
 * documents state it.
 */
export function findNeed(
  document: Api,
  need: Need,
): { pointer: string } | { absent: string | undefined } {
  const { find, absent }: Row = needs[need];
  const pointer = find(document);
  if (pointer !== undefined) return { pointer };
  return { absent: absent && `the document ${absent}` };
}
