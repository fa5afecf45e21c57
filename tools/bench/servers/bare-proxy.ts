import { Agent, createServer, request } from 'node:http';

// The least that passes calls on: node:http on both sides, headers as Node parsed them.
const [port, target] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
createServer((incoming, response) => {
  const { method, url, headers } = incoming;
  const outgoing = request(new URL(url ?? '/', target), { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  incoming.pipe(outgoing);
}).listen(Number(port), '127.0.0.1');
