/** A call that the user has made first, with the values that later calls take from its answer. */
export type SetupCall = SetupRequest & {
  /** The places of values in the answer, by their names: `owner.login`. */
  values: Readonly<Record<string, string>>;
  /** The call that undoes it; the item that it made is deleted otherwise. */
  undo?: SetupRequest;
};

export type SetupRequest = { method: string; path: string; body?: unknown };

/** The name of a value of the setup among the values of a run. */
export function setupName(name: string): string {
  return `setup.${name}`;
}
