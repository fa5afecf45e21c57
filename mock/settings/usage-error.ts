/** A setting is wrong; the message says which, what was expected, and where it came from. */
export class UsageError extends Error {}

/** Several mistakes in what a setting gives: the message has a line for each after the first. */
export class MistakesError extends UsageError {}
