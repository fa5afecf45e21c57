import { createServer } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { membersOf, parseJson } from '../../../contracts/json.ts';
import { listenOn } from '../../support/listen-on.ts';
import { jsonOf, toDocument } from '../../support/serve-document.ts';
import { verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const names = ['apples', 'birds', 'clouds', 'doors', 'eels'];
const given = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' } },
};
const item = { ...given, properties: { id: { type: 'string' }, ...given.properties } };
const body = { required: true, ...jsonOf(given) };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const none = { description: 'None.' };

const document = toDocument(
  Object.fromEntries(
    names.flatMap((name) => [
      [
        `/${name}`,
        {
          get: { responses: { 200: jsonOf({ type: 'array', items: item }) } },
          post: { requestBody: body, responses: { 201: jsonOf(item), 422: none } },
        },
      ],
      [
        `/${name}/{id}`,
        {
          parameters: [id],
          get: { responses: { 200: jsonOf(item), 404: none } },
          delete: { responses: { 204: none, 404: none } },
        },
      ],
    ]),
  ),
);

/** Starts a deployment whose first collection takes no item, and notes each call. */
async function start(calls: string[]): Promise<string> {
  const items = new Map<string, object>();
  let count = 0;
  const server = createServer(async (request, response) => {
    const { method, url = '' } = request;
    const path = url.split('?')[0] ?? '';
    calls.push(`${method} ${path}`);
    const answer = (status: number, value?: object) => {
      response.writeHead(status, value && { 'Content-Type': 'application/json' });
      response.end(value && JSON.stringify(value));
    };
    if (method === 'POST') {
      const { name } = membersOf(parseJson(await readText(request))) ?? {};
      if (path === '/apples' || typeof name !== 'string') return answer(422);
      const made = { id: `i${++count}`, name };
      items.set(`${path}/${made.id}`, made);
      return answer(201, made);
    }
    if (names.includes(path.slice(1)))
      return answer(
        200,
        [...items].filter(([at]) => at.startsWith(`${path}/`)).map(([, one]) => one),
      );
    const found = items.get(path);
    if (!found) return answer(404);
    if (method === 'DELETE') items.delete(path);
    return method === 'DELETE' ? answer(204) : answer(200, found);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return await listenOn(server);
}

it('looks for what refused creates made, and reads what was deleted, once', async () => {
  const calls: string[] = [];
  const url = await start(calls);
  const report = await verifyWrites(url, await writeJson(document));
  expect(report.residue).toEqual([]);
  const readAfter = [...new Set(calls.filter((call) => call.startsWith('DELETE ')))].map((call) => {
    const rest = calls.slice(calls.lastIndexOf(call));
    return rest.filter((one) => one === call.replace('DELETE', 'GET')).length;
  });
  expect(readAfter).not.toEqual([]);
  expect(Math.max(...readAfter)).toBe(1);
  const lastOthers = calls.lastIndexOf('POST /birds');
  expect(calls.slice(lastOthers)).not.toContain('GET /apples');
});
