import { DocumentError } from '../../common/cli/usage-error.ts';
import { stringifyExact } from '../../common/json.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import type { Api, ListRules, Operation } from '../../openapi/index.ts';
import type { AnswerForm } from '../answers/answer.ts';
import { createDeprecation } from '../call/deprecation.ts';
import type { InputRules } from '../call/operation-input.ts';
import type { ExtraParts } from '../extra.ts';
import { createCors } from '../http/cors.ts';
import { pinRows } from './pins/answers.ts';
import { PinError } from './pins/parse-answer.ts';
import { createPinnedStep } from './pins/pinned-items.ts';
import { createPinnedDeprecation, createPinnedSend } from './pins/pinned-send.ts';
import type { LimitAnswer, LimitFault, Pins } from './pins/pins.ts';

/** Returns the parts by which pins change the calls of a document. */
export function toPinnedParts(pins: Pins, document: Api): ExtraParts {
  return {
    steps: [
      { phase: 'around kind', order: 20, of: createPinnedStep(pins, document) },
      { phase: 'before sending', order: 10, of: () => createPinnedSend(pins) },
    ],
    values: () => ({
      ...(pins.cors === 'none' && { cors: createCors(false) }),
      inputRules: (operation) => toInputRules(operation, pins),
      deprecationOf(operation) {
        const made = createDeprecation(operation, document);
        return made && createPinnedDeprecation(made, pins);
      },
    }),
  };
}

/**
 * How the twin behaves by the pins of a document; undefined where it has none. Throws a
 * DocumentError for a silence that cannot be pinned, and for an answer that it cannot have.
 */
export function readPins({ silences }: Pick<Api, 'silences'>): Pins | undefined {
  const pinned = silences.filter(({ pin }) => pin !== undefined);
  if (pinned.length === 0) return undefined;
  const pins: Pins = { errors: {} };
  for (const { id, pin } of pinned) {
    const row = Object.hasOwn(pinRows, id) ? pinRows[id] : undefined;
    if (row === undefined || typeof row === 'string')
      throw new DocumentError(
        `The pin of ${id} cannot be used: ${row ?? 'the mock has no setting for this silence'}.`,
      );
    try {
      const { errors, ...change } = row.parse(pin?.answer);
      Object.assign(pins, change);
      Object.assign(pins.errors, errors);
    } catch (error) {
      if (!(error instanceof PinError)) throw error;
      throw new DocumentError(
        `The pin of ${id} cannot be used: ${toExcerpt(stringifyExact(pin?.answer) ?? 'nothing', 80)} is not one of its values: ${row.answers}.`,
      );
    }
  }
  return pins;
}

/** Returns the rules by which pins make an operation refuse input. */
function toInputRules({ listRules }: Operation, pins: Pins): InputRules {
  const { maxBody, anyMediaType = false } = pins;
  return {
    ...(listRules && {
      refusesOthers: pins.otherParameter ?? false,
      readWrongValue: createReadWrongValue(listRules, pins),
    }),
    body: { anyMediaType, ...(maxBody !== undefined && { limit: maxBody }) },
  };
}

/** The treatment of a wrong value: a replacement, none, or a refusal in a form. */
type WrongValue = { value?: string; form?: AnswerForm };

/**
 * Creates the reader of wrong values of a list's parameters, by the pins; undefined if no pin is
 * about them.
 */
function createReadWrongValue(
  { pageSize, filters }: ListRules,
  { limits, filter }: Pick<Pins, 'limits' | 'filter'>,
): ((parameter: string, text: string) => WrongValue | undefined) | undefined {
  if (!limits && filter === undefined) return undefined;
  const min = pageSize?.min ?? 1;
  const max = pageSize?.max ?? Number.MAX_SAFE_INTEGER;
  const toLimit = (text: string): WrongValue | undefined => {
    const answer = limits?.[faultOf(text, min)];
    if (answer === undefined) return undefined;
    return readLimit(answer, text, { min, max });
  };
  return (parameter, text) => {
    if (parameter === pageSize?.name) return toLimit(text);
    if (!filters.includes(parameter) || filter === undefined) return undefined;
    if (filter === 'ignored') return {};
    return filter === 'empty-list' ? { value: text } : { form: filter };
  };
}

/** Returns the fault in the text of a page size. */
function faultOf(text: string, min: number): LimitFault {
  if (text === '0' && min > 0) return 'zero';
  if (!/^-?\d+$/.test(text)) return 'text';
  return Number(text) < min ? 'below' : 'above';
}

function readLimit(
  answer: LimitAnswer,
  text: string,
  { min, max }: { min: number; max: number },
): WrongValue {
  if (typeof answer === 'object') return { form: answer };
  if (answer === 'ignored') return {};
  if (answer === 'empty-list') return { value: '0' };
  const number = Number.parseInt(text, 10);
  return Number.isNaN(number) ? {} : { value: String(Math.min(max, Math.max(min, number))) };
}
