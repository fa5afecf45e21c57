import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { maxUnread, reserveUnread } from '../../../../mock/http/send-answer.ts';
import { startTwin } from '../../../support/twin.ts';
import { writeJson } from '../../../support/write-json.ts';

// Alone in its process, as what is unread is counted for all mocks of a process.
it('makes and changes no sandbox where its answer has no room beside those that are unread', async () => {
  const names = Array.from({ length: 3000 }, (_, index) => `plan-${index}`);
  const figures = { perMinute: 1, perDay: 1 };
  const plans = Object.fromEntries(names.map((name) => [name, figures]));
  const { origin } = await startTwin({ plans: await writeJson({ plans }) });
  const sandboxes = async (path: string, init: RequestInit = {}) => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${origin}/__admin/sandboxes/${path}`, { headers, ...init });
    return { status: response.status, body: (await response.json()) as { settings?: object } };
  };
  const put = (path: string, body: string) => sandboxes(path, { method: 'PUT', body });
  expect((await put('old', '{"seed":7}')).status).toBe(201);

  const reader = new ServerResponse(new IncomingMessage(new Socket()));
  expect(reserveUnread(reader, maxUnread)).toBe(true);
  for (const [path, body] of [
    ['new', '{"seed":8}'],
    ['old', JSON.stringify({ seed: 8, plans })],
  ] as const)
    expect(await put(path, body)).toMatchObject({ status: 503, body: { code: 'unread_answers' } });
  reader.emit('close');

  expect((await sandboxes('new')).status).toBe(404);
  expect((await sandboxes('old')).body.settings).toMatchObject({ seed: 7 });
  expect((await put('new', '{"seed":8}')).status).toBe(201);
});
