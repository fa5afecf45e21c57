import { createServer } from 'node:http';
import { animals } from './animals.ts';

// The least that answers: node:http, no routing but by method and length of the path.
createServer((request, response) => {
  if (request.method === 'GET')
    return answer(request.url === '/v1/pets' ? animals : animals[0], 200);
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => answer({ id: 21, ...JSON.parse(Buffer.concat(chunks).toString()) }, 201));

  function answer(value: unknown, status: number): void {
    const json = JSON.stringify(value);
    response
      .writeHead(status, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(json),
      })
      .end(json);
  }
}).listen(Number(process.argv[2]), '127.0.0.1');
