import { findListRules } from '../../contracts/description/collections/list-rules.ts';
import {
  type ApiDocument,
  findResource,
  type Operation,
} from '../../contracts/description/document.ts';
import { describeShown } from '../../contracts/description/marks.ts';
import type { TextAnswer } from '../answers/answer.ts';
import { itemsAt } from '../documented/items-at.ts';
import { makeSequence, type Sequence, textsOf } from '../documented/sequences.ts';
import { compilerOf } from '../json/compile-once.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { createMakeFitting } from '../json/make-fitting.ts';
import { oncePer } from '../json/once-per.ts';

/** Writes what an operation answers as JSON as a sequence instead. */
export type ToSequence = (
  sequence: Sequence,
  value: unknown,
) => Pick<TextAnswer, 'text' | 'mediaType'>;

/** Makes what writes the items of a list, or of another answer items that are made for the sequence. */
export function createToSequence(document: ApiDocument, operation: Operation): ToSequence {
  const resource = operation.kind === 'list' ? findResource(document, operation) : undefined;
  const makeFitting = createMakeFitting({
    compileSchema: compilerOf(document),
    mark: 'writeOnly',
    describe: (inner) => describeShown(document, inner),
  });
  const textOf = oncePer((sequence: Sequence) =>
    sequence.write(textsOf(makeSequence(sequence, makeFitting))),
  );
  let pointer: readonly string[] | undefined;
  return (sequence, value) => {
    pointer ??= resource ? findListRules(document.raw, operation, resource.item).form.pointer : [];
    const items = itemsAt(value, pointer);
    const text = items ? sequence.write(items.map((item) => stringifyExact(item))) : undefined;
    return { text: text ?? textOf(sequence), mediaType: sequence.content.fullType };
  };
}
