import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hoursFromNow as at, type Item } from '../call.ts';
import { installFromPyPi } from '../install.ts';
import type { RealServer } from '../real-server.ts';
import { dumpSqlite } from '../sqlite.ts';
import truth from '../truth/prefect.json' with { type: 'json' };

const version = '3.8.8';

/** Tables that the server writes by itself: its own clocks, and a log of events. */
const ownTables = [
  ...['csrf_token', 'alembic_version', 'events', 'event_resources', 'task_run_state_cache'],
  ...['automation_bucket', 'automation_event_follower', 'composite_trigger_child_firing'],
];
const ownColumns = [
  ...['worker.last_heartbeat_time', 'work_queue.last_polled', 'deployment.last_polled'],
  ...['worker', 'work_pool', 'work_queue', 'deployment'].flatMap((table) =>
    ['status', 'updated', 'last_transitioned_status_at', 'last_status_event_id'].map(
      (column) => `${table}.${column}`,
    ),
  ),
];

/** A Prefect server without authentication, with flow runs in the middle of their work. */
export const prefect: RealServer = {
  name: 'prefect',
  version,
  basePath: '/api',
  ready: '/api/health',
  headers: {},
  // An automation without conditions fires at every event, its own too, until SQLite is locked.
  flags: ['--timeout', '15000', '--skip', 'create_automation_automations__post'],
  settle: 9000,
  // Newer versions of these two break this server.
  install: (folder) =>
    installFromPyPi(folder, [
      `prefect==${version}`,
      'fastapi==0.139.0',
      'sqlalchemy[asyncio]==2.0.58',
    ]),
  start({ installed, data, port }) {
    const home = join(data, 'home');
    mkdirSync(home);
    const env = {
      HOME: home,
      PREFECT_HOME: home,
      PREFECT_SERVER_DATABASE_CONNECTION_URL: `sqlite+aiosqlite:///${data}/prefect.db`,
      PREFECT_SERVER_API_HOST: '127.0.0.1',
      PREFECT_SERVER_API_PORT: String(port),
      PREFECT_API_URL: `http://127.0.0.1:${port}/api`,
      DO_NOT_TRACK: '1',
      PREFECT_SERVER_ANALYTICS_ENABLED: 'false',
      PREFECT_CLOUD_ENABLE_ORCHESTRATION_TELEMETRY: 'false',
      PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS: 'false',
      // By default the server ends a run in CANCELLING after five minutes.
      PREFECT_SERVER_SERVICES_CANCELLATION_CLEANUP_CANCELLING_TIMEOUT_SECONDS: '604800',
    };
    const args = ['server', 'start', '--analytics-off', '--no-ui'];
    return [{ command: join(installed, 'venv/bin/prefect'), args, env }];
  },
  async seed(call) {
    const post = (path: string, body: unknown) => call('POST', `/api/${path}`, body);
    await post('work_pools/', { name: 'office', type: 'process', concurrency_limit: 5 });
    await post('work_pools/office/queues', { name: 'nightly', priority: 5 });
    await post('work_queues/', { name: 'urgent', priority: 1 });
    await post('work_pools/office/workers/heartbeat', {
      name: 'anna-pc',
      heartbeat_interval_seconds: 86_400,
    });
    for (const [name, value] of Object.entries({ region: 'eu', retries: 3, flags: ['a', 'b'] }))
      await post('variables/', { name, value, tags: ['infra'] });
    await post('concurrency_limits/', { tag: 'database', concurrency_limit: 4 });
    await post('v2/concurrency_limits/', { name: 'warehouse', limit: 5, active: true });
    await post('v2/concurrency_limits/increment', { names: ['warehouse'], slots: 2 });
    const flow = await post('flows/', { name: 'daily-orders', tags: ['sales'] });
    const other = await post('flows/', { name: 'train-model', tags: [] });
    const deployment = await post('deployments/', {
      name: 'orders-prod',
      flow_id: flow.id,
      work_pool_name: 'office',
      schedules: [{ active: true, schedule: { interval: 604_800, anchor_date: at(30) } }],
    });
    await post('deployments/', { name: 'paused', flow_id: other.id, paused: true });
    const start = (name: string, type = 'RUNNING', details = {}) =>
      post('flow_runs/', {
        name,
        flow_id: flow.id,
        state: { type, state_details: details },
        tags: ['sales'],
      });
    const end = ({ id }: Item, type: string, details = {}) =>
      post(`flow_runs/${id}/set_state`, { state: { type, state_details: details }, force: true });
    const running = await start('busy-badger');
    await end(await start('calm-cat'), 'PAUSED', { pause_timeout: at(168) });
    await end(await start('stopping-stork'), 'CANCELLING');
    for (const type of ['COMPLETED', 'FAILED', 'CANCELLED', 'CRASHED'])
      await end(await start(`ended-${type.toLowerCase()}`), type);
    await start('planned', 'SCHEDULED', { scheduled_time: at(48) });
    await post('flow_runs/', {
      name: 'of-deployment',
      flow_id: flow.id,
      deployment_id: deployment.id,
      state: { type: 'PENDING' },
    });
    for (const [index, type] of ['COMPLETED', 'RUNNING', 'PENDING'].entries())
      await post('task_runs/', {
        name: `task-${index}`,
        flow_run_id: running.id,
        task_key: 'extract',
        dynamic_key: String(index),
        state: { type },
      });
    const log = { name: 'prefect.flow_runs', level: 20, timestamp: at(0), flow_run_id: running.id };
    await post(
      'logs/',
      [1, 2, 3].map((step) => ({ ...log, message: `Step ${step}` })),
    );
    await post('artifacts/', { key: 'report', type: 'markdown', data: '# Report' });
    await post('automations/', {
      name: 'Tell the team',
      trigger: {
        type: 'event',
        expect: ['shop.never'],
        posture: 'Reactive',
        threshold: 1,
        within: 0,
      },
      actions: [{ type: 'do-nothing' }],
    });
    // The services of the server plan runs and mark late ones within this time.
    await sleep(30_000);
  },
  dump: async (_, { data }) => dumpSqlite(join(data, 'prefect.db'), ownTables, ownColumns),
  document: async (call) => JSON.stringify(await call('GET', '/api/openapi.json')),
  async use(call) {
    const send = (method: string, path: string, body?: unknown) =>
      call(method, `/api/${path}`, body);
    for (let number = 1; number <= 4; number += 1) {
      const flow = await send('POST', 'flows/', { name: `client-${number}` });
      await send('GET', `flows/${flow.id}`);
      await send('PATCH', `flows/${flow.id}`, { tags: ['changed'] });
      const variable = await send('POST', 'variables/', {
        name: `client_${number}`,
        value: number,
      });
      await send('PATCH', `variables/${variable.id}`, { value: number + 1 });
      await send('GET', `variables/${variable.id}`);
      if (number < 4) await send('DELETE', `variables/${variable.id}`);
      if (number < 4) await send('DELETE', `flows/${flow.id}`);
    }
    for (const kind of ['flows', 'flow_runs', 'deployments', 'variables', 'work_pools'])
      await send('POST', `${kind}/filter`, { limit: 5 });
    await send('GET', 'admin/version');
  },
  isSideEffect: () => false,
  shape: {
    idOf: (body) => (body as Item).id,
    required: 'id',
    deleted: 204,
    updated: 204,
    refuses: true,
    listsByPost: /\/filter$/,
  },
  truth: truth as RealServer['truth'],
};
