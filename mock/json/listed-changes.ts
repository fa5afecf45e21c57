import { isObject } from '../../common/json.ts';
import type { Operation, Schema, Schemas } from '../../openapi/index.ts';
import { toIdText } from './exact-json.ts';
import { ensureFew } from './json-patch.ts';

/** A step into a value: a member, or the elements of a list that have a member of a value. */
type Step = string | { name: string; text: string };

/** Finds the member of a body that lists changes of an item, each with an `op` and a `path` (RFC 7644 §3.5.2). */
export function findChanges(schemas: Schemas, operation: Operation): string | undefined {
  const { properties } = schemas.flatten(schemas.bodySchemaOf(operation));
  const isListed = (name: string) => {
    const { items } = schemas.resolve(properties[name] ?? {});
    const change = schemas.flatten(items as Schema | undefined).properties;
    return ['op', 'path', 'value'].every((one) => Object.hasOwn(change, one));
  };
  return Object.keys(properties).find(isListed);
}

/** Applies such changes, one after another, to a value. Throws {@link JsonPatchError} on too many. */
export function applyChanges(value: unknown, changes: readonly unknown[]): unknown {
  ensureFew(changes);
  return changes.filter(isObject).reduce<unknown>((whole, { op, path, value: given }) => {
    const verb = String(op).toLowerCase();
    const steps = typeof path === 'string' ? stepsOf(path) : [];
    if (steps.length > 0 || verb === 'remove') return changeAt(whole, steps, { verb, given });
    // Without a path, each member of the value is changed.
    return Object.entries(isObject(given) ? given : {}).reduce(
      (one, [name, inner]) => changeAt(one, stepsOf(name), { verb, given: inner }),
      whole,
    );
  }, value);
}

/** Reads `name.familyName`, `emails[type eq "work"].value`, `/name` and `urn:...:User:department`. */
function stepsOf(path: string): Step[] {
  const [, urn, rest = path] = /^(urn:.*[^:]):([^:]+)$/i.exec(path) ?? [];
  const found = rest.matchAll(/\[\s*(\w+) eq "?([^"\]]*)"?\s*\]|([^./[\]]+)/gi);
  const steps = [...found].map(
    ([, name, text = '', key = '']): Step => (name === undefined ? key : { name, text }),
  );
  return urn === undefined ? steps : [urn, ...steps];
}

type Change = { verb: string; given: unknown };

function changeAt(value: unknown, [step, ...rest]: readonly Step[], change: Change): unknown {
  if (step === undefined) return change.verb === 'remove' ? undefined : joined(value, change);
  if (typeof step === 'string') {
    const { [step]: own, ...others } = isObject(value) ? value : {};
    const changed = changeAt(own, rest, change);
    return changed === undefined ? others : { ...others, [step]: changed };
  }
  const list = Array.isArray(value) ? value : [];
  const isMeant = (one: unknown) => isObject(one) && toIdText(one[step.name]) === step.text;
  const isNew = change.verb !== 'remove' && !list.some(isMeant);
  return [...list, ...(isNew ? [{ [step.name]: step.text }] : [])]
    .map((one) => (isMeant(one) ? changeAt(one, rest, change) : one))
    .filter((one) => one !== undefined);
}

/** Returns a value with what is given for it: lists grow by what is added, objects by their members. */
function joined(value: unknown, { verb, given }: Change): unknown {
  if (verb === 'add' && Array.isArray(value)) return [...value, ...[given].flat()];
  return isObject(value) && isObject(given) ? { ...value, ...given } : given;
}
