import type { AnswerForm } from '../../answers/answer.ts';
import type { ErrorCode } from '../../answers/errors.ts';
import type { BanPolicy } from '../../limits/plans.ts';
import type { Period } from '../../limits/windows.ts';

/** Faults of a page size; `text` is any text that is no integer. */
export const limitFaults = ['zero', 'below', 'above', 'text'] as const;
export type LimitFault = (typeof limitFaults)[number];

/** Answers to a page size out of range that can be pinned. */
export const limitAnswers = ['ignored', 'clamped', 'empty-list'] as const;
export type LimitAnswer = (typeof limitAnswers)[number] | AnswerForm;

/** Faults of an id that should be an integer of 64 bits. */
export const idFaults = ['text', 'beyond'] as const;
export type IdFault = (typeof idFaults)[number];

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
  /** How a list is ordered, where not as it was filled. */
  order?: 'newest-first';
  /** The values stored for omitted properties. */
  defaults?: Readonly<Record<string, unknown>>;
  /** The treatment of an undescribed field in the body; an undescribed id is refused too. */
  otherField?: 'stored' | AnswerForm;
  /** The refusal of a category that no item has. */
  unknownCategory?: AnswerForm;
  emptyName?: AnswerForm;
  /** The refusal of names of more characters than a maximum. */
  longName?: { max: number; tooLong: AnswerForm };
  /** Which items count as repeated, by one property or the whole body, and their refusal. */
  repeated?: { by: string; answer: AnswerForm };
  ids?: 'random' | 'random-64';
  anyMediaType?: boolean;
  maxBody?: number;
  idForms?: Partial<Record<IdFault, AnswerForm>>;
  /** The headers of a deprecated operation. */
  deprecation?: Readonly<Record<string, string>>;
  afterRemoval?: 'still-served';
  /** The answer of an operation whose payload is not shown. */
  payload?: AnswerForm;
  /** The errors of the twin, by their own code. */
  errors: Partial<Record<ErrorCode, AnswerForm>>;
  window?: Period;
  /** The ban policy, instead of that of the plans. */
  ban?: BanPolicy | false;
  anonymous?: { limit: number; remaining: number } | 'none';
  head?: AnswerForm;
  cors?: 'with-origin' | 'none';
  /** Members of items that are not described. */
  members?: Readonly<Record<string, unknown>>;
  /**
   * By `operationId status`, `unknown-path status`, `other-method status` and `HEAD status`, and `*`
   * for every response.
   */
  headers?: Readonly<Record<string, HeaderPins>>;
};
