import { check, equal, type Lab, type Loose, need, refuses } from '../lab.ts';

/** Netlify: sites, deploys and their uploads, hooks, variables and DNS. */
export const netlify: Lab = {
  name: 'netlify',
  service: 'Netlify',
  sdk: '@netlify/api@15.1.2',
  packages: ['@netlify/open-api@2.60.0'],
  document: { from: '@netlify/open-api', file: 'dist/swagger.json' },
  basePath: '/api/v1',
  connect: `new NetlifyAPI('demo-enterprise', { scheme: 'http', host: '127.0.0.1:4010' })`,
  reasons: {
    'upload a file of the deploy':
      'The document has no other operation on the files of a deploy, so the twin makes them up.',
  },

  async run({ base, key, load, step }) {
    const { NetlifyAPI } = await load('@netlify/api');
    const { host, pathname } = new URL(base);
    // The client takes an empty prefix for none that is given.
    const pathPrefix = pathname === '/' ? '/.' : pathname;
    const connect = (token: string) => new NetlifyAPI(token, { scheme: 'http', host, pathPrefix });
    const api = connect(key);
    const isError = (status: number) => (error: Loose) => {
      equal(error.name, 'JSONHTTPError', 'class of the error');
      equal(error.status, status, 'status');
      check(error.json?.message, `no message: ${JSON.stringify(error.json)}`);
    };
    const made: Loose = {};
    const site_id = () => need(made.site, 'create a site');
    const deploy_id = () => need(made.deploy, 'create a deploy');
    const zone_id = () => need(made.zone, 'create a DNS zone and read it');

    let account = { id: 'none', slug: 'none' };

    await step('read the current user', async () => {
      const { id, email } = await api.getCurrentUser();
      check(id && email, `id and email: ${id}, ${email}`);
    });
    await step('list the accounts', async () => {
      [account] = await api.listAccountsForUser();
      check(account.id && account.slug, `id and slug: ${account.id}, ${account.slug}`);
    });
    await step('create a site', async () => {
      const body = { name: 'lab-site', custom_domain: 'www.example.com' };
      const { id, name, custom_domain } = await api.createSite({ body });
      made.site = id;
      equal({ name, custom_domain }, body);
    });
    await step('read it', async () => {
      const { id, name } = await api.getSite({ site_id: site_id() });
      equal([id, name], [made.site, 'lab-site']);
    });
    await step('update it, and keep the rest', async () => {
      const body = { name: 'lab-renamed' };
      await api.updateSite({ siteId: site_id(), body });
      const { name, custom_domain } = await api.getSite({ siteId: site_id() });
      equal([name, custom_domain], ['lab-renamed', 'www.example.com']);
    });
    await step('list sites by name', async () => {
      equal((await api.listSites({ name: 'lab-renamed' })).map(idOf), [site_id()]);
    });
    await step('page through sites to the last page', async () => {
      const expected = [site_id()];
      for (const n of [1, 2, 3, 4, 5])
        expected.push((await api.createSite({ body: { name: `site-${n}` } })).id);
      const seen = [];
      for (let page = 1; page < 50; page += 1) {
        const sites = await api.listSites({ page, per_page: 2 });
        if (sites.length === 0) break;
        check(sites.length <= 2, `a page of ${sites.length}`);
        seen.push(...sites.map(idOf));
      }
      for (const id of expected) check(seen.includes(id), `${id} is not among ${seen.length}`);
      equal(new Set(seen).size, seen.length, 'distinct');
    });
    await step("create a site in a team, and list the team's sites", async () => {
      const team = { account_slug: account.slug };
      const { id } = await api.createSiteInTeam({ ...team, body: { name: 'team-site' } });
      const sites = await api.listSitesForAccount(team);
      check(sites.map(idOf).includes(id), 'not listed');
      equal((await api.getSite({ site_id: id })).name, 'team-site', 'read');
    });
    await step('create a deploy', async () => {
      const files = { '/index.html': '907d14fb3af2b0d4f18c2d46abe8aedce17367bd' };
      const deploy = await api.createSiteDeploy({
        site_id: site_id(),
        title: 'First',
        body: { files, draft: true },
      });
      made.deploy = deploy.id;
      check(deploy.id, 'no id');
      equal([deploy.site_id, deploy.draft], [made.site, true], 'site_id, draft');
    });
    await step('upload a file of the deploy', async () => {
      const file = { deploy_id: deploy_id(), path: 'index.html', body: '<h1>Hello</h1>' };
      const { path, size } = await api.uploadDeployFile(file);
      equal([path, size], ['index.html', 14], 'path, size');
    });
    await step('read the deploy, by its site and alone', async () => {
      const bySite = await api.getSiteDeploy({ site_id: site_id(), deploy_id: deploy_id() });
      const alone = await api.getDeploy({ deploy_id: deploy_id() });
      equal([bySite.id, alone.id], [made.deploy, made.deploy]);
    });
    await step('list the deploys of the site', async () => {
      const deploys = await api.listSiteDeploys({ site_id: site_id() });
      equal(deploys.map(idOf), [deploy_id()]);
    });
    await step('lock the deploy and unlock it', async () => {
      await api.lockDeploy({ deploy_id: deploy_id() });
      equal((await api.getDeploy({ deploy_id: deploy_id() })).locked, true, 'locked');
      await api.unlockDeploy({ deploy_id: deploy_id() });
      equal((await api.getDeploy({ deploy_id: deploy_id() })).locked, false, 'unlocked');
    });
    await step('create, list, update and delete a build hook', async () => {
      const at = { site_id: site_id() };
      const hook = await api.createSiteBuildHook({ ...at, body: { title: 'CMS', branch: 'main' } });
      equal([hook.title, hook.branch], ['CMS', 'main']);
      const list = await api.listSiteBuildHooks(at);
      check(list.map(idOf).includes(hook.id), 'not listed');
      await api.updateSiteBuildHook({ ...at, id: hook.id, body: { title: 'Blog' } });
      equal((await api.getSiteBuildHook({ ...at, id: hook.id })).title, 'Blog', 'updated');
      await api.deleteSiteBuildHook({ ...at, id: hook.id });
      await refuses(() => api.getSiteBuildHook({ ...at, id: hook.id }), isError(404));
    });
    await step('create, read and update a snippet', async () => {
      const at = { site_id: site_id() };
      const body = { title: 'Analytics', general: '<script></script>' };
      const { id } = await api.createSiteSnippet({ ...at, body });
      await api.updateSiteSnippet({ ...at, snippet_id: id, body: { title: 'Statistics' } });
      const { title, general } = await api.getSiteSnippet({ ...at, snippet_id: id });
      equal([title, general], ['Statistics', body.general]);
    });
    await step('create a notification hook, list and delete it', async () => {
      const body = { type: 'url', event: 'deploy_created', data: { url: 'https://example.com' } };
      const { id, type, event } = await api.createHookBySiteId({ site_id: site_id(), body });
      equal([type, event], [body.type, body.event]);
      const list = await api.listHooksBySiteId({ site_id: site_id() });
      check(list.map(idOf).includes(id), 'not listed');
      await api.deleteHook({ hook_id: id });
      await refuses(() => api.getHook({ hook_id: id }), isError(404));
    });
    await step('create environment variables, answered in a list, and read one', async () => {
      const values = [{ context: 'all', value: 'secret' }];
      const body = [{ key: 'TOKEN', values }];
      const created = await api.createEnvVars({ account_id: account.id, body });
      equal(created.map(keyOf), ['TOKEN'], 'created');
      const read = await api.getEnvVar({ account_id: account.id, key: 'TOKEN' });
      equal([read.key, read.values?.[0]?.value], ['TOKEN', 'secret'], 'read');
    });
    await step('list, update and delete an environment variable', async () => {
      const at = { account_id: account.id, key: 'TOKEN' };
      check((await api.getEnvVars(at)).map(keyOf).includes('TOKEN'), 'not listed');
      const values = [{ context: 'all', value: 'other' }];
      await api.updateEnvVar({ ...at, body: { key: 'TOKEN', values } });
      equal((await api.getEnvVar(at)).values?.[0]?.value, 'other', 'updated');
      await api.deleteEnvVar(at);
      await refuses(() => api.getEnvVar(at), isError(404));
    });
    await step('create a DNS zone and read it', async () => {
      const zone = await api.createDnsZone({ body: { name: 'example.com', site_id: made.site } });
      made.zone = zone.id;
      equal((await api.getDnsZone({ zone_id: zone_id() })).name, 'example.com');
    });
    await step('create, list and delete a DNS record', async () => {
      const body = { type: 'A', hostname: 'www', value: '1.2.3.4', ttl: 3600 };
      const record = await api.createDnsRecord({ zone_id: zone_id(), body });
      equal([record.type, record.value], ['A', '1.2.3.4']);
      const list = async () => (await api.getDnsRecords({ zone_id: zone_id() })).map(idOf);
      check((await list()).includes(record.id), 'not listed');
      await api.deleteDnsRecord({ zone_id: zone_id(), dns_record_id: record.id });
      check(!(await list()).includes(record.id), 'still listed');
    });
    await step('create a deploy key, list and delete it', async () => {
      const { id, public_key } = await api.createDeployKey();
      check(id && public_key, `id and public_key: ${id}, ${public_key}`);
      check((await api.listDeployKeys()).map(idOf).includes(id), 'not listed');
      await api.deleteDeployKey({ key_id: id });
      await refuses(() => api.getDeployKey({ key_id: id }), isError(404));
    });
    await step('replace the metadata of the site and read it', async () => {
      await api.updateSiteMetadata({ site_id: site_id(), body: { theme: 'dark' } });
      equal((await api.getSiteMetadata({ site_id: site_id() })).theme, 'dark');
    });
    await step('add a member to a team', async () => {
      const team = { account_slug: account.slug };
      const body = { email: 'ada@example.com', role: 'Developer' };
      await api.addMemberToAccount({ ...team, body });
      const members = await api.listMembersForAccount(team);
      check(
        members.some(({ email }: Loose) => email === body.email),
        'not listed',
      );
    });
    await step('wait for a ticket and exchange it for a token', async () => {
      const ticket = await api.createTicket({ client_id: 'lab' });
      equal(ticket.client_id, 'lab', 'client_id');
      equal((await api.showTicket({ ticket_id: ticket.id })).id, ticket.id, 'id');
      const { access_token } = await api.exchangeTicket({ ticket_id: ticket.id });
      check(access_token, 'no access_token');
    });
    await step('an unknown site is a JSONHTTPError 404 with a message', () =>
      refuses(() => api.getSite({ site_id: 'nothing' }), isError(404)),
    );
    await step('a wrong token is a JSONHTTPError 401 with a message', () =>
      refuses(() => connect('wrong').listSites(), isError(401)),
    );
    await step('delete the site, which is 404 then and not listed', async () => {
      await api.deleteSite({ site_id: site_id() });
      await refuses(() => api.getSite({ site_id: site_id() }), isError(404));
      check(!(await api.listSites({ per_page: 100 })).map(idOf).includes(site_id()), 'listed');
    });
  },
};

const idOf = ({ id }: Loose) => id;
const keyOf = ({ key }: Loose) => key;
