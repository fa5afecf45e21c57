import { check, equal, type Lab, type Loose, need, refuses } from '../lab.ts';

/** Okta: users, groups, applications and what guards them. */
export const okta: Lab = {
  name: 'okta',
  service: 'Okta',
  sdk: '@okta/okta-sdk-nodejs@8.1.0',
  document: {
    from: {
      path: 'github.com/okta/okta-sdk-golang/v5',
      version: 'v5.0.2',
      sums: [
        'h1:eecvycE/XDX56IWTsOVhqfj5txCgqryTXzKy7wKEq78=',
        'h1:T/vmECtJX33YPZSVD+sorebd8LLhe38Bi/VrFTjgVX0=',
      ],
    },
    file: '.generator/okta-management-APIs-oasv3-noEnums-inheritance.yaml',
  },
  basePath: '',
  connect: `new Client({
  orgUrl: 'http://127.0.0.1:4010',
  token: 'demo-enterprise',
  testing: { disableHttpsCheck: true },
})`,
  reasons: {
    'read the user by its login': 'That the id in the path may be a login is said in words alone.',
  },

  async run({ base, key, load, step }) {
    const { Client } = await load('@okta/okta-sdk-nodejs');
    const connect = (token: string) =>
      new Client({ orgUrl: base, token, testing: { disableHttpsCheck: true } });
    const client = connect(key);
    const { userApi: users, groupApi: groups, applicationApi: apps } = client;
    const hasStatus = (status: number) => (error: Loose) => {
      equal(error.status, status, `status (${error.message})`);
      check(error.errorCode && error.errorSummary, `no errorCode: ${error.message}`);
    };
    const profile = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      login: 'ada@example.com',
    };
    const made: Loose = {};
    const userId = () => need(made.user, 'create a user');
    const groupId = () => need(made.group, 'create a group and read it');
    const appId = () => need(made.app, 'create an application and read it');
    const statusOf = async () => (await users.getUser({ userId: userId() })).status;

    await step('create a user', async () => {
      const credentials = { password: { value: 'Abcd1234!' } };
      const created = await users.createUser({ body: { profile, credentials }, activate: true });
      made.user = created.id;
      equal([created.profile.email, created.profile.firstName], [profile.email, 'Ada']);
      check(created.id, 'no id');
    });
    await step('an activated user is ACTIVE', async () => equal(await statusOf(), 'ACTIVE'));
    await step('read the user by its id', async () => {
      const read = await users.getUser({ userId: userId() });
      equal([read.id, read.profile.login], [made.user, profile.login]);
    });
    await step('read the user by its login', async () => {
      equal((await users.getUser({ userId: profile.login })).id, userId(), 'id');
    });
    await step('update the nickname, and keep the rest', async () => {
      const user = { profile: { nickName: 'Countess' } };
      await users.updateUser({ userId: userId(), user });
      const { profile: read } = await users.getUser({ userId: userId() });
      equal([read.nickName, read.email], ['Countess', profile.email]);
    });
    await step('page through users with the collection', async () => {
      const expected = [userId()];
      for (const n of [1, 2, 3, 4, 5]) {
        const email = `user${n}@example.com`;
        const body = { profile: { ...profile, email, login: email } };
        expected.push((await users.createUser({ body })).id);
      }
      const seen = await collect(await users.listUsers({ limit: 2 }));
      for (const id of expected) check(seen.includes(id), `${id} is not among ${seen.length}`);
      equal(new Set(seen).size, seen.length, 'distinct');
    });
    await step('search for a user by email', async () => {
      const search = `profile.email eq "${profile.email}"`;
      equal(await collect(await users.listUsers({ search })), [userId()]);
    });
    await step('suspend the user and unsuspend it', async () => {
      await users.suspendUser({ userId: userId() });
      equal(await statusOf(), 'SUSPENDED', 'suspended');
      await users.unsuspendUser({ userId: userId() });
      equal(await statusOf(), 'ACTIVE', 'unsuspended');
    });
    await step('create a group and read it', async () => {
      const group = { profile: { name: 'Engineers', description: 'They build' } };
      made.group = (await groups.createGroup({ group })).id;
      const read = await groups.getGroup({ groupId: groupId() });
      equal([read.profile.name, read.profile.description], Object.values(group.profile));
    });
    await step('rename the group', async () => {
      const group = { profile: { name: 'Builders' } };
      await groups.replaceGroup({ groupId: groupId(), group });
      equal((await groups.getGroup({ groupId: groupId() })).profile.name, 'Builders');
    });
    await step('list groups', async () => {
      check((await collect(await groups.listGroups({}))).includes(groupId()), 'not listed');
    });
    await step("add the user to the group, and list the group's users", async () => {
      await groups.assignUserToGroup({ groupId: groupId(), userId: userId() });
      equal(await collect(await groups.listGroupUsers({ groupId: groupId() })), [userId()]);
    });
    await step("list the user's groups", async () => {
      const seen = await collect(await users.listUserGroups({ userId: userId() }));
      check(seen.includes(groupId()), `groups: ${seen}`);
    });
    await step('take the user out of the group', async () => {
      await groups.unassignUserFromGroup({ groupId: groupId(), userId: userId() });
      equal(await collect(await groups.listGroupUsers({ groupId: groupId() })), []);
    });
    await step('create a rule of groups and activate it', async () => {
      const expression = { type: 'urn:okta:expression:1.0', value: 'user.city=="London"' };
      const groupRule = {
        name: 'Londoners',
        type: 'group_rule',
        conditions: { expression },
        actions: { assignUserToGroups: { groupIds: [made.group ?? 'none'] } },
      };
      const { id, name } = await groups.createGroupRule({ groupRule });
      equal(name, 'Londoners');
      await groups.activateGroupRule({ ruleId: id });
      equal((await groups.getGroupRule({ ruleId: id })).status, 'ACTIVE', 'status');
    });
    await step('create an application and read it', async () => {
      const application = {
        name: 'bookmark',
        label: 'Wiki',
        signOnMode: 'BOOKMARK',
        settings: { app: { requestIntegration: false, url: 'https://example.com/wiki' } },
      };
      made.app = (await apps.createApplication({ application })).id;
      const read = await apps.getApplication({ appId: appId() });
      equal([read.label, read.signOnMode], ['Wiki', 'BOOKMARK']);
      equal(read.settings?.app?.url, application.settings.app.url, 'url');
    });
    await step('list applications', async () => {
      check((await collect(await apps.listApplications({}))).includes(appId()), 'not listed');
    });
    await step('assign the application to the user', async () => {
      const appUser = { id: userId(), scope: 'USER' };
      equal((await apps.assignUserToApplication({ appId: appId(), appUser })).id, userId(), 'id');
      const seen = await collect(await apps.listApplicationUsers({ appId: appId() }));
      equal(seen, [userId()], 'users');
    });
    await step('deactivate the application and delete it', async () => {
      await apps.deactivateApplication({ appId: appId() });
      equal((await apps.getApplication({ appId: appId() })).status, 'INACTIVE', 'status');
      await apps.deleteApplication({ appId: appId() });
      await refuses(() => apps.getApplication({ appId: appId() }), hasStatus(404));
    });
    await step('create a network zone, read and list it', async () => {
      const gateways = [{ type: 'CIDR', value: '1.2.3.4/24' }];
      const zone = { type: 'IP', name: 'Office', status: 'ACTIVE', gateways };
      const { id } = await client.networkZoneApi.createNetworkZone({ zone });
      const read = await client.networkZoneApi.getNetworkZone({ zoneId: id });
      equal([read.name, read.gateways?.[0]?.value], ['Office', '1.2.3.4/24']);
      const seen = await collect(await client.networkZoneApi.listNetworkZones({}));
      check(seen.includes(id), 'not listed');
    });
    await step('create a trusted origin, change and delete it', async () => {
      const api = client.trustedOriginApi;
      const origin = { name: 'Site', origin: 'https://example.com', scopes: [{ type: 'CORS' }] };
      const { id } = await api.createTrustedOrigin({ trustedOrigin: origin });
      const at = { trustedOriginId: id };
      const trustedOrigin = { ...origin, name: 'Other site' };
      await api.replaceTrustedOrigin({ ...at, trustedOrigin });
      const read = await api.getTrustedOrigin(at);
      equal([read.name, read.origin], ['Other site', origin.origin]);
      await api.deleteTrustedOrigin(at);
      await refuses(() => api.getTrustedOrigin(at), hasStatus(404));
    });
    await step('create an event hook and deactivate it', async () => {
      const uri = 'https://example.com/hook';
      const eventHook = {
        name: 'Hook',
        events: { type: 'EVENT_TYPE', items: ['group.user_membership.add'] },
        channel: { type: 'HTTP', version: '1.0.0', config: { uri } },
      };
      const { id, channel } = await client.eventHookApi.createEventHook({ eventHook });
      equal(channel?.config?.uri, uri, 'uri');
      await client.eventHookApi.deactivateEventHook({ eventHookId: id });
      const { status } = await client.eventHookApi.getEventHook({ eventHookId: id });
      equal(status, 'INACTIVE', 'status');
    });
    await step('create an authorization server with a scope', async () => {
      const api = client.authorizationServerApi;
      const authorizationServer = { name: 'Shop', description: 'of the shop', audiences: ['shop'] };
      const { id } = await api.createAuthorizationServer({ authorizationServer });
      const at = { authServerId: id };
      const scope = await api.createOAuth2Scope({ ...at, oAuth2Scope: { name: 'orders:read' } });
      equal(scope.name, 'orders:read', 'scope');
      const seen = await collect(await api.listOAuth2Scopes(at));
      check(seen.includes(scope.id), `scopes: ${seen}`);
    });
    await step('a user without a profile is a 400 with an errorCode', () =>
      refuses(() => users.createUser({ body: { credentials: {} } }), hasStatus(400)),
    );
    await step('an unknown user is a 404 with an errorCode', () =>
      refuses(() => users.getUser({ userId: 'nobody' }), hasStatus(404)),
    );
    await step('a wrong token is a 401 with an errorCode', () =>
      refuses(() => connect('wrong').userApi.getUser({ userId: 'me' }), hasStatus(401)),
    );
    await step('delete the group, which is 404 then', async () => {
      await groups.deleteGroup({ groupId: groupId() });
      await refuses(() => groups.getGroup({ groupId: groupId() }), hasStatus(404));
    });
    await step('deactivate the user and delete it, which is 404 then', async () => {
      await users.deactivateUser({ userId: userId() });
      equal(await statusOf(), 'DEPROVISIONED', 'status');
      await users.deleteUser({ userId: userId() });
      await refuses(() => users.getUser({ userId: userId() }), hasStatus(404));
    });
  },
};

/** The ids of what a collection has on all of its pages; of more than 300, the first. */
async function collect(items: AsyncIterable<Loose>): Promise<Loose[]> {
  const ids = [];
  for await (const item of items) if (item && ids.push(item.id) > 300) break;
  return ids;
}
