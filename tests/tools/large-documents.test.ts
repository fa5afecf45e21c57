import { expect, it } from 'vitest';
import type { Contender } from '../../tools/bench/server-process.ts';
import { measureServer } from '../../tools/corpus/large/measure-server.ts';

/** A server that runs this for each request. */
function serverOf(answer: string): Contender {
  const script = `require('node:http').createServer((request, response) => { ${answer} })
    .listen(Number(process.argv[1]), '127.0.0.1');`;
  return { name: 'server', basePath: '/v1', args: (port) => ['-e', script, String(port)] };
}

const calls = ['/a', '/b', '/c'].map((target) => ({
  method: 'GET',
  target,
  headers: {},
  body: undefined,
}));

it('measures the start, the first calls and the memory of a server', async () => {
  const ends = "if (request.url === '/v1/b') response.destroy(); else response.end();";
  const figures = await measureServer(serverOf(ends), calls);
  expect(figures).toMatchObject({ unanswered: 1, calls: [expect.any(Number)] });
  const { memoryAtStart = 0, memory = 0, processorTime = 0 } = figures ?? {};
  expect(processorTime).toBeGreaterThan(0);
  expect(memoryAtStart).toBeGreaterThan(10);
  expect(memory).toBeGreaterThanOrEqual(memoryAtStart);
});

it('says where a server does not answer', async () => {
  const none = { ...serverOf(''), args: () => ['-e', ''] };
  expect(await measureServer(none, calls)).toBeUndefined();
});
