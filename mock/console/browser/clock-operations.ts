import type { Operation } from '../../pages/browser/admin.ts';

/** Moves the clock of the sandbox. */
export function setClock(change: {
  action: 'freeze' | 'advance' | 'reset';
  instant?: string;
  durationMillis?: unknown;
}): Operation {
  return { method: 'PUT', path: 'clock', body: change };
}

/** Stops the clock of the sandbox at an instant, in ISO 8601. */
export function freezeAt(instant: string): Operation {
  return setClock({ action: 'freeze', instant });
}
