import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { indexDocument } from '../../../../contracts/description/document.ts';
import { noContent } from '../../../../mock/answers/answer.ts';
import { type AdminHandlers, mountAdmin } from '../../../../mock/extras/admin/admin.ts';
import { createExpressApps } from '../../../../mock/http/express-apps.ts';
import { initLocals } from '../../../../mock/http/locals.ts';
import type { Sandbox } from '../../../../mock/sandboxes/sandbox.ts';
import { projectFile } from '../../../support/twin.ts';

/** The origin of an admin whose import of a snapshot does this, and whose bodies are large. */
async function serveAdmin(putSnapshot: AdminHandlers[string]): Promise<string> {
  const { classes, create } = createExpressApps();
  const app = create();
  const sandbox = { change: (act) => act() } as Sandbox;
  const document = indexDocument(
    JSON.parse(readFileSync(projectFile('mock/extras/admin/openapi.json'), 'utf8')),
  );
  app.use((_, response, next) => {
    initLocals(response, sandbox);
    next();
  });
  mountAdmin(app, {
    document,
    groups: {
      twin: async () => ({ getHealth: () => noContent }),
      snapshots: async () => ({ putSnapshot }),
    },
    enter: () => sandbox,
    record: () => {},
    loopback: true,
    origins: [],
    pages: {},
    toAnswer: () => noContent,
  });
  const server = createServer(classes, app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('parses a large body only once the call before it is done', async () => {
  const events: string[] = [];
  const started = Promise.withResolvers<void>();
  const origin = await serveAdmin(async () => {
    started.resolve();
    // Another body that is refused at once would be answered meanwhile.
    for (let call = 0; call < 20; call++) await fetch(`${origin}/__admin/health`);
    await setImmediate();
    events.push('imported');
    return noContent;
  });
  const put = (name: string, body: string) =>
    fetch(`${origin}/__admin/snapshots/${name}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
  const first = put('first', '{"version":1,"collections":{}}');
  await started.promise;
  const { status } = await put('second', '{');
  events.push(`refused with ${status}`);
  expect((await first).status).toBe(204);
  expect(events).toEqual(['imported', 'refused with 400']);
});

it('continues with the next large body after a call that failed', async () => {
  let calls = 0;
  const origin = await serveAdmin(() => {
    calls += 1;
    throw new Error('no');
  });
  for (let call = 0; call < 2; call++)
    await fetch(`${origin}/__admin/snapshots/a`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: '{"version":1,"collections":{}}',
    });
  expect(calls).toBe(2);
});
