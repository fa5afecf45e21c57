import { check, equal, type Lab, type Loose, need, refuses } from '../lab.ts';

const repo = 'lab-repo';

/** GitHub: repositories, issues and what hangs on them. */
export const github: Lab = {
  name: 'github',
  service: 'GitHub',
  sdk: '@octokit/rest@22.0.1',
  packages: ['@octokit/openapi@23.0.2', '@octokit/request-error@7.1.2'],
  document: { from: '@octokit/openapi', file: 'generated/api.github.com.json' },
  basePath: '',
  connect: `new Octokit({ auth: 'demo-enterprise', baseUrl: 'http://127.0.0.1:4010' })`,
  reasons: {
    'search for issues by words':
      'The search has no path that ties it to the issues of a repository.',
    'create a pull request and merge it':
      'The answer to the merge is another object; nothing says what it does to the pull request.',
    'a wrong token is a RequestError 401':
      'The document describes no credentials, so the twin asks for none. The overlay describes them.',
  },

  async run({ base, key, load, step }) {
    const { Octokit } = await load('@octokit/rest');
    const { RequestError } = await load('@octokit/request-error');
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const connect = (auth: string) => new Octokit({ auth, baseUrl: base, log });
    const octokit = connect(key);
    const { repos, issues, gists, pulls, search, activity } = octokit.rest;
    const isRefusal = (error: Loose, status: number) => {
      check(error instanceof RequestError, `class of the error: ${error}`);
      equal(error.status, status, 'status');
    };
    const missing = (call: () => Promise<Loose>) =>
      refuses(call, (error) => equal(error.status, 404, 'status'));
    let owner = 'octocat';
    let number: number | undefined;
    let ownRepo: string | undefined;
    const issueNumber = () => need(number, 'create an issue');

    await step('create a repository', async () => {
      const { status, data } = await repos.createForAuthenticatedUser({
        name: repo,
        description: 'made by the lab',
        private: true,
      });
      owner = ownRepo = data.owner.login;
      equal([status, data.name, data.description], [201, repo, 'made by the lab']);
      equal([data.private, data.full_name], [true, `${owner}/${repo}`], 'private, full_name');
    });
    await step('read it', async () => {
      const { data } = await repos.get({ owner: need(ownRepo, 'create a repository'), repo });
      equal([data.name, data.description, data.private], [repo, 'made by the lab', true]);
    });
    await step('find it with octokit.paginate', async () => {
      const all = await octokit.paginate(repos.listForAuthenticatedUser, { per_page: 7 });
      check(all.some(named(repo)), `not among ${all.length} repositories`);
    });
    await step('update a repository and read it back', async () => {
      const change = { description: 'changed', has_wiki: false };
      const { data } = await repos.update({ owner, repo, ...change });
      equal([data.description, data.name, data.has_wiki], ['changed', repo, false]);
      const { data: read } = await repos.get({ owner, repo });
      equal(read.description, 'changed', 'read back');
    });
    await step('create an issue', async () => {
      const labels = ['bug'];
      const { data } = await issues.create({
        owner,
        repo,
        title: 'It is broken',
        body: 'Very.',
        labels,
      });
      number = data.number;
      equal([data.title, data.body, data.state], ['It is broken', 'Very.', 'open']);
      check(Number.isInteger(number), `number: ${number}`);
      equal(
        data.labels.map((label: Loose) => label.name ?? label),
        labels,
        'labels',
      );
    });
    await step('read the issue', async () => {
      const { data } = await issues.get({ owner, repo, issue_number: issueNumber() });
      equal([data.title, data.body, data.number], ['It is broken', 'Very.', number]);
    });
    await step('comment on it, list the comments, read the comment', async () => {
      const on = { owner, repo, issue_number: issueNumber() };
      const { data } = await issues.createComment({ ...on, body: 'Me too' });
      const list = await issues.listComments(on);
      equal(list.data.map(bodyOf), ['Me too'], 'comments');
      equal(list.data[0].id, data.id, 'id in the list');
      const read = await issues.getComment({ owner, repo, comment_id: data.id });
      equal(read.data.body, 'Me too', 'read');
    });
    await step('close the issue', async () => {
      const change = { issue_number: issueNumber(), state: 'closed' };
      const { data } = await issues.update({ owner, repo, ...change });
      equal([data.state, data.title], ['closed', 'It is broken']);
    });
    await step('list issues: open ones by default, closed ones on request', async () => {
      const open = await issues.listForRepo({ owner, repo });
      const closed = await issues.listForRepo({ owner, repo, state: 'closed' });
      const isIt = (issue: Loose) => issue.number === issueNumber();
      check(!open.data.some(isIt), 'the open ones have the closed issue');
      check(closed.data.some(isIt), 'the closed ones lack it');
    });
    await step('page through issues with octokit.paginate', async () => {
      const titles = [1, 2, 3, 4, 5].map((n) => `Issue ${n}`);
      for (const title of titles) await issues.create({ owner, repo, title });
      const query = { owner, repo, state: 'all', per_page: 2 };
      const all: Loose[] = await octokit.paginate(issues.listForRepo, query);
      for (const title of titles)
        check(
          all.some((issue) => issue.title === title),
          `${title} is not among ${all.length}`,
        );
      equal(new Set(all.map(({ number }) => number)).size, all.length, 'distinct numbers');
    });
    await step('page through issues with paginate.iterator, by Link', async () => {
      const query = { owner, repo, state: 'all', per_page: 2 };
      let pages = 0;
      let link = '';
      for await (const { data, headers } of octokit.paginate.iterator(issues.listForRepo, query)) {
        link ||= headers.link ?? '';
        check(data.length <= 2, `a page of ${data.length}`);
        if (++pages > 20) break;
      }
      check(pages >= 3, `${pages} pages`);
      check(link.includes('rel="next"'), `Link: ${link}`);
    });
    await step('issue numbers begin at 1 in each repository', async () => {
      await repos.createForAuthenticatedUser({ name: 'lab-two' });
      const { data } = await issues.create({ owner, repo: 'lab-two', title: 'first' });
      equal(data.number, 1, 'number');
    });

    const label = { name: 'lab-label', color: 'f29513', description: 'a label' };
    await step('create a label and read it', async () => {
      await issues.createLabel({ owner, repo, ...label });
      const { data } = await issues.getLabel({ owner, repo, name: label.name });
      equal([data.name, data.color, data.description], Object.values(label));
    });
    await step('the same label again is a RequestError 422', () =>
      refuses(
        () => issues.createLabel({ owner, repo, name: label.name, color: label.color }),
        (error) => isRefusal(error, 422),
      ),
    );
    await step('rename the label', async () => {
      await issues.updateLabel({ owner, repo, name: label.name, new_name: 'lab-renamed' });
      const { data } = await issues.getLabel({ owner, repo, name: 'lab-renamed' });
      equal(data.color, label.color, 'color');
    });
    await step('add a label to the issue', async () => {
      const on = { owner, repo, issue_number: issueNumber() };
      await issues.addLabels({ ...on, labels: ['lab-extra'] });
      const { data } = await issues.listLabelsOnIssue(on);
      check(data.some(named('lab-extra')), `labels: ${data.map(nameOf)}`);
    });
    await step('delete the label, which is 404 then', async () => {
      await issues
        .deleteLabel({ owner, repo, name: label.name })
        .catch(() => issues.deleteLabel({ owner, repo, name: 'lab-renamed' }));
      await missing(() => issues.getLabel({ owner, repo, name: label.name }));
    });
    await step('create, update, read and list milestones', async () => {
      const { data } = await issues.createMilestone({ owner, repo, title: 'v1' });
      const at = { owner, repo, milestone_number: data.number };
      await issues.updateMilestone({ ...at, description: 'first' });
      const { data: read } = await issues.getMilestone(at);
      equal([read.title, read.description], ['v1', 'first']);
      const { data: list } = await issues.listMilestones({ owner, repo });
      check(
        list.some((one: Loose) => one.title === 'v1'),
        'not listed',
      );
    });
    await step('create, read, update and delete a gist', async () => {
      const files = { 'a.txt': { content: 'hello' } };
      const { data } = await gists.create({ files, description: 'lab', public: false });
      const gist = { gist_id: data.id };
      const { data: read } = await gists.get(gist);
      equal([read.description, read.files['a.txt']?.content], ['lab', 'hello']);
      await gists.update({ ...gist, description: 'lab 2' });
      equal((await gists.get(gist)).data.description, 'lab 2', 'updated');
      await gists.delete(gist);
      await missing(() => gists.get(gist));
    });
    await step('write a file and read its content', async () => {
      const at = { owner, repo, path: 'docs/a.md' };
      const content = Buffer.from('# Hi').toString('base64');
      await repos.createOrUpdateFileContents({ ...at, message: 'add', content });
      const { data } = await repos.getContent(at);
      equal(Buffer.from(data.content ?? '', 'base64').toString(), '# Hi', 'content');
    });
    await step("create, read and list an organization's repository", async () => {
      const { data } = await repos.createInOrg({ org: 'acme', name: 'org-repo' });
      equal(data.name, 'org-repo');
      const { data: read } = await repos.get({ owner: 'acme', repo: 'org-repo' });
      equal(read.name, 'org-repo', 'read');
      const all = await octokit.paginate(repos.listForOrg, { org: 'acme' });
      check(all.some(named('org-repo')), 'not listed');
    });
    await step('search for issues by words', async () => {
      const q = `repo:${owner}/${repo} is:issue broken`;
      const { data } = await search.issuesAndPullRequests({ q });
      const titles = data.items.map(titleOf);
      check(titles.includes('It is broken'), `found: ${titles}`);
    });
    await step('create a release and read it, by its tag too', async () => {
      const release = { tag_name: 'v1.0.0', name: 'One' };
      const { data } = await repos.createRelease({ owner, repo, ...release });
      const byTag = await repos.getReleaseByTag({ owner, repo, tag: 'v1.0.0' });
      equal(byTag.data.id, data.id, 'id by tag');
      const read = await repos.getRelease({ owner, repo, release_id: data.id });
      equal(read.data.name, 'One', 'read');
    });
    await step('create a pull request and merge it', async () => {
      const pull = { title: 'PR', head: 'feature', base: 'main' };
      const { data } = await pulls.create({ owner, repo, ...pull });
      equal([data.title, data.state], ['PR', 'open']);
      const at = { owner, repo, pull_number: data.number };
      equal((await pulls.merge(at)).data.merged, true, 'merge');
      const { data: read } = await pulls.get(at);
      equal([read.merged, read.state], [true, 'closed'], 'merged, state');
    });
    await step('replace the topics and read them', async () => {
      await repos.replaceAllTopics({ owner, repo, names: ['lab', 'twin'] });
      const { data } = await repos.getAllTopics({ owner, repo });
      equal(data.names, ['lab', 'twin']);
    });
    await step('create, list and delete a webhook', async () => {
      const config = { url: 'https://example.com/hook', content_type: 'json' };
      const { data } = await repos.createWebhook({ owner, repo, config, events: ['push'] });
      equal([data.config.url, data.events], [config.url, ['push']]);
      const { data: list } = await repos.listWebhooks({ owner, repo });
      check(
        list.some((hook: Loose) => hook.id === data.id),
        'not listed',
      );
      await repos.deleteWebhook({ owner, repo, hook_id: data.id });
      await missing(() => repos.getWebhook({ owner, repo, hook_id: data.id }));
    });
    await step('star a repository, check it, take the star away', async () => {
      const { checkRepoIsStarredByAuthenticatedUser: isStarred } = activity;
      await activity.starRepoForAuthenticatedUser({ owner, repo });
      equal((await isStarred({ owner, repo })).status, 204, 'with a star');
      await activity.unstarRepoForAuthenticatedUser({ owner, repo });
      await missing(() => isStarred({ owner, repo }));
    });
    await step('an issue without a title is a RequestError 422 that names it', () =>
      refuses(
        () => octokit.request('POST /repos/{owner}/{repo}/issues', { owner, repo, body: 'none' }),
        (error) => {
          isRefusal(error, 422);
          check(error.message.includes('title'), `message: ${error.message}`);
        },
      ),
    );
    await step('an unknown repository is a RequestError 404 "Not Found"', () =>
      refuses(
        () => repos.get({ owner: 'nobody', repo: 'nothing' }),
        (error) => {
          isRefusal(error, 404);
          check(/not found/i.test(error.message), `message: ${error.message}`);
        },
      ),
    );
    await step('a wrong token is a RequestError 401', () =>
      refuses(
        () => connect('wrong').rest.users.getAuthenticated(),
        (error) => equal(error.status, 401, 'status'),
      ),
    );
    await step('delete the repository, which is 404 then, with its issues', async () => {
      equal((await repos.delete({ owner, repo })).status, 204, 'status');
      await missing(() => repos.get({ owner, repo }));
      await refuses(
        () => issues.get({ owner, repo, issue_number: number ?? 1 }),
        ({ status }) => check([404, 410].includes(status), `issue: ${status}`),
      );
    });
  },
};

const nameOf = ({ name }: Loose) => name;
const titleOf = ({ title }: Loose) => title;
const bodyOf = ({ body }: Loose) => body;
const named = (name: string) => (one: Loose) => one.name === name;
