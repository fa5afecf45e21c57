import { once } from './once-per.ts';

/**
 * Gives an object members that are made together when one of them is first read: of the resources of
 * a large document, few are ever asked for all that is known of them.
 */
export function addLate<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  names: readonly Name[],
  make: () => Partial<Pick<Owner, Name>>,
): void {
  const made = once(make);
  for (const name of names)
    Object.defineProperty(owner, name, {
      ...enumerable,
      get(this: Owner) {
        const value = made()[name];
        Object.defineProperty(this, name, { ...enumerable, writable: true, value });
        return value;
      },
    });
}

/** Returns a copy without some members that shares late members with its original, made or not. */
export function copyLate<Owner extends object>(
  owner: Owner,
  without: readonly (keyof Owner)[] = [],
): Owner {
  const members = Object.getOwnPropertyDescriptors(owner);
  for (const name of without) delete members[name];
  return Object.defineProperties({}, members) as Owner;
}

const enumerable = { enumerable: true, configurable: true };
