import { toErrorAnswer, toJsonAnswer } from '../http/answer.ts';
import type { AdminHandlers } from './admin.ts';

/** Tell whether the twin is ready, bring a sandbox back to the start, and show the admin's own description. */
export function createTwinHandlers({ isReady, description }: { isReady: () => boolean; description: string }): AdminHandlers {
  const notReady = toErrorAnswer('starting_or_stopping', 'The twin is not ready. Ask again.', { 'Retry-After': '1' });
  return {
    getHealth: () => (isReady() ? toJsonAnswer({ status: 'ready' }) : notReady),
    reset: async ({ sandbox }) => {
      await sandbox.reset();
      return toJsonAnswer({ status: 'reset' });
    },
    getDescription: () => ({ status: 200, json: description }),
  };
}
