import { expect, it } from 'vitest';
import type { Contender } from '../../tools/bench/server-process.ts';
import { measureServer } from '../../tools/corpus/large/measure-server.ts';
import { toLargePage } from '../../tools/corpus/large/to-large-page.ts';

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

it('writes down what each mock needs for each document', () => {
  const figures = {
    processorTime: 1500,
    memoryAtStart: 200.4,
    memory: 300,
    calls: [1.25, 20, 90],
    unanswered: 0,
    longestBlock: 88,
  };
  const page = toLargePage(
    [
      {
        name: 'A',
        operations: 3,
        withState: 2,
        crudShaped: 4,
        crudWithState: 1,
        figures: { Ours: figures, Theirs: { ...figures, unanswered: 2 }, Others: undefined },
      },
    ],
    { mocks: { Ours: '1', Theirs: '2' }, date: '2026-01-02', machine: 'Node v1, 2 CPUs' },
  );
  expect(page).toContain('on 2026-01-02 (Node v1, 2 CPUs)');
  expect(page).toContain(
    '| A | 3 | 2 | 1 of 4 | Ours | 1.5 s | 200 MB | 300 MB | 20 ms | 90 ms | 88 ms |',
  );
  expect(page).toContain('| 2 without an answer |');
  expect(page).toContain('|  |  |  |  | Others | no answer |');
});
