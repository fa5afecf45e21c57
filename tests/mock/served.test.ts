import { connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import { startTwin } from '../support/twin.ts';

it('gives sandboxes their own settings alone, and no secret of the twin', async () => {
  const { app } = await startTwin({ pets: 0, adminToken: 's3cret' });
  const { settings } = app.served.initialState;
  expect(Object.keys(settings).toSorted()).toEqual(['items', 'policy', 'rateLimits', 'seed']);
});

it('serves what was asked for last, made of what was asked for before', async () => {
  const { app } = await startTwin({ pets: 0 });
  const { promise: read, resolve } = Promise.withResolvers<void>();
  const titles: string[] = [];
  const serve = (title: string, ready?: Promise<void>) =>
    app.serve(async (before) => {
      titles.push(before.document.title);
      await ready;
      return { ...before, document: { ...before.document, title } };
    });
  const both = Promise.all([serve('First', read), serve('Second')]);
  setImmediate(resolve);
  await both;
  expect([...titles, app.served.document.title]).toEqual(['Pet Store Service', 'First', 'Second']);
});

it('goes on serving what it did, and what is asked for next, where one cannot be served', async () => {
  const { app } = await startTwin({ pets: 0 });
  const broken = app.serve(() => Promise.reject(new Error('broken')));
  const { document } = app.served;
  const next = app.serve((before) => ({ ...before, document: { ...document, title: 'Next' } }));
  await expect(broken).rejects.toThrow('broken');
  await next;
  expect(app.served.document.title).toBe('Next');
});

it('lets go of a sandbox whose client left before it was entered', async () => {
  const { app, origin } = await startTwin({ pets: 1, maxSandboxes: 1 });
  const { hostname, port } = new URL(origin);
  const entered = vi.spyOn(app.sandboxes, 'enter');
  const socket = connect(Number(port), hostname);
  // The first call of the admin loads it.
  socket.write(`GET /__admin/requests HTTP/1.1\r\nHost: ${hostname}\r\nX-Sandbox: a\r\n\r\n`);
  socket.once('connect', () => setImmediate(() => socket.destroy()));
  await expect.poll(() => entered.mock.calls).toEqual([['a']]);
  const findAfterUse = () => {
    app.sandboxes.get('b');
    app.sandboxes.get('c');
    return app.sandboxes.find('a');
  };
  await expect.poll(findAfterUse).toBeUndefined();
});
