import { test as base } from 'playwright/test';
import {
  type ConnectOptions,
  connectTwin,
  createTwin,
  type OwnSandbox,
  type SandboxOptions,
  type Twin,
  type TwinSettings,
} from './twin.ts';

export { expect } from 'playwright/test';

export type TwinTestFixtures = {
  /**
   * The test's own sandbox, in the initial state; it is deleted when the test ends.
   */
  twin: OwnSandbox;
  /**
   * The initial state of the sandbox: seed, number of `items`, plans, rate limits; by default that of the twin.
   */
  sandboxOptions: SandboxOptions;
};

export type TwinWorkerFixtures = {
  /** How the twin of a worker is started, or the `url` of a running one. */
  twinSettings: TwinSettings | ({ url: string } & ConnectOptions);
  /** The twin that the tests of a worker share. */
  sharedTwin: Twin;
};

/**
 * Playwright's `test` with a `twin`. `test.use({ sandboxOptions: { items: 3 } })` sets the initial
 * state of its sandbox; `twinSettings`, in the configuration or with `use`, how the twin is started.
 * The requests of a failed test are attached to its report.
 */
export const test = base.extend<TwinTestFixtures, TwinWorkerFixtures>({
  twinSettings: [{}, { option: true, scope: 'worker' }],
  sharedTwin: [
    async ({ twinSettings }, use) => {
      await using twin = await openTwin(twinSettings);
      await use(twin);
    },
    { scope: 'worker' },
  ],
  sandboxOptions: [{}, { option: true }],
  twin: async ({ sharedTwin, sandboxOptions }, use, testInfo) => {
    await using sandbox = await sharedTwin.sandbox(undefined, sandboxOptions);
    await use(sandbox);
    if (testInfo.status === testInfo.expectedStatus) return;
    // What cannot be attached must not hide why the test failed.
    const body = await sandbox.requests().then(
      (requests) => JSON.stringify(requests, undefined, 2),
      (error) => JSON.stringify({ message: error.message }),
    );
    await testInfo.attach('requests to the twin', { body, contentType: 'application/json' });
  },
});

function openTwin(settings: TwinWorkerFixtures['twinSettings']): Promise<Twin> {
  if (!('url' in settings)) return createTwin(settings);
  const { url, ...options } = settings;
  return connectTwin(url, options);
}
