/** A setting is wrong; the message says which, what was expected, and where it came from. */
export class UsageError extends Error {}
