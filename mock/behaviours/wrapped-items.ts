import { findWrappedBody } from '../../contracts/description/collections/body-schema.ts';
import { findWrappedItem } from '../../contracts/description/collections/item-form.ts';
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
import { stringifyExact } from '../../contracts/json-text.ts';
import type { ErrorProblem } from '../answers/answer.ts';
import { createOmitUnshown } from '../items/omit-unshown.ts';
import { type ByteText, parseExact, toByteText } from '../json/exact-json.ts';
import { createMakeFitting } from '../json/make-fitting.ts';
import type { CompileSchema } from '../json/validator.ts';
import type { Behaviour, ItemOperation } from './behaviour.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An item as an answer holds it: its schema, and what makes the answer, if more than the item. */
export type ShownItem = { schema: Schema; wrap?: (json: ByteText) => ByteText };

type ShownOptions = { document: ApiDocument; resource: Resource; compileSchema: CompileSchema };

/**
 * How a response holds an item: as it is, or in an object such as `{"article": {...}}`, the other
 * members of which are those of its example or made. Undefined where it has neither JSON nor XML.
 */
export function findShownItem(
  response: ResponseDescription,
  { path }: Operation,
  { document, resource, compileSchema }: ShownOptions,
): ShownItem | undefined {
  const schema = heldSchemaOf(response);
  if (!schema) return undefined;
  const wrapped = findWrappedItem(document.raw, schema, path);
  const omit = createOmitUnshown(document, resource, wrapped?.schema ?? schema);
  if (!wrapped) return { schema, ...(omit && { wrap: omit }) };
  const makeFitting = createMakeFitting({
    compileSchema,
    mark: 'writeOnly',
    describe: (inner) => describeShown(document, inner),
  });
  let before: ByteText | undefined;
  const toStart = (): ByteText => {
    const examples = Object.values(response.examples);
    const made = makeFitting(schema, { seed: 1, examples, full: false });
    const { [wrapped.property]: _, ...others } = toFields(parseExact(made?.text ?? '{}').value);
    const text = stringifyExact({ ...others, [wrapped.property]: 0 });
    return toByteText(text.slice(0, -2));
  };
  return {
    schema: wrapped.schema,
    wrap(json) {
      before ??= toStart();
      return `${before}${omit ? omit(json) : json}}` as ByteText;
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
  const { property } = wrapped;
  const toWhole = (one: ErrorProblem): ErrorProblem =>
    one.in === 'body' ? { ...one, pointer: `/${toToken(property)}${one.pointer}` } : one;
  return async (call) => {
    const { body } = call;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return behaviour(call);
    const answer = await behaviour({ ...call, body: (body as Fields)[property] ?? {} });
    const error = 'error' in answer ? answer.error : undefined;
    if (!error?.problems) return answer;
    return { ...answer, error: { ...error, problems: error.problems.map(toWhole) } };
  };
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}
