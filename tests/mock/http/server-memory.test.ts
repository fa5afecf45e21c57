import { once } from 'node:events';
import { Agent, type ServerResponse, request as send } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createTwinServer } from '../../../mock/http/server.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it('keeps no answered request of a connection that stays open', async () => {
  const answered: WeakRef<ServerResponse>[] = [];
  const server = createTwinServer(
    (request, response) => {
      answered.push(new WeakRef(response));
      request.resume().once('end', () => response.end());
    },
    { headers: () => [], record: () => {} },
  );
  const port = await server.listen(0, '127.0.0.1');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [response] = await once(send({ port, agent, method: 'POST' }).end('{}'), 'response');
  await once(response.resume(), 'end');
  for (let round = 0; round < 50 && answered[0]?.deref(); round++) {
    await wait(20);
    collect();
  }
  expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
  expect(answered.map((one) => one.deref())).toEqual([undefined]);
  agent.destroy();
  await server.close();
});
