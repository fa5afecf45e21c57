/** Modules that are loaded where a document has rules. */

export { createCallers } from './rules/callers.ts';
export { createCountStep } from './rules/counting-store.ts';
export { createErrorStep } from './rules/error-rules.ts';
export { createRulesStep } from './rules/rules-step.ts';
export { createTimeStep } from './rules/time-form.ts';
export { findWrongNames } from './rules/wrong-names.ts';
