import { isObject, isText } from '../../common/json.ts';
import { follow, type RawDocument } from '../schema.ts';
import { methods } from './parts.ts';
import type { Places } from './places.ts';
import { isPlainSchema } from './plain-schemas.ts';

/** Tells that a value of a field has no fault for sure. */
type IsPlain = (value: unknown, root: RawDocument) => boolean;

type Shape = Readonly<Record<string, IsPlain>>;

const isFlag: IsPlain = (value) => typeof value === 'boolean';
const isOneOf =
  (...values: readonly unknown[]): IsPlain =>
  (value) =>
    values.includes(value);

/** A reference to a component that is no reference. */
const isLink: IsPlain = (value, root) => {
  if (!isObject(value) || typeof value.$ref !== 'string' || Object.keys(value).length > 1)
    return false;
  if (!/^#\/(parameters|definitions|components\/(schemas|parameters))\//.test(value.$ref))
    return false;
  const target = follow(root, value.$ref);
  return isObject(target) && target.$ref === undefined;
};

const hasShape =
  (shape: Shape): IsPlain =>
  (value, root) =>
    isObject(value) &&
    Object.keys(value).every((key) => Object.hasOwn(shape, key) && shape[key]?.(value[key], root));

const ofParameter: Shape = {
  name: isText,
  in: isOneOf('query', 'path', 'header'),
  description: isText,
  required: isFlag,
};

/** The parts that operations share, by whether they are of Swagger 2.0. */
const shapes = {
  old: {
    parameter: hasShape({ ...ofParameter, type: isOneOf('string', 'integer', 'boolean') }),
    response: hasShape({ description: isText, schema: isLink }),
  },
  new: {
    parameter: hasShape({
      ...ofParameter,
      style: isOneOf('form', 'simple'),
      schema: (value, root) => isPlainSchema(value) || isLink(value, root),
    }),
    response: hasShape({
      description: isText,
      content: hasShape({ 'application/json': hasShape({ schema: isLink }) }),
    }),
  },
};

/**
 * Lets operations share the parameters and responses that are written alike, in place, as if they
 * referred to them: each is read once. Those that may have a fault stay, as does what `places` knows.
 */
export function shareParts(document: RawDocument, places: Places): void {
  const { parameter, response } = shapes[document.swagger === undefined ? 'new' : 'old'];
  const shared = new Map<string, RawDocument>();
  const share = (holder: RawDocument | unknown[], isPlain: IsPlain) => {
    const parts = holder as RawDocument;
    for (const [key, part] of Object.entries(parts)) {
      if (!isObject(part) || places.has(part) || !/^(\d+|default)$/.test(key)) continue;
      const isReference = isLink(part, document);
      if (!isReference && !isPlain(part, document)) continue;
      const text = isReference ? part.$ref : JSON.stringify(part);
      const first = shared.get(text);
      if (first === undefined) shared.set(text, part);
      else if (first !== part) {
        places.share(first);
        parts[key] = first;
      }
    }
  };
  for (const item of Object.values(isObject(document.paths) ? document.paths : {})) {
    if (!isObject(item)) continue;
    for (const holder of [item, ...methods.map((method) => item[method])]) {
      if (Array.isArray(holder?.parameters)) share(holder.parameters, parameter);
      if (isObject(holder?.responses)) share(holder.responses, response);
    }
  }
}
