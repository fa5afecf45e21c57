import { messageOf } from '../../common/look/visible.ts';

/** Does parts of a work so that a bug in the suite in one leaves the others standing. */
export interface Guard {
  /** Descriptions of the failures, a sentence each, in order. */
  readonly defects: readonly string[];
  /** Does a part, and gives what `instead` gives where it fails; `what` names the part. */
  run<T>(what: string, instead: () => T, part: () => T): T;
  /** Notes that a part failed. */
  note(what: string, error: unknown): void;
}

export function createGuard(): Guard {
  const defects: string[] = [];
  const note = (what: string, error: unknown) => {
    const defect = `${what} failed (${messageOf(error)})`;
    // What is done for every call fails for every call.
    if (!defects.includes(defect)) defects.push(defect);
  };
  return {
    defects,
    note,
    run(what, instead, part) {
      try {
        return part();
      } catch (error) {
        note(what, error);
        return instead();
      }
    },
  };
}
