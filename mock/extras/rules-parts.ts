/** Modules that are loaded where a document has rules. */

export { createErrorStep } from './rules/error-rules.ts';
export { createRulesStep } from './rules/rules-step.ts';
export { createTimeStep } from './rules/time-form.ts';
