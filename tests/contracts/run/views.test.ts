import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { type Reply, startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const notFound: Reply = { status: 404, body: { message: 'none' } };

const forge = `GET /user/repos -> [Repo]
  POST /user/repos Repo -> 201 Repo, 400
  GET /repos/{owner:text}/{repo:text} -> Repo, 404
  PATCH /repos/{owner:text}/{repo:text} Repo -> Repo, 404
  DELETE /repos/{owner:text}/{repo:text} -> 204, 404
  PUT /repos/{owner:text}/{repo:text}/topics {topics: [text]} -> object, 404
  GET /repos/{owner:text}/{repo:text}/issues -> [Issue], 404
  POST /repos/{owner:text}/{repo:text}/issues Issue -> 201 Issue, 404
  GET /repos/{owner:text}/{repo:text}/issues/{number} -> Issue, 404
  DELETE /repos/{owner:text}/{repo:text}/issues/{number} -> 204, 404`;
const schemas = {
  Repo: '{id: int, name!, about, owner: Owner}',
  Owner: '{id: int, login}',
  Issue: '{number: int, title!}',
};

/**
 * Starts a forge with two repositories of Anna's, and gives its URL and the calls that changed something.
 * If it cuts new names to their first word, it finds the oldest repository of a name, without its id.
 */
async function startForge(isCutting = false) {
  const owner = { id: 3, login: 'anna' };
  const repos = ['tools', 'changed'].map((name, at) => ({
    ...{ id: 500 + at, name, about: 'Of Anna', owner },
  }));
  const issues = new Map<string, { number: number; title: string }[]>();
  const changes: string[] = [];
  let last = 501;
  const url = await startServer(({ method, path, segments, sent = {} }) => {
    if (method !== 'GET' && method !== 'HEAD') changes.push(`${method} ${path}`);
    const is = (one: string) => one === method || (one === 'GET' && method === 'HEAD');
    if (path === '/user/repos' && is('GET')) return { status: 200, body: repos };
    if (path === '/user/repos' && is('POST')) {
      const { name, about = '' } = sent;
      if (typeof name !== 'string' || typeof about !== 'string') return { status: 400, body: {} };
      const made = { id: ++last, name, about, owner };
      repos.push(made);
      return { status: 201, body: made };
    }
    const [root, login, name = '', word, number] = segments;
    const repo = repos.find((one) => one.name === decodeURIComponent(name));
    if (root !== 'repos' || login !== 'anna' || !repo) return notFound;
    const own = issues.get(repo.name) ?? [];
    issues.set(repo.name, own);
    if (word === undefined) {
      if (is('PATCH')) Object.assign(repo, sent, { id: repo.id, owner });
      if (is('PATCH') && isCutting) repo.name = repo.name.split(' ')[0] ?? '';
      const { id, ...shown } = repo;
      if (!is('DELETE')) return { status: 200, body: isCutting ? shown : { id, ...shown } };
      repos.splice(repos.indexOf(repo), 1);
      return { status: 204 };
    }
    if (word === 'topics') return { status: 200, body: {} };
    if (is('POST')) own.push({ number: ++last, title: String(sent.title) });
    if (number === undefined)
      return is('POST') ? { status: 201, body: own.at(-1) } : { status: 200, body: own };
    const issue = own.find((one) => String(one.number) === number);
    if (!issue) return notFound;
    if (!is('DELETE')) return { status: 200, body: issue };
    own.splice(own.indexOf(issue), 1);
    return { status: 204 };
  });
  return { url, changes, repos };
}

it('reads, changes and deletes its own items at other paths, and what is below them', async () => {
  const { url, changes, repos } = await startForge();
  const report = await verifyWrites(url, documentOf(forge, schemas));
  const reached = report.operations.filter(({ results }) => results.target?.successes);
  expect(reached.length).toBe(report.operations.length);
  expect(changes.filter((one) => one.includes('/tools'))).toEqual([]);
  expect(repos.map(({ name }) => name)).toEqual(['tools', 'changed']);
  expect(report.residue).toEqual([]);
});

it('deletes nothing at a path that a deployment makes of a new name', async () => {
  const { url, repos } = await startForge(true);
  await verifyWrites(url, documentOf(forge, schemas));
  expect(repos.slice(0, 2).map(({ id }) => id)).toEqual([500, 501]);
});

const clinic = `GET /owners -> [Owner]
  POST /owners Owner! -> 201 Owner, 400
  GET /owners/{ownerId} -> Owner, 404
  DELETE /owners/{ownerId} -> 204, 404
  POST /owners/{ownerId}/pets PetFields! -> 201 Pet, 400, 404
  GET /owners/{ownerId}/pets/{petId} -> Pet, 404
  GET /pets -> [Pet]
  GET /pets/{petId} -> Pet, 404
  PUT /pets/{petId} PetFields! -> Pet, 400, 404
  DELETE /pets/{petId} -> 204, 404`;
const ofClinic = {
  Owner: '{readonly id!: int, name!}',
  PetFields: '{name!}',
  Pet: '{id!: int, name!, ownerId!: int}',
};

/**
 * Starts a clinic whose pets have ids of all owners, or numbers of each owner's own; `quotes` lets
 * every pet show the newest one.
 */
async function startClinic(isNumbered: boolean, quotes = false) {
  const owners = new Map([[1, { id: 1, name: 'Anna' }]]);
  const pets = new Map([1, 2, 3].map((id) => [id, { id, name: `Tom ${id}`, ownerId: 1 }]));
  const below = new Map<string, { id: number; name: string; ownerId: number }>();
  const changes: string[] = [];
  let last = 10;
  const url = await startServer(({ method, path, segments, sent = {} }) => {
    const [root, id = '', word, pet = ''] = segments;
    if (method === 'PUT' || method === 'DELETE') changes.push(`${method} ${path}`);
    const isBad = ['POST', 'PUT'].includes(method) && typeof sent.name !== 'string';
    if (isBad) return { status: 400, body: {} };
    const owner = owners.get(Number(id));
    if (word === 'pets' && owner && method === 'POST') {
      const count = [...below.keys()].filter((one) => one.startsWith(`${id}/`)).length;
      const made = { id: isNumbered ? count + 1 : ++last, name: `${sent.name}`, ownerId: owner.id };
      below.set(`${id}/${made.id}`, made);
      if (!isNumbered) pets.set(made.id, made);
      return { status: 201, body: made };
    }
    if (root === 'owners' && id === '') {
      if (method !== 'POST') return { status: 200, body: [...owners.values()] };
      owners.set(++last, { id: last, name: `${sent.name}` });
      return { status: 201, body: owners.get(last) };
    }
    if (root === 'pets' && id === '') return { status: 200, body: [...pets.values()] };
    const items: Map<unknown, { id: number; name: string }> =
      word === 'pets' ? below : root === 'pets' ? pets : owners;
    const key = word === 'pets' ? `${id}/${pet}` : Number(id);
    const found = items.get(key);
    if (!found) return notFound;
    if (method === 'PUT') Object.assign(found, sent, { id: found.id });
    const newest = quotes && root === 'pets' ? { newest: [...below.values()].at(-1) } : {};
    if (method !== 'DELETE') return { status: 200, body: { ...found, ...newest } };
    items.delete(key);
    return { status: 204 };
  });
  const report = await verifyWrites(url, documentOf(clinic, ofClinic));
  return { report, changes, pets };
}

it('changes and deletes its own items at another path, where a read shows them', async () => {
  const { report, changes, pets } = await startClinic(false);
  const ofPets = changes.filter((one) => one.includes(' /pets/'));
  expect([...new Set(ofPets.map((one) => one.split(' ')[0]))].sort()).toEqual(['DELETE', 'PUT']);
  expect(ofPets.filter((one) => /\/[123]$/.test(one))).toEqual([]);
  expect([[...pets.keys()], report.residue]).toEqual([[1, 2, 3], []]);
});

it.each([
  ['', false],
  [', which quote its own', true],
])('changes nothing at another path where its ids name items of others%s', async (_, quotes) => {
  const { changes, pets } = await startClinic(true, quotes);
  expect(changes.filter((one) => one.includes(' /pets/'))).toEqual([]);
  expect([...pets.values()].map(({ name }) => name)).toEqual(['Tom 1', 'Tom 2', 'Tom 3']);
});

it('changes no name of an item at a path that has it if the answer shows no item', async () => {
  const variables = new Map<number, Record<string, unknown>>();
  let last = 0;
  const url = await startServer(({ method, path, segments, sent = {} }) => {
    if (path === '/variables' && method === 'POST') {
      const isText = [sent.name, sent.note ?? ''].every((one) => typeof one === 'string');
      if (!isText) return { status: 400, body: {} };
      variables.set(++last, { note: '', ...sent, id: last });
      return { status: 201, body: variables.get(last) };
    }
    const key = decodeURIComponent(segments.at(-1) ?? '');
    const by = segments[1] === 'name' ? 'name' : 'id';
    const found = [...variables.values()].find((one) => String(one[by]) === key);
    if (!found) return notFound;
    if (method === 'DELETE') variables.delete(Number(found.id));
    if (method === 'PATCH') Object.assign(found, sent);
    return method === 'GET' ? { status: 200, body: found } : { status: 204 };
  });
  const paths = `POST /variables Variable -> 201 Variable, 400
  GET /variables/{id:int} -> Variable, 404
  PATCH /variables/{id:int} Variable -> 204, 404
  DELETE /variables/{id:int} -> 204, 404
  GET /variables/name/{name:text} -> Variable, 404
  PATCH /variables/name/{name:text} Variable -> 204, 404
  DELETE /variables/name/{name:text} -> 204, 404`;
  const report = await verifyWrites(url, documentOf(paths, { Variable: '{id: int, name!, note}' }));
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  expect([report.residue, variables.size]).toEqual([[], 0]);
});
