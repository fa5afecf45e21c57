import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hoursFromNow as at, type Call, type Item } from '../call.ts';
import { installFromGo } from '../install.ts';
import type { RealServer } from '../real-server.ts';
import truth from '../truth/alertmanager.json' with { type: 'json' };

const version = '0.34.2';

/** No notification leaves the machine: port 9 of loopback refuses. */
const config = `
global: { resolve_timeout: 120h }
route:
  receiver: default
  group_by: [alertname, cluster]
  group_wait: 1s
  routes: [{ matchers: ['team="web"'], receiver: web-chat }]
inhibit_rules:
  - source_matchers: ['severity="critical"']
    target_matchers: ['severity="warning"']
    equal: [alertname, cluster]
receivers:
  - { name: default }
  - { name: web-chat, webhook_configs: [{ url: 'http://127.0.0.1:9/chat' }] }
`;

const matcher = (name: string, value: string) => ({ name, value, isRegex: false, isEqual: true });

function silence(label: string, comment: string, from = 0, to = 72): object {
  const matchers = [matcher('alertname', label)];
  return { matchers, startsAt: at(from), endsAt: at(to), createdBy: 'anna@shop.example', comment };
}

function alert(alertname: string, severity: string, instance: string): object {
  const labels = { alertname, cluster: 'eu-1', team: 'web', severity, instance };
  return { labels, annotations: { summary: `${alertname} of ${instance}` }, startsAt: at(-2) };
}

async function create(call: Call, body: object): Promise<string> {
  const { silenceID } = await call<{ silenceID: string }>('POST', '/api/v2/silences', body);
  return silenceID;
}

/** Prometheus's Alertmanager, with firing, inhibited and silenced alerts. */
export const alertmanager: RealServer = {
  name: 'alertmanager',
  version,
  basePath: '/api/v2',
  ready: '/-/ready',
  headers: {},
  flags: [],
  settle: 2500,
  install: (folder) =>
    installFromGo(folder, {
      module: `github.com/prometheus/alertmanager@v${version}`,
      main: './cmd/alertmanager',
      document: 'api/v2/openapi.yaml',
      pages: ['app', 'mantine-ui'].map((page) => `ui/${page}/dist/index.html`),
    }),
  start({ installed, data, port }) {
    writeFileSync(join(data, 'alertmanager.yml'), config);
    const args = [
      `--config.file=${join(data, 'alertmanager.yml')}`,
      `--storage.path=${join(data, 'store')}`,
      '--cluster.listen-address=',
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    return [{ command: join(installed, 'program'), args }];
  },
  async seed(call) {
    const names = ['HighLatency', 'DiskFull', 'PaymentErrors', 'BackupAge'];
    const alerts = names.flatMap((name) => [
      alert(name, 'warning', 'web-1'),
      alert(name, 'warning', 'web-2'),
    ]);
    await call('POST', '/api/v2/alerts', [...alerts, alert('DiskFull', 'critical', 'web-3')]);
    await create(call, silence('HighLatency', 'Load test, OPS-311'));
    await create(call, silence('Watchdog', 'The cluster is rebuilt', 0, 48));
    await create(call, silence('PaymentErrors', 'Planned work of next week', 150, 156));
    const ended = await create(call, silence('BackupAge', 'Was a false alarm'));
    await call('DELETE', `/api/v2/silence/${ended}`);
  },
  async dump(call) {
    const get = (path: string) => call<Item[]>('GET', `/api/v2/${path}`);
    type Alert = { fingerprint: string; status: { inhibitedBy: string[]; mutedBy: string[] } };
    const alerts = (await get('alerts')) as unknown as Alert[];
    const { config } = await call<{ config: unknown }>('GET', '/api/v2/status');
    return {
      config: { loaded: config },
      receivers: Object.fromEntries((await get('receivers')).map((row) => [row.name, row])),
      silences: Object.fromEntries((await get('silences')).map((row) => [row.id, row])),
      alerts: Object.fromEntries(
        // Which of several alerts inhibits one is chosen anew at each reading.
        alerts.map(({ status: { inhibitedBy, ...status }, fingerprint, ...row }) => [
          fingerprint,
          { ...row, status: { ...status, inhibited: inhibitedBy.length > 0 } },
        ]),
      ),
    };
  },
  document: async (_, { installed }) => readFileSync(join(installed, 'document'), 'utf8'),
  async use(call) {
    for (let number = 1; number <= 5; number += 1) {
      const id = await create(call, silence(`Shop${number}`, `Work of client ${number}`));
      await call('GET', `/api/v2/silence/${id}`);
      await create(call, { ...silence(`Shop${number}`, 'It takes longer', 0, 96), id });
      await call('GET', '/api/v2/silences');
      if (number < 5) await call('DELETE', `/api/v2/silence/${id}`);
      await call('POST', '/api/v2/alerts', [alert(`Client${number}`, 'info', 'web-9')]);
      await call('GET', '/api/v2/alerts');
    }
    for (const path of ['status', 'receivers', 'alerts/groups'])
      await call('GET', `/api/v2/${path}`);
  },
  // A deleted silence stays listed as an expired one.
  isSideEffect: (kind, row) =>
    kind === 'silences' && (row as { status: { state: string } }).status.state === 'expired',
  shape: {
    idOf: (body) => (body as { silenceID?: string; id?: string }).silenceID ?? (body as Item).id,
    required: 'updatedAt',
    deleted: 200,
    refuses: true,
    describes404: /\/silence\//,
  },
  truth: truth as RealServer['truth'],
};
