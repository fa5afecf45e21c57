import { check, equal, type Lab, type Loose, need, refuses } from '../lab.ts';

/** Datadog: monitors, dashboards, notebooks, objectives and settings of version 1 of its API. */
export const datadog: Lab = {
  name: 'datadog',
  service: 'Datadog',
  sdk: '@datadog/datadog-api-client@1.64.0',
  document: {
    from: {
      path: 'github.com/DataDog/datadog-api-client-go/v2',
      version: 'v2.67.0',
      sums: [
        'h1:fNIlvUjfCEL/wFrtXioCT+ah/o04M7475klcF97bZj0=',
        'h1:d3tOEgUd2kfsr9uuHQdY+nXrWp4uikgTgVCPdKNK30U=',
      ],
    },
    file: '.generator/schemas/v1/openapi.yaml',
  },
  basePath: '',
  connect: `const configuration = client.createConfiguration({
  baseServer: new client.BaseServerConfiguration('http://127.0.0.1:4010', {}),
  authMethods: { apiKeyAuth: 'demo-enterprise', appKeyAuth: 'demo-enterprise' },
})`,
  reasons: {
    'a wrong key is an ApiException 403 with errors':
      'Datadog answers a wrong key with 403; the twin with 401, as RFC 9110 says.',
  },

  async run({ base, key, load, step }) {
    const { client, v1 } = await load('@datadog/datadog-api-client');
    const connect = (apiKeyAuth: string) =>
      client.createConfiguration({
        baseServer: new client.BaseServerConfiguration(base, {}),
        authMethods: { apiKeyAuth, appKeyAuth: key },
        enableRetry: false,
      });
    const configuration = connect(key);
    const monitors = new v1.MonitorsApi(configuration);
    const dashboards = new v1.DashboardsApi(configuration);
    const notebooks = new v1.NotebooksApi(configuration);
    const objectives = new v1.ServiceLevelObjectivesApi(configuration);
    const downtimes = new v1.DowntimesApi(configuration);
    const tags = new v1.TagsApi(configuration);
    const webhooks = new v1.WebhooksIntegrationApi(configuration);
    const keys = new v1.KeyManagementApi(configuration);
    const pipelines = new v1.LogsPipelinesApi(configuration);
    const events = new v1.EventsApi(configuration);
    const users = new v1.UsersApi(configuration);
    const isError = (code: number) => (error: Loose) => {
      check(error instanceof client.ApiException, `class of the error: ${error}`);
      equal(error.code, code, 'code');
      check(Array.isArray(error.body?.errors), `no errors: ${JSON.stringify(error.body)}`);
    };
    const monitor = {
      name: 'High load',
      type: 'metric alert',
      query: 'avg(last_5m):avg:system.load.1{*} > 4',
      message: 'Look at it @anna',
      tags: ['team:web'],
    };
    const objective = {
      name: 'Fast',
      type: 'metric',
      query: { numerator: 'sum:good{*}.as_count()', denominator: 'sum:all{*}.as_count()' },
      thresholds: [{ target: 99, timeframe: '7d' }],
    };
    const widget = { definition: { type: 'note', content: 'Hello' } };
    const board = { title: 'Web', layoutType: 'ordered', widgets: [widget] };
    const cell = {
      type: 'notebook_cells',
      attributes: { definition: { type: 'markdown', text: '# Hello' } },
    };
    const notebook = (name: string) => ({
      body: {
        data: { type: 'notebooks', attributes: { name, cells: [cell], time: { liveSpan: '1h' } } },
      },
    });
    const made: Loose = {};

    await step('the keys are valid', async () => {
      const { valid } = await new v1.AuthenticationApi(configuration).validate();
      equal(valid, true, 'valid');
    });
    await step('create a monitor', async () => {
      const created = await monitors.createMonitor({ body: monitor });
      made.monitor = created.id;
      equal(
        [created.name, created.query, created.tags],
        [monitor.name, monitor.query, ['team:web']],
      );
      check(Number.isInteger(created.id), `id: ${created.id}`);
    });
    const monitorId = () => need(made.monitor, 'create a monitor');
    await step('read it', async () => {
      const read = await monitors.getMonitor({ monitorId: monitorId() });
      equal([read.id, read.name, read.type], [made.monitor, monitor.name, monitor.type]);
    });
    await step('update its name, and keep the query', async () => {
      const change = { monitorId: monitorId(), body: { name: 'Higher load' } };
      equal((await monitors.updateMonitor(change)).name, 'Higher load');
      const read = await monitors.getMonitor({ monitorId: monitorId() });
      equal([read.name, read.query], ['Higher load', monitor.query], 'read back');
    });
    await step('list monitors by name', async () => {
      equal((await monitors.listMonitors({ name: 'Higher load' })).map(idOf), [monitorId()]);
    });
    await step('page through monitors with listMonitorsWithPagination', async () => {
      const expected = [];
      for (const n of [1, 2, 3, 4, 5]) {
        const { id } = await monitors.createMonitor({ body: { ...monitor, name: `Load ${n}` } });
        expected.push(id);
      }
      const seen = await collect(monitors.listMonitorsWithPagination({ pageSize: 2 }), idOf);
      for (const id of expected) check(seen.includes(id), `${id} is not among ${seen.length}`);
      equal(new Set(seen).size, seen.length, 'distinct');
    });
    await step('list monitors by tags', async () => {
      const body = { ...monitor, name: 'Tagged', tags: ['team:lab'] };
      await monitors.createMonitor({ body });
      const found = await monitors.listMonitors({ monitorTags: 'team:lab' });
      equal(
        found.map(({ name }: Loose) => name),
        ['Tagged'],
      );
    });
    await step('validate a monitor', () => monitors.validateMonitor({ body: monitor }));
    await step('schedule a downtime, read and cancel it', async () => {
      const body = { scope: ['env:staging'], message: 'Upgrade' };
      const { id } = await downtimes.createDowntime({ body });
      const read = await downtimes.getDowntime({ downtimeId: id });
      equal([read.scope, read.message], Object.values(body));
      await downtimes.cancelDowntime({ downtimeId: id });
    });
    await step('delete the monitor, which is 404 then', async () => {
      const { deletedMonitorId } = await monitors.deleteMonitor({ monitorId: monitorId() });
      equal(deletedMonitorId, made.monitor, 'deletedMonitorId');
      await refuses(() => monitors.getMonitor({ monitorId: monitorId() }), isError(404));
    });

    await step('create a dashboard and read it', async () => {
      const { id } = await dashboards.createDashboard({ body: board });
      made.dashboard = id;
      const read = await dashboards.getDashboard({ dashboardId: id });
      equal([read.id, read.title, read.layoutType], [id, board.title, board.layoutType]);
      equal(read.widgets[0]?.definition?.content, 'Hello', 'content of its widget');
    });
    const dashboardId = () => need(made.dashboard, 'create a dashboard and read it');
    await step('update the dashboard', async () => {
      const body = { ...board, title: 'Web and more' };
      await dashboards.updateDashboard({ dashboardId: dashboardId(), body });
      const read = await dashboards.getDashboard({ dashboardId: dashboardId() });
      equal(read.title, body.title);
    });
    await step('page through dashboards with listDashboardsWithPagination', async () => {
      const expected = [dashboardId()];
      for (const title of ['A', 'B', 'C'])
        expected.push((await dashboards.createDashboard({ body: { ...board, title } })).id);
      const seen = await collect(dashboards.listDashboardsWithPagination({ count: 2 }), idOf);
      for (const id of expected) check(seen.includes(id), `${id} is not among ${seen.length}`);
    });
    await step('delete the dashboard, which is 404 then', async () => {
      const at = { dashboardId: dashboardId() };
      equal((await dashboards.deleteDashboard(at)).deletedDashboardId, made.dashboard);
      await refuses(() => dashboards.getDashboard(at), isError(404));
    });
    await step('create a notebook and read it', async () => {
      const { data } = await notebooks.createNotebook(notebook('Incident'));
      made.notebook = data.id;
      const { data: read } = await notebooks.getNotebook({ notebookId: data.id });
      equal([read.id, read.attributes.name], [made.notebook, 'Incident']);
      equal(read.attributes.cells.length, 1, 'cells');
    });
    const notebookId = () => need(made.notebook, 'create a notebook and read it');
    await step('update the notebook', async () => {
      await notebooks.updateNotebook({ notebookId: notebookId(), ...notebook('Incident 7') });
      const { data } = await notebooks.getNotebook({ notebookId: notebookId() });
      equal(data.attributes.name, 'Incident 7');
    });
    await step('page through notebooks with listNotebooksWithPagination', async () => {
      const expected = [notebookId()];
      for (const name of ['A', 'B', 'C'])
        expected.push((await notebooks.createNotebook(notebook(name))).data.id);
      const seen = await collect(notebooks.listNotebooksWithPagination({ count: 2 }), idOf);
      for (const id of expected) check(seen.includes(id), `${id} is not among ${seen.length}`);
    });
    await step('delete the notebook, which is 404 then', async () => {
      await notebooks.deleteNotebook({ notebookId: notebookId() });
      await refuses(() => notebooks.getNotebook({ notebookId: notebookId() }), isError(404));
    });
    await step('create an objective, answered in a list, and read it', async () => {
      const { data } = await objectives.createSLO({ body: objective });
      equal(
        data.map(({ name }: Loose) => name),
        ['Fast'],
        'created',
      );
      made.objective = data[0].id;
      const read = await objectives.getSLO({ sloId: made.objective });
      equal([read.data.id, read.data.name], [made.objective, 'Fast'], 'read');
    });
    const sloId = () =>
      need(made.objective, 'create an objective, answered in a list, and read it');
    await step('list objectives by ids', async () => {
      await objectives.createSLO({ body: { ...objective, name: 'Faster' } });
      equal((await objectives.listSLOs({ ids: sloId() })).data.map(idOf), [made.objective]);
    });
    await step('delete the objective, which is 404 then', async () => {
      equal((await objectives.deleteSLO({ sloId: sloId() })).data, [made.objective], 'deleted');
      await refuses(() => objectives.getSLO({ sloId: sloId() }), isError(404));
    });

    await step('tag a host, change and delete its tags', async () => {
      const at = { hostName: 'web-1' };
      await tags.createHostTags({ ...at, body: { tags: ['env:lab'] } });
      equal((await tags.getHostTags(at)).tags, ['env:lab'], 'created');
      await tags.updateHostTags({ ...at, body: { tags: ['env:other'] } });
      equal((await tags.getHostTags(at)).tags, ['env:other'], 'changed');
      await tags.deleteHostTags(at);
    });
    await step('create a webhook, read, rename and delete it', async () => {
      const body = { name: 'lab-hook', url: 'https://example.com/hook' };
      await webhooks.createWebhooksIntegration({ body });
      const at = { webhookName: 'lab-hook' };
      equal((await webhooks.getWebhooksIntegration(at)).url, body.url, 'url');
      const url = 'https://example.com/other';
      await webhooks.updateWebhooksIntegration({ ...at, body: { url } });
      equal((await webhooks.getWebhooksIntegration(at)).url, url, 'changed url');
      await webhooks.deleteWebhooksIntegration(at);
      await refuses(() => webhooks.getWebhooksIntegration(at), isError(404));
    });
    await step('create an API key, read and list it', async () => {
      const { apiKey } = await keys.createAPIKey({ body: { name: 'lab' } });
      check(apiKey?.key, 'no key');
      equal((await keys.getAPIKey({ key: apiKey.key })).apiKey?.name, 'lab', 'read');
      const { apiKeys } = await keys.listAPIKeys();
      check(
        apiKeys.some(({ key }: Loose) => key === apiKey.key),
        'not listed',
      );
    });
    await step('create a pipeline of logs, read, list and delete it', async () => {
      const body = { name: 'nginx', filter: { query: 'source:nginx' }, isEnabled: true };
      const { id } = await pipelines.createLogsPipeline({ body });
      const read = await pipelines.getLogsPipeline({ pipelineId: id });
      equal([read.name, read.filter?.query], ['nginx', 'source:nginx']);
      check((await pipelines.listLogsPipelines()).map(idOf).includes(id), 'not listed');
      await pipelines.deleteLogsPipeline({ pipelineId: id });
      check(!(await pipelines.listLogsPipelines()).map(idOf).includes(id), 'still listed');
    });
    await step('post an event and read it', async () => {
      const body = { title: 'Deployed', text: 'Version 7' };
      const { event } = await events.createEvent({ body });
      const read = await events.getEvent({ eventId: need(event?.id, 'post an event') });
      equal([read.event?.title, read.event?.text], ['Deployed', 'Version 7']);
    });
    await step('create a user, read and disable it', async () => {
      const body = { handle: 'ada@example.com', name: 'Ada' };
      equal((await users.createUser({ body })).user?.handle, body.handle, 'created');
      const at = { userHandle: body.handle };
      equal((await users.getUser(at)).user?.name, 'Ada', 'read');
      await users.disableUser(at);
    });
    await step('a page that is too long is an ApiException 400 with errors', () =>
      refuses(() => monitors.listMonitors({ page: 0, pageSize: 5000 }), isError(400)),
    );
    await step('an unknown monitor is an ApiException 404 with errors', () =>
      refuses(() => monitors.getMonitor({ monitorId: 987654321 }), isError(404)),
    );
    await step('a wrong key is an ApiException 403 with errors', () =>
      refuses(() => new v1.MonitorsApi(connect('wrong')).listMonitors(), isError(403)),
    );
  },
};

const idOf = ({ id }: Loose) => id;

/** Collects the items of an iterator; at most the first 300 or so. */
async function collect(items: AsyncIterable<Loose>, read: (item: Loose) => Loose) {
  const seen = [];
  for await (const item of items) if (seen.push(read(item)) > 300) break;
  return seen;
}
