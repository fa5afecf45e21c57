import type { Extra } from '../extra.ts';
import { createForcedSteps } from './forced/forced-steps.ts';

/** Responses on demand: preferences, faults with their operations of the admin, magic values. */
export const forced: Extra = ({ served, settings, tools, sendOfOperations: send }) => {
  const { document, keys } = served;
  return {
    stepsInsteadOf: (operation, { security }) =>
      createForcedSteps(operation, { ...tools, ...settings, send, document, security }),
    groups: {
      async faults() {
        const { createFaultHandlers } = await import('./late.ts');
        const names = {
          collections: document.resources.map(({ name }) => name),
          operations: document.operations.map(({ id }) => id),
          keys: keys.map(({ name }) => name),
        };
        return createFaultHandlers(names);
      },
    },
  };
};
