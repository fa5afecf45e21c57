/**
 * Gives an object members that are made together when one of them is first read: of the resources of
 * a large document, few are ever asked for all that is known of them.
 */
export function addLate<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  names: readonly Name[],
  make: () => Partial<Pick<Owner, Name>>,
): void {
  const set = (made: Partial<Pick<Owner, Name>>) => {
    for (const name of names)
      Object.defineProperty(owner, name, { ...enumerable, writable: true, value: made[name] });
  };
  for (const name of names)
    Object.defineProperty(owner, name, {
      ...enumerable,
      get() {
        set(make());
        return owner[name];
      },
    });
}

const enumerable = { enumerable: true, configurable: true };
