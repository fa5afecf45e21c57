import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it, onTestFinished, vi } from 'vitest';
import { mountAdmin } from '../../../mock/admin/admin.ts';

it('is made at its first call, as its document would delay the start', async () => {
  const app = express().use('/v1', (_, response) => response.sendStatus(204));
  const toOptions = vi.fn<Parameters<typeof mountAdmin>[1]>(() => {
    throw new Error('made');
  });
  mountAdmin(app, toOptions);
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  onTestFinished(() => void server.close().closeAllConnections());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await fetch(`${origin}/v1/pets`)).status).toBe(204);
  expect(toOptions).not.toHaveBeenCalled();
  await fetch(`${origin}/__admin/health`);
  expect(toOptions).toHaveBeenCalledOnce();
});
