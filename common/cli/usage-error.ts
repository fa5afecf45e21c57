/** A request that cannot be met; the message tells a person what to change. */
export class UsageError extends Error {}

/** Several mistakes in what an option gives: the message has a line for each after the first. */
export class MistakesError extends UsageError {}

/** The document cannot be used; the message says what is wrong with which file. */
export class DocumentError extends UsageError {}
