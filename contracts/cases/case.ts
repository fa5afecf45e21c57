import type { Api, Content, Operation, Resource } from '../../openapi/index.ts';

/** A resource, and the document that describes it. */
export type DescribedResource = { document: Api; resource: Resource };

/** The form in which the credential is sent (§5). */
export type CredentialForm =
  | 'valid'
  | 'none'
  | 'unknown'
  | 'empty'
  | 'scheme-only'
  | 'truncated'
  | 'altered'
  | 'prefixed'
  | 'in-cookie'
  | 'extended'
  | 'other-case'
  | 'basic'
  | 'no-scheme'
  | 'other-scheme'
  | 'in-query'
  | 'in-header'
  | 'lower-case-scheme'
  /** A key of which nobody knows whether it is valid, or a credential that was not recorded. */
  | 'unclear';

/**
 * How an item is changed; what a form or plain JSON does besides is not stated anywhere. `read-only`
 * sends what no client may set, too.
 */
export type Change =
  | 'replace'
  | 'form'
  | 'json'
  | 'merge-patch'
  | 'json-patch'
  | 'read-only'
  | 'delete';

/**
 * The expected effect of a change on an item: changed values, unchanged values, and values that a
 * replacement leaves out.
 */
export type ExpectedEffect = {
  changed: Readonly<Record<string, { from: unknown; to: unknown }>>;
  same: Readonly<Record<string, unknown>>;
  left?: Readonly<Record<string, unknown>>;
};

/** The purpose of a case, with the data that a check needs to judge the response. */
export type Purpose =
  /** Well-formed and with a valid key; for a list, what it asks for. */
  | { kind: 'list'; limit?: number; filters: Readonly<Record<string, string>> }
  /** A list with a parameter at its default, or without any to compare it with. */
  | { kind: 'default'; parameter?: string }
  | { kind: 'read'; id: string }
  | { kind: 'call' }
  /**
   * `mayRefuse`: the body is valid, but a deployment may have a reason of its own to refuse it.
   * `unused` names the property whose value nothing else has: a reason only where any such value is
   * refused.
   */
  | { kind: 'create'; mayRefuse?: boolean; unused?: string }
  /** A create whose body holds the id of an animal that exists. */
  | { kind: 'create-with-id' }
  /** A body that breaks the schema in one place; `what` says how. */
  | { kind: 'invalid-create'; what: string }
  | { kind: 'credential'; form: CredentialForm }
  /** A call with one of the user's keys that the target refuses; whether it should is unknown. */
  | { kind: 'refused-key' }
  | { kind: 'unknown-id' }
  /**
   * Something that the interface leaves open: the id of the silence, and the name of the probe in
   * words. `unused` names the property whose value nothing else has. `asked` is what a list asks for
   * all the same, where it asks for more than the interface describes.
   */
  | {
      kind: 'silence';
      silence: string;
      probe: string;
      unused?: string;
      asked?: { limit?: number; filters: Readonly<Record<string, string>> };
    }
  /** A rule of an RFC that the interface does not mention. */
  | { kind: 'protocol'; rule: 'head' | 'method' }
  /** A call made by someone else; what it was for is unknown. */
  | { kind: 'observed' }
  /** A change of an item that the run created for it. */
  | { kind: 'change'; how: Change; id: string; expected: ExpectedEffect }
  /** A change of such an item with the ETag of its version, of an older one, or without any. */
  | { kind: 'precondition'; step: 'current' | 'stale' | 'none' }
  /** Looks at an item after a change: by reading it, or among all that are listed. */
  | { kind: 'look'; id: string; after: Change; expected: ExpectedEffect }
  /**
   * One page of a list that is read from its first page to its last, in a walk of that name, and the
   * ids of items that are on one of them.
   */
  | { kind: 'page'; walk: string; expected: readonly string[] }
  /** Looks for an item of a nested collection: by reading it or in a list, and below which parent. */
  | { kind: 'nested'; step: 'read' | 'list' | 'other parent' | 'no parent'; id: string }
  /** Follows a link by its name, from the exchange of that number. */
  | { kind: 'link'; name: string; from: number }
  /** Deletes what the run created, at its end. */
  | { kind: 'tidy'; id: string }
  | { kind: 'count'; key: 'bulk' | 'spare' }
  | { kind: 'exhaust' }
  | { kind: 'after-exhaustion'; key: 'same' | 'other' }
  /**
   * A call with an input that was made up for it: `what` tells it. `isInvalid`: its body breaks the
   * schema. `isOdd`: it is sent in a way that the document does not describe.
   */
  | { kind: 'fuzz'; what: string; isInvalid?: boolean; isOdd?: boolean };

/**
 * A need of a check: cases of a kind, the probes of a silence, or `items`. `items` are plain items
 * of the run, more than a list shows at once.
 */
export type CaseKind =
  | Exclude<Purpose['kind'], 'silence'>
  | 'credentials-first'
  | 'limit-out-of-range'
  | 'items';

