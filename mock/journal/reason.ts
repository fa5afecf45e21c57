/** The steps that can give a request its answer, in the order that a request meets them. */
export const steps = [
  'connection',
  'guard',
  'sandbox',
  'options',
  'routing',
  'credentials',
  'limits',
  'forced',
  'fault',
  'removal',
  'query',
  'body',
  'magic',
  'behaviour',
  'failure',
] as const;

export type Step = (typeof steps)[number];

/** The step that gave a request its answer, and what it went by. */
export type Reason = { step: Step; [detail: string]: unknown };
