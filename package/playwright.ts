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
   * A sandbox of the test's own, with nothing in it that another test left; it goes when the test
   * ends.
   */
  twin: OwnSandbox;
  /**
   * How the sandbox begins: seed, pets, plans, rate limits. What is left out is as the twin has it.
   */
  sandboxOptions: SandboxOptions;
};

export type TwinWorkerFixtures = {
  /** How the twin of a worker is started, or the `url` of one that runs already. */
  twinSettings: TwinSettings | ({ url: string } & ConnectOptions);
  /** The twin that the tests of a worker share. */
  sharedTwin: Twin;
};

/**
 * The `test` of Playwright with a `twin`. `test.use({ sandboxOptions: { pets: 3 } })` says how it
 * begins; `twinSettings`, in the configuration or with `use`, how the twin is started. The requests
 * that a failed test made are attached to its report.
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
