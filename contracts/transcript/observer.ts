/** Facts about the calls of a transcript, by who made them. */
export type Observer = {
  /**
   * Whether all calls were chosen to test the target: then their values are valid and nobody else's,
   * and a report can say what was not tried.
   */
  choosesCalls: boolean;
  /**
   * Whether the transcript has all calls with these keys and on these items, unless something shows
   * otherwise. Others may make more of them, which nobody recorded.
   */
  seesAllCalls: boolean;
  /** Whether the target is known to accept each key that is called valid. */
  provesKeys: boolean;
  /** How many faults of a kind are evidence, as somebody else may be the cause of one. */
  evidence: {
    /** Created items that are missing. */
    lostItems: number;
    /** Items that refused creates left. */
    leftItems: number;
    /** Requests that were left when a call was refused. */
    requestsLeft: number;
  };
};

/** A run of the suite: it makes all calls, and others are assumed only where something shows them. */
export const ownRun: Observer = {
  choosesCalls: true,
  seesAllCalls: true,
  provesKeys: false,
  evidence: { lostItems: 1, leftItems: 1, requestsLeft: 1 },
};

/** Calls of others, as they passed a proxy or were recorded. */
export const traffic: Observer = {
  choosesCalls: false,
  seesAllCalls: false,
  provesKeys: true,
  evidence: { lostItems: 3, leftItems: 2, requestsLeft: 4 },
};
