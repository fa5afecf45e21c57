import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

type Row = Record<string, unknown>;

/** How a deployment of users and their teams shows them, and whether it has the team of a user. */
type Habits = {
  links?: Record<string, object>;
  show?: (user: Row) => Row;
  hasTeam?: (id: string) => boolean;
  /** Whether what a user is in is deleted as soon as it was asked for. */
  isVolatile?: boolean;
};

const toTeam = { operationId: 'team', parameters: { id: '$response.body#/team' } };

/** The messages about links of a run, the verdict, and the paths that were asked for. */
async function follow({ links = {}, show = (user) => user, ...habits }: Habits) {
  const users = new Map<string, Row>([['1', { id: 1, name: 'a', team: 'x-1' }]]);
  const asked: string[] = [];
  const url = await startServer(({ method, segments: [collection, id], query, sent, path }) => {
    if (method === 'GET') asked.push(`${path}${query.size > 0 ? `?${query}` : ''}`);
    if (collection === 'teams') {
      if (habits.isVolatile) for (const user of users.values()) user.team = `x-${asked.length}`;
      return habits.hasTeam?.(id ?? '') === false ? { status: 404 } : { status: 200, body: {} };
    }
    if (method === 'POST') {
      if (typeof sent?.name !== 'string') return { status: 400 };
      const user = { ...sent, id: users.size + 1, team: 'x-1' };
      users.set(String(user.id), user);
      return { status: 201, body: show(user) };
    }
    if (id === undefined) return { status: 200, body: [...users.values()].map(show) };
    const user = users.get(id);
    if (!user) return { status: 404 };
    if (method === 'DELETE') users.delete(id);
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: show(user) };
  });
  const document = documentOf(
    `
    users: GET /users -> [User]
    add: POST /users User! -> 201 User, 400
    user: GET /users/{id} -> User, 404
    remove: DELETE /users/{id} -> 204, 404
    team: GET /teams/{id:text}?by -> {}, 404
    `,
    { User: '{ readonly id!: int, name!, readonly team }' },
  );
  const read = document.paths['/users/{id}']?.get;
  Object.assign(read.responses[200], { links });
  const report = await verifyWrites(url, document, { skip: ['head-as-get'] });
  return {
    found: report.findings.map(({ check, verdict, message }) => [check, verdict, message]),
    verdict: report.clauses.find(({ id }) => id === 'links')?.results.target?.verdict,
    asked,
  };
}

it.each<[name: string, link: object, path: string]>([
  ['the body', toTeam, '/teams/x-1'],
  ['the path', { ...toTeam, parameters: { 'path.id': '$request.path.id' } }, '/teams/1'],
  [
    'text and constants',
    { ...toTeam, parameters: { id: 'of-{$request.path.id}', by: 7 } },
    '/teams/of-1?by=7',
  ],
  [
    'a reference',
    { operationRef: '#/paths/~1teams~1{id}/get', parameters: { id: '$statusCode' } },
    '/teams/200',
  ],
])('follows a link with values of %s', async (_, link, path) => {
  const { found, verdict, asked } = await follow({ links: { team: link } });
  expect([found, verdict]).toEqual([[], 'kept']);
  expect(asked).toContain(path);
});

const message = 'team answers 404 where the link "team" of user leads to it';

it.each<[name: string, habits: Habits]>([
  ['has no team of that id', { links: { team: toTeam }, hasTeam: () => false }],
  ['has a team by its name alone', { links: { team: toTeam }, hasTeam: (id) => id === 'one' }],
])('reports a deployment that %s, and fails no run', async (_, habits) => {
  expect((await follow(habits)).found).toEqual([['links', 'undocumented', message]]);
});

it.each<[name: string, habits: Habits, verdict: string | undefined]>([
  ['shows no team', { links: { team: toTeam }, show: ({ team: _, ...user }) => user }, 'vacuous'],
  [
    'has another team by now',
    { links: { team: toTeam }, hasTeam: () => false, isVolatile: true },
    'vacuous',
  ],
  [
    'links what changes something',
    { links: { remove: { operationId: 'remove', parameters: { id: '$request.path.id' } } } },
    undefined,
  ],
  [
    'links what is elsewhere',
    { links: { team: { ...toTeam, server: { url: 'https://a.example' } } } },
    undefined,
  ],
  ['links what is nowhere described', { links: { team: { operationId: 'other' } } }, undefined],
])('blames no deployment that %s', async (_, habits, verdict) => {
  const run = await follow(habits);
  expect([run.found, run.verdict]).toEqual([[], verdict]);
});
