import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../common/json.ts';
import type { Operation, Parameter } from '../../openapi/index.ts';

/** The values that a request has. */
type SentValues = {
  params: Readonly<Record<string, string>>;
  /** By their places. */
  parameters?: Readonly<Record<Parameter['in'], Readonly<Record<string, unknown>>>> | undefined;
  body?: unknown;
};

/** How the only example of a part is called, which has no name in the document. */
const nameless = 'example';

/**
 * Creates the search for the example of an operation that a request is like: in each parameter and
 * body that has an example of this name. Only the given names are found. Undefined where no request
 * can be like any.
 */
export function createFindLike(
  { parameters, body }: Operation,
  names: readonly string[],
): ((sent: SentValues) => string | undefined) | undefined {
  const sent = new Set([...parameters, ...(body ? [body] : [])].flatMap(namesIn));
  const paired = names.filter((name) => sent.has(name) && name !== nameless);
  if (paired.length === 0) return undefined;
  return ({ params, parameters: values, body: given }) => {
    const sentAs = ({ name, in: place }: Parameter) =>
      place === 'path' ? params[name] : values?.[place][name];
    return paired.find(
      (name) =>
        parameters.every(
          (one) => !Object.hasOwn(one.examples, name) || isAlike(one.examples[name], sentAs(one)),
        ) &&
        (!body ||
          !Object.hasOwn(body.examples, name) ||
          isDeepStrictEqual(body.examples[name], given)),
    );
  };
}

function namesIn({ examples }: Pick<Parameter, 'examples'>): string[] {
  return Object.keys(examples);
}

/** Whether a parameter, of which numbers are texts, has the value of an example. */
function isAlike(example: unknown, value: unknown): boolean {
  if (Array.isArray(example) && Array.isArray(value))
    return example.length === value.length && example.every((one, at) => isAlike(one, value[at]));
  if (!isObject(example) || !isObject(value)) return String(example) === String(value);
  const names = new Set([...Object.keys(example), ...Object.keys(value)]);
  return [...names].every((name) => isAlike(example[name], value[name]));
}
