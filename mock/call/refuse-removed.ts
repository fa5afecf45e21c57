import { localsOf } from '../http/locals.ts';
import type { CreateStep } from './step.ts';

/** Refuses a call of an operation that is removed (410). */
export const refuseRemoved: CreateStep = ({ operation, deprecation }, { send }) =>
  deprecation &&
  ((_, response, next) => {
    const { sandbox, prefix } = localsOf(response);
    const refusal = deprecation.refusal(sandbox.clock.now(), prefix);
    if (!refusal) return next();
    const sunset = new Date(operation.sunset ?? 0).toISOString();
    send(response, refusal, { step: 'removal', sunset });
  });
