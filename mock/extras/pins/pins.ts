import type { AnswerForm } from '../../answers/answer.ts';
import type { ErrorCode } from '../../answers/errors.ts';
import type { BanPolicy, MinuteWindow } from '../../limits/plans.ts';

/** What may be wrong with a page size. */
export const limitFaults = [
  'zero',
  'below',
  'above',
  'fraction',
  'text',
  'empty',
  'exponent',
] as const;
export type LimitFault = (typeof limitFaults)[number];

/** What a page size out of range can be pinned to. */
export const limitAnswers = [
  'ignored',
  'clamped',
  'as-number',
  'leading-digits',
  'empty-list',
] as const;
export type LimitAnswer = (typeof limitAnswers)[number] | AnswerForm;

/** What may be wrong with an id that is an integer. */
export const idFaults = ['text', 'zero', 'negative', 'fraction', 'padded', 'beyond'] as const;
export type IdFault = (typeof idFaults)[number];

/** How a list is ordered: as it was filled, the other way round, or by a property. */
export type ListOrder = 'newest-first' | { by: string; descending: boolean };

/** Which items count as repeated, by one property or the whole body, and how that is answered. */
export type Repeated = { by: string; answer: 'same-item' | AnswerForm };

/** What is checked before the key. */
export const earlyChecks = ['body', 'id', 'query', 'payload'] as const;
export type EarlyCheck = (typeof earlyChecks)[number];

/** Header values by the name of the header; null for one that a response lacks. */
export type HeaderPins = Readonly<Record<string, string | null>>;

/**
 * How the twin behaves where the interface is silent, as a deployment was seen to. What is left out
 * is not pinned.
 */
export type Pins = {
  limits?: Partial<Record<LimitFault, LimitAnswer>>;
  filter?: 'ignored' | 'empty-list' | AnswerForm;
  /** The refusal of a query parameter that is not described. */
  otherParameter?: AnswerForm;
  order?: ListOrder;
  /** What is stored where a property was left out. */
  defaults?: Readonly<Record<string, unknown>>;
  otherField?: 'stored' | AnswerForm;
  /** The refusal of a body that has an id. */
  idField?: AnswerForm;
  /** The refusals of a category below a bound, and of one that no item has. */
  category?: { belowOne?: AnswerForm; belowZero?: AnswerForm; unknown?: AnswerForm };
  integerRange?: AnswerForm;
  emptyName?: AnswerForm;
  /** The refusals of other names: of more characters than a maximum, and of control characters. */
  names?: { max?: number; tooLong?: AnswerForm; controls?: AnswerForm };
  repeated?: Repeated;
  ids?: 'random' | 'random-64';
  /** After how many milliseconds a created item is read and listed. */
  delays?: { read: number; list: number };
  anyMediaType?: boolean;
  maxBody?: number;
  idForms?: Partial<Record<IdFault, AnswerForm>>;
  /** The headers of a deprecated operation, and the statuses that have them if not all do. */
  deprecation?: { headers: Readonly<Record<string, string>>; on?: readonly number[] };
  afterRemoval?: 'still-served';
  /** The answer of an operation whose payload is not shown. */
  payload?: AnswerForm;
  earlyChecks?: readonly EarlyCheck[];
  /** The errors of the twin, by their own code. */
  errors: Partial<Record<ErrorCode, AnswerForm>>;
  /** Whether HEAD, other methods and unknown paths use no quota. */
  freeElsewhere?: boolean;
  /** Whether calls that end in 4xx give back the quota that they used. */
  freeRefusals?: boolean;
  window?: 'minute' | 'day';
  /** The length and the beginning of the shorter window, in place of the minute of UTC. */
  minute?: MinuteWindow;
  /** When keys are banned, in place of what the plans say. */
  ban?: BanPolicy | false;
  /** The form of Retry-After, if it is not in seconds. */
  retryAfter?: 'date';
  anonymous?: { limit: number; remaining: number } | 'none';
  head?: AnswerForm;
  cors?: 'with-origin' | 'none';
  /** Members that items have besides those that are described. */
  members?: Readonly<Record<string, unknown>>;
  /**
   * By `operationId status`, `unknown-path status`, `other-method status` and `HEAD status`, each with
   * `without a key` behind it for a call without a valid one, `operations` for all of them, and `*` for every
   * response.
   */
  headers?: Readonly<Record<string, HeaderPins>>;
};
