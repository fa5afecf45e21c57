import { check, equal, type Lab, type Loose, need, refuses } from '../lab.ts';

const repo = 'lab-repo';

/** Gitea: repositories, issues, organizations. */
export const gitea: Lab = {
  name: 'gitea',
  service: 'Gitea',
  sdk: 'gitea-js@1.23.0',
  packages: ['cross-fetch@4.1.0'],
  document: {
    from: {
      path: 'code.gitea.io/gitea',
      version: 'v1.27.3',
      sums: [
        'h1:SRnjvw24ASELKCqyYvAWIlzwOqyFMgfD+UkqQ9SE5eU=',
        'h1:5NM8td2CQXVcqQRPVOnleEJq3nSbPmUen9JbcfmWcUk=',
      ],
    },
    file: 'templates/swagger/v1_json.tmpl',
    edit: (text) =>
      text.replace('{{.SwaggerAppVer}}', '1.27.3').replace('{{.SwaggerAppSubUrl}}', ''),
  },
  basePath: '/api/v1',
  connect: `giteaApi('http://127.0.0.1:4010', { token: 'demo-enterprise', customFetch: fetch })`,

  async run({ origin, base, key, load, step }) {
    const { giteaApi } = await load('gitea-js');
    const { default: fetch } = await load('cross-fetch');
    // The client always adds the base path; a server may not have it.
    const customFetch = (url: string, init: Loose) =>
      fetch(url.replace(`${origin}/api/v1`, base), init);
    const connect = (token: string) => giteaApi(origin, { token, customFetch });
    const { admin, orgs, repos, teams, user, users } = connect(key);
    const hasStatus = (status: number) => (error: Loose) =>
      equal(error.status, status, `status (${error.error?.message ?? error.message ?? ''})`);
    let owner = 'gitea';
    let number: number | undefined;
    const issue = () => need(number, 'create an issue');

    await step('create a repository', async () => {
      const wanted = { name: repo, description: 'd', private: true };
      const { data } = await user.createCurrentUserRepo(wanted);
      check(data.owner?.login, 'no owner.login');
      owner = data.owner.login;
      equal([data.name, data.description, data.private], Object.values(wanted));
      equal(data.full_name, `${owner}/${repo}`, 'full_name');
    });
    await step('read it', async () => {
      const { data } = await repos.repoGet(owner, repo);
      equal([data.name, data.description], [repo, 'd']);
    });
    await step('edit it and read it back', async () => {
      await repos.repoEdit(owner, repo, { description: 'e' });
      equal((await repos.repoGet(owner, repo)).data.description, 'e');
    });
    await step("list the user's repositories", async () => {
      const { data } = await user.userCurrentListRepos({ limit: 50 });
      check(data.some(named(repo)), 'not listed');
    });
    await step('create an issue', async () => {
      const { data } = await repos.issueCreateIssue(owner, repo, { title: 'T', body: 'B' });
      number = data.number;
      equal([data.title, data.body, data.state], ['T', 'B', 'open']);
      check(number, `number: ${number}`);
    });
    await step('read the issue', async () => {
      equal((await repos.issueGetIssue(owner, repo, issue())).data.title, 'T');
    });
    await step('close the issue', async () => {
      const { data } = await repos.issueEditIssue(owner, repo, issue(), { state: 'closed' });
      equal(data.state, 'closed');
    });
    await step('list issues by state', async () => {
      const isIt = (one: Loose) => one.number === issue();
      const closed = await repos.issueListIssues(owner, repo, { state: 'closed' });
      check(closed.data.some(isIt), 'the closed ones lack it');
      const open = await repos.issueListIssues(owner, repo, { state: 'open' });
      check(!open.data.some(isIt), 'the open ones have it');
    });
    await step('page through issues, with X-Total-Count', async () => {
      const titles = ['I1', 'I2', 'I3'];
      for (const title of titles) await repos.issueCreateIssue(owner, repo, { title });
      const seen: string[] = [];
      const query = { state: 'all', limit: 2 };
      for (let page = 1; page < 30; page += 1) {
        const { data } = await repos.issueListIssues(owner, repo, { ...query, page });
        if (data.length === 0) break;
        check(data.length <= 2, `a page of ${data.length}`);
        seen.push(...data.map(({ title }: Loose) => title));
      }
      for (const title of titles) check(seen.includes(title), `${title} is not in ${seen}`);
      const { headers } = await repos.issueListIssues(owner, repo, query);
      const count = headers.get('x-total-count');
      check(Number(count) >= 4, `X-Total-Count: ${count}`);
    });
    await step('comment on the issue, list and edit the comment', async () => {
      const { data } = await repos.issueCreateComment(owner, repo, issue(), { body: 'c' });
      const list = async () =>
        (await repos.issueGetComments(owner, repo, issue())).data.map(({ body }: Loose) => body);
      equal(await list(), ['c'], 'comments');
      const edited = await repos.issueEditComment(owner, repo, data.id, { body: 'c2' });
      equal(edited.data.body, 'c2', 'edited');
      equal((await list())[0], 'c2', 'listed after that');
    });
    await step('create a label and add it to the issue', async () => {
      const label = { name: 'L', color: '#ff0000' };
      const { data } = await repos.issueCreateLabel(owner, repo, label);
      equal(data.name, 'L');
      await repos.issueAddLabel(owner, repo, issue(), { labels: [data.id] });
      const { data: labels } = await repos.issueGetLabels(owner, repo, issue());
      equal(labels.map(nameOf), ['L'], 'labels');
    });
    await step('create, edit and read a milestone', async () => {
      const { data } = await repos.issueCreateMilestone(owner, repo, { title: 'v1' });
      await repos.issueEditMilestone(owner, repo, data.id, { description: 'x' });
      const { data: read } = await repos.issueGetMilestone(owner, repo, data.id);
      equal([read.title, read.description], ['v1', 'x']);
    });
    await step('write a file and read its content', async () => {
      const content = Buffer.from('# Hi').toString('base64');
      await repos.repoCreateFile(owner, repo, 'a.md', { content, message: 'm' });
      const { data } = await repos.repoGetContents(owner, repo, 'a.md');
      equal(Buffer.from(data.content ?? '', 'base64').toString(), '# Hi', 'content');
    });
    await step('create a release and read it by its tag', async () => {
      const { data } = await repos.repoCreateRelease(owner, repo, { tag_name: 'v1', name: 'One' });
      equal((await repos.repoGetReleaseByTag(owner, repo, 'v1')).data.id, data.id, 'id');
    });
    await step('create, list and delete a webhook', async () => {
      const config = { url: 'https://example.com', content_type: 'json' };
      const hook = { type: 'gitea', config, events: ['push'], active: true };
      const { data } = await repos.repoCreateHook(owner, repo, hook);
      equal(data.config?.url, config.url, 'url');
      const { data: list } = await repos.repoListHooks(owner, repo);
      check(
        list.some(({ id }: Loose) => id === data.id),
        'not listed',
      );
      await repos.repoDeleteHook(owner, repo, data.id);
      await refuses(() => repos.repoGetHook(owner, repo, data.id), hasStatus(404));
    });
    await step('create, read and edit an organization, create a team', async () => {
      const { data } = await orgs.orgCreate({ username: 'laborg', full_name: 'Lab' });
      equal([data.username ?? data.name, data.full_name], ['laborg', 'Lab']);
      equal((await orgs.orgGet('laborg')).data.full_name, 'Lab', 'read');
      const edited = await orgs.orgEdit('laborg', { full_name: 'Lab 2' });
      equal(edited.data.full_name, 'Lab 2', 'edited');
      const team = await orgs.orgCreateTeam('laborg', { name: 'T', units: ['repo.code'] });
      equal((await teams.orgGetTeam(team.data.id)).data.name, 'T', 'team');
    });
    await step("create, list and read an organization's repository", async () => {
      await orgs.createOrgRepo('laborg', { name: 'orgrepo' });
      check((await orgs.orgListRepos('laborg')).data.some(named('orgrepo')), 'not listed');
      equal((await repos.repoGet('laborg', 'orgrepo')).data.name, 'orgrepo', 'read');
    });
    await step('create a user as an administrator and read it', async () => {
      const email = 'ada@example.com';
      await admin.adminCreateUser({ username: 'ada', email, password: 'x12345678' });
      equal((await users.userGet('ada')).data.email, email, 'email');
    });
    await step('replace the topics and list them', async () => {
      await repos.repoUpdateTopics(owner, repo, { topics: ['a', 'b'] });
      equal((await repos.repoListTopics(owner, repo)).data.topics, ['a', 'b']);
    });
    await step('star a repository, check it, take the star away', async () => {
      await user.userCurrentPutStar(owner, repo);
      equal((await user.userCurrentCheckStarring(owner, repo)).status, 204, 'with a star');
      await user.userCurrentDeleteStar(owner, repo);
      await refuses(() => user.userCurrentCheckStarring(owner, repo), hasStatus(404));
    });
    await step('an issue without a title is a 422 that names it', () =>
      refuses(
        () => repos.issueCreateIssue(owner, repo, {}),
        (error) => {
          hasStatus(422)(error);
          const message = error.error?.message ?? '';
          check(/title/i.test(message), `message: ${message}`);
        },
      ),
    );
    await step('an unknown repository is a 404', () =>
      refuses(() => repos.repoGet('nobody', 'nothing'), hasStatus(404)),
    );
    await step('a wrong token is a 401', () =>
      refuses(() => connect('wrong').user.userGetCurrent(), hasStatus(401)),
    );
    await step('delete the repository, which is 404 then', async () => {
      await repos.repoDelete(owner, repo);
      await refuses(() => repos.repoGet(owner, repo), hasStatus(404));
    });
  },
};

const nameOf = ({ name }: Loose) => name;
const named = (name: string) => (one: Loose) => one.name === name;
