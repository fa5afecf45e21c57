import { describe, expect, it } from 'vitest';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const id = { type: 'integer', readOnly: true };
const object = (properties: object, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const schemas = {
  User: object({ id, login: text }, 'id', 'login'),
  Repository: object({ id, name: text, owner: ref('User'), about: text }, 'id', 'name', 'owner'),
  Issue: object({ id, title: text }, 'id', 'title'),
  Comment: object({ id, body: text }, 'id', 'body'),
  Label: object({ id, name: text }, 'id', 'name'),
  Release: object({ id, tag_name: text, name: text }, 'id', 'tag_name'),
};
const of = (path: string) => ({
  parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
    pathParameter(name, name === 'id' || name === 'number' ? { type: 'integer' } : text),
  ),
});
const list = (name: string) => ({
  responses: { 200: jsonOf({ type: 'array', items: ref(name) }) },
});
const one = (name: string) => ({ responses: { 200: jsonOf(ref(name)) } });
const create = (name: string) => ({
  requestBody: jsonOf(object({ name: text, about: text, title: text, body: text, tag_name: text })),
  responses: { 201: jsonOf(ref(name)) },
});
const change = (name: string) => ({ ...create(name), ...one(name) });
const gone = { responses: { 204: { description: 'Gone.' } } };
const repo = '/repos/{owner}/{repo}';
const paths: Record<string, object> = {
  '/user/repos': { get: list('Repository'), post: create('Repository') },
  '/orgs/{org}/repos': { get: list('Repository'), post: create('Repository') },
  '/users/{username}/repos': { get: list('Repository') },
  [repo]: { get: one('Repository'), patch: change('Repository'), delete: gone },
  [`${repo}/issues`]: { get: list('Issue'), post: create('Issue') },
  [`${repo}/issues/{number}`]: { get: one('Issue') },
  [`${repo}/issues/{number}/comments`]: { get: list('Comment'), post: create('Comment') },
  [`${repo}/comments/{id}`]: { get: one('Comment'), patch: change('Comment'), delete: gone },
  [`${repo}/labels`]: { get: list('Label'), post: create('Label') },
  [`${repo}/labels/{id}`]: { get: one('Label'), delete: gone },
  [`${repo}/issues/{number}/labels/{id}`]: { delete: gone },
  [`${repo}/releases`]: { get: list('Release'), post: create('Release') },
  [`${repo}/releases/{id}`]: { get: one('Release'), delete: gone },
  [`${repo}/releases/tags/{tag}`]: { get: one('Release') },
};
const document = toDocument(
  Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [path, { ...of(path), ...operations }]),
  ),
  { components: { schemas } },
);

async function serve() {
  const { call } = await serveDocument(document);
  const send = (method: string, path: string, body?: object) =>
    call(path, {
      method,
      ...(body && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  const { json: made } = await send('POST', '/user/repos', { name: 'lab', about: 'first' });
  return { send, made, at: `/repos/${made.owner.login}/lab` };
}

const idsOf = (items: { id: number }[]) => items.map((item) => item.id);

describe('a thing with several paths', () => {
  it('is named by its owner and its name, wherever it was created', async () => {
    const { send, made, at } = await serve();
    expect(await send('GET', at)).toMatchObject({ status: 200, json: made });
    const { json: ofOrg } = await send('POST', '/orgs/acme/repos', { name: 'tool' });
    expect(ofOrg.owner.login).toBe('acme');
    expect((await send('GET', '/repos/acme/tool')).json).toEqual(ofOrg);
    expect((await send('GET', '/repos/acme/lab')).status).toBe(404);
    expect(idsOf((await send('GET', '/orgs/acme/repos')).json)).toEqual([ofOrg.id]);
    expect(idsOf((await send('GET', '/users/acme/repos')).json)).toEqual([ofOrg.id]);
    const all = idsOf((await send('GET', '/user/repos')).json);
    expect(all).toEqual(expect.arrayContaining([made.id, ofOrg.id]));
  });

  it('is changed by one path and seen changed by the others', async () => {
    const { send, made, at } = await serve();
    expect((await send('PATCH', at, { about: 'second' })).json.about).toBe('second');
    const listed = (await send('GET', '/user/repos')).json;
    expect(listed.find((item: { id: number }) => item.id === made.id).about).toBe('second');
  });

  it('is gone from all of its paths when it is deleted, with what is below it', async () => {
    const { send, made, at } = await serve();
    await send('POST', `${at}/issues`, { title: 'T' });
    expect((await send('DELETE', at)).status).toBe(204);
    expect((await send('GET', at)).status).toBe(404);
    expect((await send('GET', `${at}/issues`)).status).toBe(404);
    expect(idsOf((await send('GET', '/user/repos')).json)).not.toContain(made.id);
  });

  it('keeps what is below it when it gets another name', async () => {
    const { send, at } = await serve();
    const { json: issue } = await send('POST', `${at}/issues`, { title: 'T' });
    const renamed = at.replace(/lab$/, 'renamed');
    await send('PATCH', at, { name: 'renamed' });
    expect((await send('GET', `${renamed}/issues/${issue.id}`)).json).toEqual(issue);
    expect((await send('GET', `${at}/issues/${issue.id}`)).status).toBe(404);
  });

  it('is found without the item that it was created below', async () => {
    const { send, at } = await serve();
    const { json: issue } = await send('POST', `${at}/issues`, { title: 'T' });
    const comments = `${at}/issues/${issue.id}/comments`;
    const { json: comment } = await send('POST', comments, { body: 'B' });
    expect((await send('GET', comments)).json).toEqual([comment]);
    const own = `${at}/comments/${comment.id}`;
    expect((await send('PATCH', own, { body: 'C' })).json.body).toBe('C');
    expect((await send('GET', comments)).json[0].body).toBe('C');
    await send('POST', '/user/repos', { name: 'other' });
    const elsewhere = own.replace('/lab/', '/other/');
    expect((await send('GET', elsewhere)).status).toBe(404);
    expect((await send('DELETE', own)).status).toBe(204);
    expect((await send('GET', comments)).json).toEqual([]);
  });

  it('is found by another property that a path names', async () => {
    const { send, at } = await serve();
    const { json: release } = await send('POST', `${at}/releases`, { tag_name: 'v1' });
    expect((await send('GET', `${at}/releases/tags/v1`)).json).toEqual(release);
    expect((await send('GET', `${at}/releases/tags/v2`)).status).toBe(404);
  });

  it('stays when it is taken from another thing alone', async () => {
    const { send, at } = await serve();
    const { json: issue } = await send('POST', `${at}/issues`, { title: 'T' });
    const { json: label } = await send('POST', `${at}/labels`, { name: 'bug' });
    await send('DELETE', `${at}/issues/${issue.id}/labels/${label.id}`);
    expect((await send('GET', `${at}/labels/${label.id}`)).json).toEqual(label);
  });
});
