import type { Answered } from '../transcript/exchange.ts';
import { answeredFor } from '../transcript/transcript.ts';
import {
  countParts,
  probesOf,
  type Reader,
  shortForm,
  toCommonForm,
  toForm,
  toShortest,
  varied,
} from './reading.ts';

/**
 * What a path that no operation has is answered with, and a method that a path lacks. That of a
 * path with an id may be about the id, so a collection is asked too, and told apart where it
 * answers otherwise.
 */
export const readUnknownPath: Reader = (source) => {
  const path = [...probesOf(source, 'unknown-path').values()].flat();
  const methods = answeredFor(source.transcript, 'protocol').filter(
    ({ case: { purpose } }) => purpose.rule === 'method',
  );
  const { list, read } = source.resource.operations;
  const isOf = (operation: unknown) => (one: Answered) =>
    operation !== undefined && one.case.parametersOf === operation;
  const collection = methods.filter(isOf(list));
  const method = read ? methods.filter(isOf(read)) : collection;
  const shown = [...path, ...methods];
  if (shown.length === 0) return undefined;
  const parts = {
    path,
    method,
    ...(isOther(collection, method) && { collectionMethod: collection }),
  };
  const answers: Record<string, unknown> = {};
  const reasons: string[] = [];
  for (const [name, answered] of Object.entries(parts)) {
    const form = toCommonForm(answered);
    if (form) answers[name] = toShortest(form);
    else if (answered.length > 0) reasons.push(`${name}: ${varied(answered).reason}`);
  }
  return {
    ...(Object.keys(answers).length > 0 && { answer: answers }),
    shown,
    parts: countParts(parts),
    ...(reasons.length > 0 && { reason: reasons.join('; ') }),
  };
};

/** Whether two groups of answers do not all look alike. */
function isOther(left: readonly Answered[], right: readonly Answered[]): boolean {
  return (
    left.length > 0 && new Set([...left, ...right].map((one) => shortForm(toForm(one)))).size > 1
  );
}
