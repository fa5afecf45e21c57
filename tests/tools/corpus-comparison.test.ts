import { expect, it } from 'vitest';
import type { Contender } from '../../tools/bench/server-process.ts';
import { compareDocument } from '../../tools/corpus/compare-document.ts';
import { findDocuments } from '../../tools/corpus/find-documents.ts';

const file =
  findDocuments().find(({ name }) => name.endsWith('3.0/json/petstore-expanded.json'))?.file ?? '';

/** A server that runs this for each request. */
function mock(name: string, answer: string): Contender {
  const script = `
    const pet = '{"id":7,"name":"First corpus item"}';
    const json = { 'Content-Type': 'application/json' };
    require('node:http').createServer((request, response) => {
      request.resume().on('end', () => { ${answer} });
    }).listen(Number(process.argv[1]), '127.0.0.1');`;
  return { name, basePath: '', args: (port) => ['-e', script, String(port)] };
}

it('sends other mocks the same calls, and judges them alike', async () => {
  const { answerable, roundTrips, outcomes } = await compareDocument(file, [
    mock(
      'static',
      "const text = request.method + request.url === 'GET/pets' ? '[' + pet + ']' : pet;" +
        'response.writeHead(200, json).end(text);',
    ),
    mock('broken', 'response.writeHead(200, json).end("{")'),
    mock('ends', 'if (request.method === "POST") process.exit(); response.writeHead(404).end()'),
    { name: 'no server', basePath: '', args: () => ['-e', ''] },
  ]);
  expect([answerable, roundTrips]).toEqual([4, 1]);
  expect(outcomes['petstore-twin']).toMatchObject({ starts: true, right: 4, withState: 1 });
  // It answers a delete with 200, and a read of the second item with the first.
  expect(outcomes.static).toMatchObject({ starts: true, right: 3, withState: 0, restarts: 0 });
  expect(outcomes.broken?.wrong).toContain('findPets: is not JSON');
  expect(outcomes.ends).toMatchObject({ starts: true, right: 0, withState: 0, restarts: 3 });
  expect(outcomes.ends?.wrong).toContain('addPet: no answer');
  expect(outcomes.ends?.wrong).toContain('deletePet: answers 404');
  expect(outcomes['no server']).toMatchObject({ starts: false, right: 0, withState: 0 });
});
