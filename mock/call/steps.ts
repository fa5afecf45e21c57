import type { RequestHandler } from 'express';
import type { Operation } from '../../contracts/description/document.ts';
import { admitCaller } from './admit.ts';
import { behave } from './behave.ts';
import { readParameters, readRequestBody, refuseUnacceptable } from './read-input.ts';
import { refuseRemoved } from './refuse-removed.ts';
import type { Called, CallOptions, CreateStep, Place } from './step.ts';

/** The steps of a call in the order in which they run; each answers, or lets the next one go on. */
const steps: readonly (CreateStep | Place)[] = [
  'before admission',
  admitCaller,
  'before input',
  refuseRemoved,
  readParameters,
  refuseUnacceptable,
  readRequestBody,
  'before behaviour',
  behave,
];

/** Makes the steps of the calls of an operation. */
export function stepsOf(operation: Operation, options: CallOptions): RequestHandler[] {
  const called: Called = {
    operation,
    deprecation: options.deprecationOf(operation),
    documented: options.documentedOf(operation.answersAs ?? operation),
  };
  const instead = options.stepsInsteadOf(operation, options);
  return steps.flatMap((step) => {
    const made = typeof step === 'string' ? instead[step] : step(called, options);
    return made ? [made] : [];
  });
}
