import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const schemas = { Team: '{ readonly id!: int, title }', App: '{ readonly id!: int, name }' };
const listAt = (path: string, item: string) => `
  GET ${path} -> [${item}]
  POST ${path} { name } -> 201 ${item}`;
const allAt = (path: string, item: string) => `${listAt(path, item)}
  GET ${path}/{id:int} -> ${item}`;
const teams = allAt('/teams', 'Team');
const apps = `${allAt('/apps', 'App')}${listAt('/teams/{teamId:int}/apps', 'App')}`;

async function serve(lines: string) {
  const { send } = await serveDocument(documentOf(lines, schemas), { pets: 4 });
  return async (path: string) => {
    const { status, json } = await send('GET', path);
    return status === 200 ? json.map(({ id }: { id: number }) => id) : status;
  };
}

it('begins with items at each path that creates them', async () => {
  const idsAt = await serve(teams + apps);
  expect(await idsAt('/apps')).toEqual([1, 2, 3, 4]);
  expect(await idsAt('/teams/1/apps')).toEqual([1, 2, 3]);
  expect(await idsAt('/teams/2/apps')).toEqual([4]);
});

it('begins with items of two collections that are below each other', async () => {
  const idsAt = await serve(`${teams}${apps}${listAt('/apps/{id:int}/teams', 'Team')}`);
  for (const path of ['/apps', '/teams']) expect(await idsAt(path)).toHaveLength(4);
});

it.each(['v1', 'v1beta1', 'v1.1'])(
  'knows the items of %s in a path of another version',
  async (version) => {
    const ofOther = allAt('/v2/teams/{teamId:int}/apps', 'App');
    const idsAt = await serve(`${allAt(`/${version}/teams`, 'Team')}${ofOther}`);
    expect(await idsAt('/v2/teams/2/apps')).toEqual([4]);
    expect(await idsAt('/v2/teams/99/apps')).toBe(404);
  },
);

it('knows no items in a path of another version that two collections have', async () => {
  const both = allAt('/v1/teams', 'Team') + allAt('/v2/teams', 'Team');
  const idsAt = await serve(`${both}${allAt('/v3/teams/{teamId:int}/apps', 'App')}`);
  expect(await idsAt('/v3/teams/99/apps')).toEqual([]);
});

it('gives items the number in their path', async () => {
  const { send } = await serveDocument(`
    GET /feeds/{feed_id:number}/points -> [Point]
    POST /feeds/{feed_id:number}/points { value: int } -> 201 Point
    Point: { readonly id!: int, value: int, feed_id!: number }
  `);
  for (const id of ['4.5', '4', '1.50', '0.12345678901234567890']) {
    const { json } = await send('POST', `/feeds/${id}/points`, { value: 1 });
    expect(String(json.feed_id)).toBe(id);
    expect((await send('GET', `/feeds/${id}/points`)).json.at(-1)).toEqual(json);
  }
});
