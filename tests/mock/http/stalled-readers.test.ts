import { once } from 'node:events';
import { Agent, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { maxStall, sendAnswer } from '../../../mock/http/send-answer.ts';
import { createTwinServer } from '../../../mock/http/server.ts';
import { get } from '../../support/bad-input.ts';

it('closes the connection of a client that stops reading a large answer, and leaves the others open', async () => {
  const large = { status: 200, text: 'x'.repeat(20_000_000), mediaType: 'text/plain' };
  const responses: ServerResponse[] = [];
  const server = createTwinServer(
    (_, response) => {
      responses.push(response);
      sendAnswer(response, large, []);
    },
    { headers: () => [], record: () => {} },
  );
  onTestFinished(() => server.close());
  const port = await server.listen(0, '127.0.0.1');

  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const [whole] = await once(request({ port, agent }).end(), 'response');
  const { socket } = (responses[0] as ServerResponse).req;
  await once(whole.resume(), 'end');
  await expect.poll(() => [socket.destroyed, socket.timeout]).toEqual([false, 66_000]);

  const reader = connect(port, '127.0.0.1');
  reader.on('error', () => {}).write(get('/'));
  await once(reader, 'readable');
  const stalled = responses[1] as ServerResponse;
  expect(stalled.req.socket.timeout).toBe(maxStall);
  // What Node emits where nothing was read for so long.
  stalled.req.socket.emit('timeout');
  if (!stalled.closed) await once(stalled, 'close');
  expect([stalled.writableFinished, stalled.req.socket.destroyed]).toEqual([false, true]);
});
