import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, onTestFinished } from 'vitest';
import { createLog } from '../../mock/log.ts';
import { parseConfig } from '../../mock/settings/config.ts';
import type { Config } from '../../mock/settings/settings.ts';
import { type OpenTwinOptions, openTwin, type Twin } from '../../mock/twin.ts';

/**
 * A twin that listens on a free port of loopback; `api` is its base URL, `lines` what it logged.
 */
export type TestTwin = Twin & { api: string; lines: string[] };

type TestSettings = Partial<Config> & Pick<OpenTwinOptions, 'timeouts' | 'onShutdown' | 'extras'>;

/** Starts a twin that ends with the test, and then waits for no client. */
export async function startTwin({ timeouts, ...settings }: TestSettings = {}): Promise<TestTwin> {
  const twin = await openTestTwin({ ...settings, timeouts: { idle: 1, ...timeouts } });
  onTestFinished(() => twin.close());
  return twin;
}

/** Starts a twin that the caller closes, for a whole file of tests. */
export async function openTestTwin({
  timeouts,
  onShutdown,
  extras,
  ...settings
}: TestSettings = {}): Promise<TestTwin> {
  const { config } = parseConfig(['--port', '0'], {});
  if (!config) throw new Error('parseConfig gave no configuration');
  const lines: string[] = [];
  const log = createLog('debug', (line) => lines.push(line));
  const twin = await openTwin(
    { ...config, ...settings },
    {
      log,
      ...(timeouts && { timeouts }),
      ...(onShutdown && { onShutdown }),
      ...(extras && { extras }),
    },
  );
  return { ...twin, api: twin.origin + twin.document.basePath, lines };
}

/** Starts a twin for a whole file of tests, each of which begins with its first state. */
export async function shareTwin(settings: TestSettings = {}): Promise<TestTwin> {
  const twin = await openTestTwin(settings);
  beforeEach(() => twin.app.reset());
  afterAll(() => twin.close());
  return twin;
}

/** The header that a key is sent in. */
export function bearer(key: string): { Authorization: string } {
  return { Authorization: `Bearer ${key}` };
}

/** The path of a file of the project. */
export function projectFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
