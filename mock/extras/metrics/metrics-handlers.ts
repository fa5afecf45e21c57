import type * as PromClient from 'prom-client';
import { oncePer } from '../../../common/once-per.ts';
import type { Exchange } from '../../journal/exchange.ts';
import type { Journals } from '../../journal/journals.ts';
import type { ApiKey } from '../../limits/plans.ts';
import { windows } from '../../limits/windows.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { Sandboxes } from '../../sandboxes/sandboxes.ts';
import type { AdminHandlers } from '../admin/admin.ts';
import { refuse } from '../admin/refusal.ts';

type MetricsTools = Pick<Journals, 'listen'> & { sandboxes: Sandboxes };

/** Shows the metrics of a twin; `load` imports the client library. */
export function createMetricsHandlers(
  options: MetricsTools & { keys: readonly ApiKey[] },
  load: () => Promise<typeof PromClient> = () => import('prom-client'),
): AdminHandlers {
  return {
    async getMetrics({ sandbox }) {
      const client = await load().catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
        return refuse(
          'not_installed',
          'Metrics need the package prom-client. Install it with: npm install prom-client',
        );
      });
      const { registry, showLimits } = openMetrics(options.listen)(client, options);
      showLimits(sandbox, options.keys);
      return { status: 200, text: await registry.metrics(), mediaType: registry.contentType };
    },
  };
}

/** One set of metrics counts for a twin, whatever documents it serves in turn. */
const openMetrics = oncePer((_: MetricsTools['listen']) => {
  let opened: Metrics | undefined;
  return (client: typeof PromClient, tools: MetricsTools) =>
    (opened ??= createMetrics(client, tools));
});

type Metrics = {
  registry: PromClient.Registry;
  /** Sets the gauges of limits by what keys have used in a sandbox. */
  showLimits: (sandbox: Sandbox, keys: readonly ApiKey[]) => void;
};

/** In seconds: the mock answers in less than a millisecond, unless something delays it. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates the metrics, with what the journals hold already, and counts further exchanges. */
function createMetrics(
  { Counter, Gauge, Histogram, Registry, collectDefaultMetrics }: typeof PromClient,
  { sandboxes, listen }: MetricsTools,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const name = (of: string) => `petstore_twin_${of}`;
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: name('requests_total'),
    help: 'Requests by operation, status and the step that gave the response.',
    labelNames: ['operation', 'status', 'reason'],
    registers,
  });
  const durations = new Histogram({
    name: name('request_duration_seconds'),
    help: 'Times from requests to their responses.',
    labelNames: ['operation'],
    buckets,
    registers,
  });
  const refused = new Counter({
    name: name('limit_refused_total'),
    help: 'Calls that the limits refused.',
    labelNames: ['key', 'outcome'],
    registers,
  });
  new Gauge({
    name: name('sandboxes'),
    help: 'Open sandboxes, the default one included.',
    registers,
    collect() {
      this.set(sandboxes.list().length);
    },
  });
  const limits = { labelNames: ['key', 'window'], registers };
  const used = new Gauge({ name: name('limit_used'), help: 'Calls in the window.', ...limits });
  const max = new Gauge({ name: name('limit_max'), help: 'Calls that it allows.', ...limits });
  const bans = new Gauge({
    name: name('banned'),
    help: 'Whether a key is banned.',
    labelNames: ['key'],
    registers,
  });

  const observe = ({ operation = '', status, key = '', microseconds, reason }: Exchange) => {
    requests.inc({ operation, status: status ?? '', reason: reason.step });
    if (microseconds !== undefined) durations.observe({ operation }, microseconds / 1e6);
    if (reason.step === 'limits') refused.inc({ key, outcome: reason.outcome });
  };
  // A journal that processes share has requests of the others, too.
  for (const { sandbox } of sandboxes.list().filter((one) => !one.sandbox.refresh))
    for (const one of sandbox.journal.read(0, { admin: true }, Infinity, (exchange) => exchange))
      observe(one);
  listen(observe);
  return {
    registry,
    showLimits({ limiter, settings }, keys) {
      for (const gauge of [used, max, bans]) gauge.reset();
      if (settings.rateLimits === 'off') return;
      for (const key of keys) {
        const standing = limiter.standing(key);
        for (const { per: window } of windows) {
          used.set({ key: key.name, window }, standing[window].used);
          max.set({ key: key.name, window }, standing[window].limit);
        }
        bans.set({ key: key.name }, standing.ban ? 1 : 0);
      }
    },
  };
}
