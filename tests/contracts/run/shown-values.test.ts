import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { type Reply, startServer } from '../../support/start-server.ts';
import { verify } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const notFound: Reply = { status: 404, body: { message: 'none' } };

/** Verifies a deployment that answers GETs of some paths, and gives the paths that it answered. */
async function pathsReached(lines: string, answers: Readonly<Record<string, unknown>>) {
  const reached = new Set<string>();
  const url = await startServer(({ method, path }) => {
    if (method !== 'GET' || !(path in answers)) return notFound;
    reached.add(path);
    return { status: 200, body: answers[path] };
  });
  const spec = await writeJson(documentOf(lines));
  await verify({ spec, target: { url, keys: [] }, twin: false });
  return [...reached].toSorted();
}

const searched = { data: [{ id: 71, name: 'tools', owner: { id: 9, login: 'anna' } }] };

it.each<[string, string, Record<string, unknown>]>([
  [
    'two parameters from one item that a search showed, and what is below it',
    `GET /repos/search -> {data: [object]}, 404
     GET /repos/{owner:text}/{repo:text} -> object, 404
     GET /repos/{owner:text}/{repo:text}/issues -> [object], 404
     GET /repos/{owner:text}/{repo:text}/issues/{index} -> object, 404`,
    {
      '/repos/search': searched,
      '/repos/anna/tools': searched.data[0],
      '/repos/anna/tools/issues': [{ id: 501, number: 4, title: 'It fails' }],
      '/repos/anna/tools/issues/4': { id: 501, number: 4 },
    },
  ],
  [
    'the id of what another answer names',
    `GET /me -> {id: int, teamId: int}, 404
     GET /teams/{teamId}/members -> [object], 404`,
    { '/me': { id: 3, teamId: 88 }, '/teams/88/members': [{ id: 3 }] },
  ],
  [
    'addresses in answers',
    `GET /feed -> [object], 404
     GET /shelves/{a:text}/books/{b:text}/pages -> [object], 404`,
    {
      '/feed': [{ title: 'New', self: '/shelves/x7/books/b-1' }],
      '/shelves/x7/books/b-1/pages': [{ text: 'Once' }],
    },
  ],
  [
    'a part of an item by its own noun',
    `GET /dashboard -> {projects: [object]}, 404
     GET /projects/{projectKey:text}/builds -> [object], 404`,
    {
      '/dashboard': { projects: [{ key: 'KAT', name: 'Cats' }] },
      '/projects/KAT/builds': [{ number: 1 }],
    },
  ],
  [
    'a text in a list of texts at the same path',
    `GET /templates -> [text], 404
     GET /templates/{name:text} -> object, 404`,
    { '/templates': ['Ada', 'Go'], '/templates/Ada': { source: 'x' } },
  ],
  [
    'the value of another parameter of the same name below the same item',
    `GET /repos -> [{name: text}], 404
     GET /repos/{name:text}/files -> [{name: text}], 404
     GET /repos/{name:text}/files/{filepath:text} -> object, 404
     GET /repos/{name:text}/raw/{filepath:text} -> object, 404`,
    {
      '/repos': [{ name: 'tools' }],
      '/repos/tools/files': [{ name: 'README.md' }],
      '/repos/tools/files/README.md': { size: 3 },
      '/repos/tools/raw/README.md': { text: 'x' },
    },
  ],
  [
    'the items below an item by the nouns of both',
    `GET /prompts -> [{name: text}], 404
     GET /prompts/{name:text}/versions -> [{id: text}], 404
     GET /prompt_versions/{prompt_version_id:text}/tags -> [object], 404`,
    {
      '/prompts': [{ id: 'p-1', name: 'greet' }],
      '/prompts/greet/versions': [{ id: 'v-1' }],
      '/prompt_versions/v-1/tags': [{ name: 'a' }],
    },
  ],
  [
    'the hash of what a list shows, which has no id',
    `GET /commits -> [object], 404
     GET /commits/{ref:text}/status -> object, 404`,
    {
      '/commits': [
        { author: 'anna', hash: 'c1' },
        { author: 'anna', hash: 'c2' },
      ],
      '/commits/c1/status': { state: 'good' },
    },
  ],
  [
    'the item whose owner stands before it',
    `GET /starred -> [object], 404
     GET /repos/issues -> [object], 404
     GET /starred/{owner:text}/{repo:text} -> object, 404`,
    {
      '/starred': searched.data,
      '/repos/issues': [
        { id: 1, name: 'one' },
        { id: 2, name: 'two' },
        { id: 3, name: 'three' },
      ],
      '/starred/anna/tools': {},
    },
  ],
])('reaches reads by %s', async (_, lines, answers) => {
  expect(await pathsReached(lines, answers)).toEqual(Object.keys(answers).toSorted());
});
