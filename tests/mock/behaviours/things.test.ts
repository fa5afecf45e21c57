import { describe, expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';

const repo = '/repos/{owner:text}/{repo:text}';
const fields = '{ name!, about!, title!, body!, tag_name! }'.replaceAll('!', '');
const document = documentOf(`
  GET /user/repos -> [Repository]
  POST /user/repos ${fields} -> 201 Repository
  GET /orgs/{org:text}/repos -> [Repository]
  POST /orgs/{org:text}/repos ${fields} -> 201 Repository
  GET /users/{username:text}/repos -> [Repository]
  GET ${repo} -> Repository
  PATCH ${repo} ${fields} -> Repository
  DELETE ${repo} -> 204
  GET ${repo}/issues -> [Issue]
  POST ${repo}/issues ${fields} -> 201 Issue
  GET ${repo}/issues/{number} -> Issue
  GET ${repo}/issues/{number}/comments -> [Comment]
  POST ${repo}/issues/{number}/comments ${fields} -> 201 Comment
  GET ${repo}/comments/{id} -> Comment
  PATCH ${repo}/comments/{id} ${fields} -> Comment
  DELETE ${repo}/comments/{id} -> 204
  GET ${repo}/labels -> [Label]
  POST ${repo}/labels ${fields} -> 201 Label
  GET ${repo}/labels/{id} -> Label
  DELETE ${repo}/labels/{id} -> 204
  DELETE ${repo}/issues/{number}/labels/{id} -> 204
  GET ${repo}/releases -> [Release]
  POST ${repo}/releases ${fields} -> 201 Release
  GET ${repo}/releases/{id} -> Release
  DELETE ${repo}/releases/{id} -> 204
  GET ${repo}/releases/tags/{tag:text} -> Release
  User: { readonly id!: int, login! }
  Repository: { readonly id!: int, name!, owner!: User, about }
  Issue: { readonly id!: int, title! }
  Comment: { readonly id!: int, body! }
  Label: { readonly id!: int, name! }
  Release: { readonly id!: int, tag_name!, name }
`);

async function serve() {
  const { send } = await serveDocument(document);
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

it.each([
  ['replies', 'parent_id'],
  ['children', 'parentCommentId'],
])('has as %s of an item those with its id as %s', async (word, property) => {
  const { send } = await serveEmpty(`
    GET /comments -> [Comment]
    POST /comments { text!, ${property}: int | null } -> 201 Comment
    GET /comments/{id} -> Comment
    DELETE /comments/{id} -> 204
    GET /comments/{id}/${word} -> [Comment]
    POST /comments/{id}/${word} { text! } -> 201 Comment
    GET /comments/{id}/related -> [Comment]
    Comment: { id!: int, text!, ${property}: int | null }
  `);
  await send('POST', '/comments', { text: 'a' });
  const second = { id: 2, text: 'b', [property]: 1 };
  const third = { id: 3, text: 'c', [property]: 1 };
  expect(await send('POST', `/comments/1/${word}`, { text: 'b' })).toMatchObject({ json: second });
  await send('POST', '/comments', { text: 'c', [property]: 1 });
  expect((await send('GET', `/comments/1/${word}`)).json).toEqual([second, third]);
  expect((await send('GET', `/comments/2/${word}`)).json).toEqual([]);
  expect((await send('GET', '/comments/1/related')).json).toHaveLength(3);
  expect(await send('GET', `/comments/9/${word}`)).toMatchObject({ status: 404 });
  await send('DELETE', '/comments/1');
  expect((await send('GET', '/comments')).json).toEqual([]);
});

it('reads at one path what others make there, at once or later', async () => {
  const { send, call } = await serveDocument(`
    POST /exports { format } -> 202 Job
    POST /users/{id}/imports { url } -> 201 Job
    POST /jobs/new { url } -> Job
    GET /jobs/{jobId:uuid} -> Job, 404
    DELETE /jobs/{jobId:uuid} -> 204
    Job: { jobId!: uuid, status!: "queued" | "done", format, url }
  `);
  for (const [path, body, status] of [
    ['/exports', { format: 'csv' }, 202],
    ['/users/1/imports', { url: 'a' }, 201],
    ['/jobs/new', { url: 'b' }, 200],
  ] as const) {
    const made = await send('POST', path, body);
    const { jobId } = made.json;
    expect(made).toEqual({ status, json: { jobId, status: 'queued', ...body } });
    expect((await call(`/jobs/${jobId}`)).json).toEqual(made.json);
    expect((await send('DELETE', `/jobs/${jobId}`)).status).toBe(204);
    expect((await call(`/jobs/${jobId}`)).status).toBe(404);
  }
});
