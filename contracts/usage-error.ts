/** The command cannot run as it was called; the message says what to change. */
export class UsageError extends Error {}
