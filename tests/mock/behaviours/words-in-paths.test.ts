import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

it('takes the first of two parameters in a row for no item of the collection', async () => {
  const { send } = await serveDocument(`
    GET /repos -> [Repo]
    GET /repos/{owner:text}/{repo:text} -> Repo, 404
    DELETE /repos/{owner:text}/{repo:text} -> 204, 404
    GET /repos/{owner:text}/{repo:text}/history -> { entries!: [text] }, 404
    GET /repos/{owner:text}/{repo:text}/builds/{version:text} -> Build, 404
    POST /builds { version!, repoId!: int } -> 201 Build
    Repo: { repoId!: int, owner!: text, repo!: text }
    Build: { buildId!: int, version!: text, repoId!: int }
  `);
  const [first, second] = (await send('GET', '/repos')).json;
  const pathOf = ({ owner, repo }: typeof first) => `/repos/${owner}/${repo}`;
  expect(await send('GET', pathOf(first))).toEqual({ status: 200, json: first });
  expect(await send('GET', pathOf({ ...first, owner: 'other' }))).toMatchObject({ status: 404 });
  const { repoId } = first;
  const { json: build } = await send('POST', '/builds', { version: '1.0', repoId });
  expect(await send('GET', `${pathOf(first)}/builds/1.0`)).toEqual({ status: 200, json: build });
  expect((await send('GET', `${pathOf(second)}/builds/1.0`)).status).toBe(404);
  expect((await send('DELETE', pathOf(second))).status).toBe(204);
  const statuses = [first, second].map(async (one) => send('GET', `${pathOf(one)}/history`));
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 404]);
});

it('takes a listed word below a collection for none of its items', async () => {
  const document = documentOf(
    `
    GET /likes -> [Like]
    POST /likes { title! } -> 201 Like
    GET /likes/{kind:Kind}/count -> { total!: int }, 404
    DELETE /likes/{kind:Kind}/{like} -> 202 { done!: bool }, 404
    Like: { id!: int, title!: text }
    `,
    { Kind: { type: 'string', enum: ['clips', 'tracks'] } },
  );
  const { send } = await serveDocument(document);
  expect((await send('GET', '/likes/clips/count')).status).toBe(200);
  expect((await send('DELETE', '/likes/tracks/1')).status).toBe(202);
});

it('begins with items that have the ids which their path lists', async () => {
  const document = documentOf(
    `
    GET /exports -> [Export]
    GET /exports/{vendor:Vendor} -> Export, 404
    POST /exports/{vendor:Vendor} { token! } -> { done!: bool }, 404
    Export: { vendor!: text, token!: text }
    `,
    { Vendor: { type: 'string', enum: ['deezer', 'spotify'] } },
  );
  const { send } = await serveDocument(document);
  const { json } = await send('GET', '/exports');
  expect(json.map(({ vendor }: { vendor: string }) => vendor)).toEqual(['deezer', 'spotify']);
  expect((await send('POST', '/exports/spotify', { token: 'a' })).status).toBe(200);
});

it('begins with items that belong to those below which their path lists them', async () => {
  const { send } = await serveDocument(`
    GET /events -> [{ guid!: text, title!: text }]
    GET /events/{guid:text} -> { guid!: text, title!: text }
    POST /guests { eventGuid!, name! } -> 201 Guest
    GET /guests/{guid:text} -> Guest
    GET /events/{eventGuid:text}/guests -> [Guest]
    DELETE /events/{eventGuid:text}/guests/{guestGuid:text} -> 204, 404
    Guest: { guid!: text, eventGuid!: text, name!: text }
  `);
  const { json: guest } = await send('GET', '/guests/1');
  const path = `/events/${guest.eventGuid}/guests`;
  expect(await send('GET', path)).toEqual({ status: 200, json: [guest] });
  expect((await send('DELETE', `${path}/1`)).status).toBe(204);
});
