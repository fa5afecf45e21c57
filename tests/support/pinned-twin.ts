import { onTestFinished } from 'vitest';
import { createTwin, type TwinSettings } from '../../package/twin.ts';
import { readAnswer } from './create-send.ts';
import { bearer } from './twin.ts';
import { withJson } from './with-json.ts';

/** An overlay that pins silences to answers, by their ids. */
export function toPins(answers: Readonly<Record<string, unknown>>): object {
  return {
    overlay: '1.0.0',
    info: { title: 'Pins', version: '1' },
    actions: [
      {
        target: '$',
        update: { 'x-pinned': { target: 'http://shop.test/v1', at: '2026-11-22T12:00:00Z' } },
      },
      ...Object.entries(answers).map(([id, answer]) => ({
        target: `$['x-silences'][?@.id=='${id}']`,
        update: { 'x-pin': { answer, evidence: ['GET /pets: 200'], times: 3 } },
      })),
    ],
  };
}

/** Describes what was answered: the status, the headers, and the JSON or else the text. */
export type Got = { status: number; headers: Headers; body: unknown };

/** Starts a twin with pins, and gives what calls it. */
export async function startPinned(
  answers: Readonly<Record<string, unknown>>,
  settings: TwinSettings = {},
): Promise<(path: string, init?: RequestInit) => Promise<Got>> {
  const twin = await createTwin({ ...settings, pins: toPins(answers) });
  onTestFinished(() => twin.close());
  // A minute that ended between two calls would begin the counts anew.
  await twin.clock.freeze('2026-01-15T12:00:00Z');
  return async (path, init = {}) => {
    const base = path.startsWith('/__') ? twin.origin : twin.url;
    const headers = { ...bearer('demo-enterprise'), ...(init.headers as Record<string, string>) };
    const answer = await readAnswer(
      await fetch(base + path, { redirect: 'manual', ...init, headers }),
    );
    return { ...answer, body: toBody(answer.text) };
  };
}

/** Returns a request that sends a body as JSON. */
export function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return withJson('POST', body, headers);
}

function toBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
