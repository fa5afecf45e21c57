import type { Operation } from '../description/document.ts';

/** In which form the credential is sent (§5). */
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
  | 'lower-case-scheme';

/** What a case is about, and what a check needs to know to judge its answer. */
export type Purpose =
  /** Well-formed and with a valid key; for a list, what it asks for. */
  | { kind: 'list'; limit?: number; filters: Readonly<Record<string, string>> }
  | { kind: 'read'; id: string }
  | { kind: 'call' }
  /**
   * `mayRefuse`: the body is valid, but a deployment may have a reason of its own to refuse it.
   * `unused` names the property whose value nothing else has (an unknown category): a reason only
   * where any such value is refused. `onlyRequired`: the body leaves out all that is optional.
   */
  | { kind: 'create'; mayRefuse?: boolean; unused?: string; onlyRequired?: boolean }
  /** A create whose body holds the id of an animal that exists. */
  | { kind: 'create-with-id' }
  /** A body that breaks the schema in one place; `what` says how. */
  | { kind: 'invalid-create'; what: string }
  | { kind: 'credential'; form: CredentialForm }
  /** A call with a key of the user's that the target refuses; whether it should is not known. */
  | { kind: 'refused-key' }
  | { kind: 'unknown-id' }
  /**
   * Something that the interface leaves open: the id of the silence, and which probe of it, for a
   * person. `unused` names the property whose value nothing else has.
   */
  | { kind: 'silence'; silence: string; probe: string; unused?: string }
  /** Something that an RFC demands and the interface does not mention. */
  | { kind: 'protocol'; rule: 'head' | 'method' }
  /** Somebody else made the call, and nothing is known of what it asked for. */
  | { kind: 'observed' }
  | { kind: 'count'; key: 'bulk' | 'spare' }
  | { kind: 'exhaust' }
  | { kind: 'after-exhaustion'; key: 'same' | 'other' };

/**
 * When in a run a case is made, where the same is asked for at several times: before anything is
 * created, after refused creates, after creates, at the end of the plan; as a page of a store that
 * was filled, while it is filled, and to see what becomes of a fresh item.
 */
export type CaseStage = 'before' | 'refused' | 'after' | 'last' | 'pages' | 'top-up' | 'fresh';

/**
 * One request to make. `{{name}}` in the path and the body stands for a value that the run finds
 * out: `{{run}}`, `{{known.id}}`, `{{created.<case>}}` and so on.
 */
export type Case = {
  /** Stable and unique, e.g. `listPets/limit=1`. */
  id: string;
  operation?: Operation;
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  credential: CredentialForm;
  purpose: Purpose;
  stage?: CaseStage;
  /** Id of the case that it makes again, so that two answers of one target can be compared. */
  repeatOf?: string;
  /** Made although its operation is not chosen, as chosen ones need what it shows. */
  isNeeded?: true;
  /** 1 is made first and dropped last when the keys' quota is short. */
  priority: 1 | 2 | 3;
  /** A text that only this case's animal would hold. */
  marker?: string;
  /** Whether it may change the target's data, or shows the key where it may be kept. */
  writes: boolean;
};
