import type { Request, Response } from 'express';
import type { Operation } from '../../contracts/description/document.ts';
import { toErrorAnswer } from '../answers/answer.ts';
import { localsOf } from '../http/locals.ts';
import type { SendApiAnswer } from '../http/send-api-answer.ts';
import type { ForceAnswer } from './force-answer.ts';
import { toPreference } from './parse-prefer.ts';
import { type Preferences, readPreferences } from './preferences.ts';

/** Answers a request instead of its operation, and returns whether it did. */
export type AnswerInstead = (request: Request, response: Response) => boolean;

/** Makes the step that honours preferences, and answers those that it cannot honour with 400. */
export function createHonourPreferences(
  operation: Operation,
  { force, send }: { force: ForceAnswer; send: SendApiAnswer },
): AnswerInstead {
  return (request, response) => {
    const preferences = readPreferences(request, operation);
    if (preferences === undefined) return false;
    const forced =
      'problem' in preferences ? preferences : force(preferences, { request, response });
    if (forced && 'problem' in forced) {
      send(response, toErrorAnswer('invalid_preference', forced.problem), { step: 'forced' });
      return true;
    }
    const locals = localsOf(response);
    const { delay, dynamic, ignored } = preferences as Preferences;
    if (ignored) locals.ignored = ignored.join(', ');
    const honoured = [...(forced?.honoured ?? (dynamic === false ? ['dynamic' as const] : []))];
    if (delay !== undefined) {
      honoured.push('delay');
      locals.delay = { milliseconds: delay, by: 'Prefer' };
    }
    if (honoured.length > 0)
      locals.applied = honoured
        .map((name) => toPreference(name, String((preferences as Preferences)[name])))
        .join(', ');
    if (!forced) return false;
    if (forced.window) locals.window = forced.window;
    send(response, forced.answer, {
      step: 'forced',
      ...(locals.applied !== undefined && { preference: locals.applied }),
    });
    return true;
  };
}
