import type { ReasonView, Step } from '../../journal/reason.ts';

const byTool = 'describe_api with this "operation" shows what it takes.';

/** The changes that lead to another response, by the step that gave it. */
const hints: Partial<Record<Step, string>> = {
  guard: 'Call the URL that describe_api shows, with its host.',
  domain: 'Call the URL that describe_api shows instead of a custom domain.',
  routing: 'Correct the path or the method; describe_api lists them, and shows the base path.',
  credentials: 'Send a key that describe_api lists, where the operation expects it.',
  limits:
    'Let the client wait as Retry-After says. In a test, move the clock (time, "advance") or end it (break_it, "lift").',
  forced: 'The client asked for it with Prefer or a __ parameter: leave that out.',
  fault: 'A rule of set_response or break_it answered: break_it "remove" with its id ends it.',
  forwarded: 'The real service answered: look there, or start the mock without --forward.',
  removal: 'Call the operation that replaces it, or freeze the clock before that date (time).',
  query: `Correct the parameter. ${byTool}`,
  body: `Correct the body. ${byTool}`,
  magic: 'The id or the name is a magic value: use another one.',
  behaviour: 'Look at what is stored (data), and at what the operation does (describe_api).',
};

/** Says what to change so that a call gets another response; undefined if nothing failed. */
export function hintOf(status: number | null, { step }: ReasonView): string | undefined {
  return status === null || status >= 400 || step === 'fault' ? hints[step] : undefined;
}
