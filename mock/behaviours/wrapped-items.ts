import { findWrappedItem } from '../../contracts/description/collections/item-form.ts';
import { findWrappedBody, shownIn } from '../../contracts/description/collections/success.ts';
import { heldSchemaOf } from '../../contracts/description/content.ts';
import type {
  ApiDocument,
  Operation,
  Resource,
  ResponseDescription,
  Schema,
} from '../../contracts/description/document.ts';
import { toToken } from '../../contracts/description/json-pointer.ts';
import { describeShown } from '../../contracts/description/marks.ts';
import { valueIn } from '../../contracts/description/property-path.ts';
import { isObject } from '../../contracts/description/schema.ts';
import { stringifyExact } from '../../contracts/json-text.ts';
import type { ErrorProblem } from '../answers/answer.ts';
import { createOmitUnshown } from '../items/omit-unshown.ts';
import { type ByteText, parseExact, toByteText } from '../json/exact-json.ts';
import { createMakeFitting } from '../json/make-fitting.ts';
import type { CompileSchema } from '../json/validator.ts';
import type { Behaviour, ItemOperation } from './behaviour.ts';

/** An item as an answer holds it: its schema, and what makes the answer, if more than the item. */
export type ShownItem = { schema: Schema; wrap?: (json: ByteText) => ByteText };

type ShownOptions = { document: ApiDocument; resource: Resource; compileSchema: CompileSchema };

/**
 * How a response holds an item: as it is, or in an object such as `{"article": {...}}`, the other
 * members of which are those of its example or made. Undefined where it has neither JSON nor XML.
 */
export function findShownItem(
  response: ResponseDescription,
  operation: Operation,
  { document, resource, compileSchema }: ShownOptions,
): ShownItem | undefined {
  const schema = heldSchemaOf(response);
  if (!schema) return undefined;
  const wrapped = findWrappedItem(document.raw, schema, shownIn(operation));
  const omit = createOmitUnshown(document, resource, wrapped?.schema ?? schema);
  if (!wrapped) return { schema, ...(omit && { wrap: omit }) };
  if (wrapped.pointer[0] === '0' && wrapped.pointer.length === 1)
    return {
      schema: wrapped.schema,
      wrap: (json) => `[${omit ? omit(json) : json}]` as ByteText,
    };
  const make = createMakeShown({ document, compileSchema });
  const [name = '', ...inArray] = wrapped.pointer;
  const [start, end] = inArray.length > 0 ? ['[', ']}'] : ['', '}'];
  let before: ByteText | undefined;
  const toStart = (): ByteText => {
    const made = make(schema, Object.values(response.examples));
    const { [name]: _, ...others } = isObject(made) ? made : {};
    const text = stringifyExact({ ...others, [name]: 0 });
    return toByteText(text.slice(0, -2) + start);
  };
  return {
    schema: wrapped.schema,
    wrap(json) {
      before ??= toStart();
      return `${before}${omit ? omit(json) : json}${end}` as ByteText;
    },
  };
}

/** A behaviour that is given the fields of its body alone, where a property of it holds them. */
export function withUnwrappedBody(
  behaviour: Behaviour,
  { document, operation }: Pick<ItemOperation, 'document' | 'operation'>,
): Behaviour {
  const wrapped = findWrappedBody(document.raw, operation);
  if (!wrapped) return behaviour;
  const { pointer } = wrapped;
  const prefix = pointer.map((one) => `/${toToken(one)}`).join('');
  const toWhole = (one: ErrorProblem): ErrorProblem =>
    one.in === 'body' ? { ...one, pointer: `${prefix}${one.pointer}` } : one;
  return async (call) => {
    const { body } = call;
    const isHeld = typeof body === 'object' && body !== null;
    if (!isHeld || Array.isArray(body) !== (pointer[0] === '0')) return behaviour(call);
    const answer = await behaviour({ ...call, body: valueIn(body, pointer) ?? {} });
    const error = 'error' in answer ? answer.error : undefined;
    if (!error?.problems) return answer;
    return { ...answer, error: { ...error, problems: error.problems.map(toWhole) } };
  };
}

/** Makes what makes a value that an answer shows, as like its examples as the schema allows. */
export function createMakeShown({
  document,
  compileSchema,
}: Pick<ShownOptions, 'document' | 'compileSchema'>) {
  const makeFitting = createMakeFitting({
    compileSchema,
    mark: 'writeOnly',
    describe: (inner) => describeShown(document, inner),
  });
  return (schema: Schema, examples: readonly unknown[] = []): unknown => {
    const made = makeFitting(schema, { seed: 1, examples, full: false });
    return made && parseExact(made.text).value;
  };
}
