import type { Api, Operation, Resource } from '../../../openapi/index.ts';
import { findResource } from '../../../openapi/model/api.ts';
import type { AnswerForm } from '../../answers/answer.ts';
import type { InputRules } from '../../call/operation-input.ts';
import type { LimitAnswer, LimitFault, Pins } from './pins.ts';

/** Returns the rules by which pins make an operation refuse input. */
export function toInputRules(operation: Operation, document: Api, pins: Pins): InputRules {
  const { maxBody, anyMediaType = false } = pins;
  const resource = operation.kind === 'list' ? findResource(document, operation) : undefined;
  return {
    ...(resource && {
      refusesOthers: pins.otherParameter ?? false,
      readWrongValue: createReadWrongValue(resource, pins),
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
  { pageSize, filters }: Pick<Resource, 'pageSize' | 'filters'>,
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