/**
 * When a case is sent, where the same request is sent several times in a run: before anything is
 * created, after refused creates, after creates, or at the end of the plan; as a page of a filled
 * store, while it is filled, or to watch a fresh item.
 */
export type CaseStage = 'before' | 'refused' | 'after' | 'last' | 'pages' | 'top-up' | 'fresh';

/**
 * One request to send. `{{name}}` in the path and the body is replaced by a value that the run
 * finds out: `{{run}}`, `{{known.id}}`, `{{created.<case>}}` and so on.
 */
export type Case = {
  /** Stable and unique, e.g. `listPets/limit=1`. */
  id: string;
  operation?: Operation;
  /** The operation that is called for something else than what it describes, such as a page. */
  negotiated?: Operation;
  /** The operation whose required parameters it needs, where it calls none. */
  parametersOf?: Operation;
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The form that its body, which is JSON here, is sent as. */
  form?: Content;
  credential: CredentialForm;
  purpose: Purpose;
  /** The id of the item that it names, and the path of a create or a list there, where its path says neither. */
  of?: { id: string; path: string };
  /** Whether the user has it made first, whatever it changes. */
  isSetup?: true;
  /** Whether it needs values that neither the document nor the target gives: they may be refused. */
  isMadeUp?: true;
  /** For a call by another client: a silence that the call also touches. */
  leftOpen?: { silence: string; probe: string };
  /** For such a call: a deviation from the document that servers tolerate. */
  remark?: string;
  stage?: CaseStage;
  /** The id of the case that it repeats, so that two answers of one target can be compared. */
  repeatOf?: string;
  /** Sent although its operation was not chosen, because chosen operations need the response. */
  isNeeded?: true;
  /** 1 is sent first, and dropped last when the quota of the keys is short. */
  priority: 1 | 2 | 3;
  /** A text that only the animal of this case has. */
  marker?: string;
  /** Whether it may change the target's data, or shows the key where it may be kept. */
  writes: boolean;
};

const reading: readonly Purpose['kind'][] = [
  ...([
    'list',
    'default',
    'read',
    'call',
    'credential',
    'refused-key',
    'unknown-id',
    'silence',
  ] as const),
  ...(['protocol', 'observed', 'page', 'count', 'exhaust', 'after-exhaustion'] as const),
];

/** Whether cases of a kind change something. */
export function isWriting(kind: Purpose['kind']): boolean {
  return !reading.includes(kind);
}

/** Reads of listed items, and of ids that no item has. */
export function readCases({ resource }: DescribedResource): Case[] {
  const { read } = resource.operations;
  if (!read) return [];
  const { name } = resource;
  return [
    ...['first', 'middle', 'last'].map((which) => ({
      ...readCase(read, `{{id.${name}.${which}}}`, { kind: 'read', id: which }, 1),
      id: `${read.id}/the ${which} listed`,
    })),
    ...['near', 'far', 'farther'].map((which) => ({
      ...readCase(read, `{{unknown.${name}.${which}}}`, { kind: 'unknown-id' }, 1),
      id: `${read.id}/an unknown id, ${which}`,
    })),
  ];
}

/** Reads of the items that the run created. */
export function readCreatedCases(
  { resource }: DescribedResource,
  creates: readonly Case[],
): Case[] {
  const { read } = resource.operations;
  if (!read) return [];
  return creates
    .filter(
      ({ operation, purpose }) =>
        purpose.kind === 'create' && operation === resource.operations.create,
    )
    .map((create) => ({
      ...readCase(read, `{{created.${create.id}}}`, { kind: 'read', id: create.id }, 1),
      id: `${read.id}/of ${create.id}`,
    }));
}

/** The path of an operation on an item with the item's id; what is above it stays open. */
export function withId({ path }: { path: string }, id: string): string {
  // A format may stand behind it.
  return path.replace(/\{[^{}]+\}(?=(?:\.\{\w+\}|[^/{}]*)\/?$)/, () => id);
}

export function readCase(
  read: Operation,
  id: string,
  purpose: Case['purpose'],
  priority: Case['priority'],
): Case {
  return { ...plainCase(read, id), path: withId(read, id), purpose, priority };
}

/** A call of an operation with a valid key, without parameters; of an item, the first listed. */
export function plainCase(operation: Operation, name: string): Case {
  return {
    id: `${operation.id}/${name}`,
    operation,
    method: operation.method,
    path: operation.resource
      ? withId(operation, `{{id.${operation.resource}.first|1}}`)
      : operation.path,
    credential: 'valid',
    purpose: { kind: 'call' },
    priority: 2,
    writes: false,
  };
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'];

/** Whether an operation may change something (RFC 9110 §9.2.1). */
export function isUnsafe({ method }: Pick<Operation, 'method'>): boolean {
  return !safeMethods.includes(method);
}

/** Whether a call only removes, or looks for, what the run has made. */
export function isTidying({ purpose, operation }: Case): boolean {
  return purpose.kind === 'tidy' && operation?.kind !== 'create';
}
