import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { createTwin } from '../../../package/twin.ts';
import { blog } from '../../support/documents.ts';
import { listenOn } from '../../support/listen-on.ts';
import { verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

/** Forwards to a mock, whose list of a post's replies keeps those that were deleted. */
async function startKeeping(origin: string): Promise<string> {
  const made = new Map<string, { post: string; reply: unknown }>();
  const deleted = new Map<string, unknown[]>();
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = ['GET', 'HEAD'].includes(method) ? undefined : await text(request);
    const type = headers['content-type'];
    const sent = await fetch(origin + url, {
      ...{ method, headers: { ...(type !== undefined && { 'content-type': type }) } },
      ...(body !== undefined && { body }),
    });
    let answer = await sent.text();
    const [, post] = /\/posts\/([^/?]+)\/replies/.exec(url) ?? [];
    const [, reply = ''] = /\/replies\/([^/?]+)$/.exec(url) ?? [];
    if (post && method === 'POST' && sent.ok)
      made.set(String(JSON.parse(answer).id), { post, reply: JSON.parse(answer) });
    const gone = method === 'DELETE' && sent.ok ? made.get(reply) : undefined;
    if (gone) deleted.set(gone.post, [...(deleted.get(gone.post) ?? []), gone.reply]);
    if (post && method === 'GET' && sent.ok)
      answer = JSON.stringify([...JSON.parse(answer), ...(deleted.get(post) ?? [])]);
    response.writeHead(sent.status, { 'content-type': sent.headers.get('content-type') ?? '' });
    response.end(sent.status === 204 ? undefined : answer);
  });
  onTestFinished(() => void server.close());
  return listenOn(server);
}

it('finds a deleted item in a list at another path than its own', async () => {
  await using twin = await createTwin({ spec: await writeJson(blog) });
  const { origin, pathname } = new URL(twin.url);
  const url = (await startKeeping(origin)) + pathname.replace(/\/$/, '');
  const { findings } = await verifyWrites(url, blog, { seed: 3 });
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: 'deleted',
      message: 'listReplies lists an item that deleteReply deleted',
    }),
  );
});
