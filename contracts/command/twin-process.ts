import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../common/cli/usage-error.ts';
import type { Api } from '../../openapi/index.ts';
import type { DocumentSettings } from '../document/read-document.ts';

/** A twin in a process of its own; the suite knows it by its address, like any deployment. */
export type TwinProcess = { url: string; stop: () => Promise<void> };

const entry = import.meta.url.endsWith('.ts') ? '../../mock/start.js' : '../../mock/main.js';

const withoutSecurity = {
  overlay: '1.0.0',
  info: { title: 'Without security', version: '1' },
  actions: ['$.security', '$.paths.*.*.security', '$.components.pathItems.*.*.security'].map(
    (target) => ({ target, remove: true }),
  ),
};

type TwinOptions = DocumentSettings & {
  /** The file of the items that it begins with. */
  data?: string | undefined;
  /** The number of items of each collection that it begins with. */
  items?: number | undefined;
  seed: number;
  /** Whether it asks for no credentials, whatever the document says. */
  isOpen?: boolean;
  document: Pick<Api, 'plans'>;
  /** The URL that receives its webhooks, and the secret that signs them. */
  webhookUrl?: string | undefined;
  webhookSecret?: string | undefined;
};

/** Starts the twin on a free port of loopback. Throws a {@link UsageError}. */
export async function startTwin(options: TwinOptions): Promise<TwinProcess> {
  const { overlay, items, seed, isOpen = false, document, webhookUrl } = options;
  const folder = isOpen ? await mkdtemp(join(tmpdir(), 'twin-')) : undefined;
  const opening = folder && join(folder, 'without-security.json');
  if (opening) await writeFile(opening, JSON.stringify(withoutSecurity));
  const given = {
    '--spec': options.spec,
    '--overlay': [overlay, opening].filter(Boolean).join(',') || undefined,
    '--allow-refs': options.allowRefs,
    '--pins': options.pins,
    '--data': options.data,
    '--items': items === undefined ? undefined : String(items),
    '--webhook-url': webhookUrl,
    '--webhook-secret': webhookUrl && options.webhookSecret,
  };
  const args = [
    fileURLToPath(new URL(entry, import.meta.url)),
    '--port',
    '0',
    '--disable-banner',
    '--log-level',
    'error',
    '--seed',
    String(seed),
    // Limits that the document does not state would only be in the way.
    ...(Object.keys(document.plans).length > 0 ? [] : ['--rate-limits', 'off']),
    ...Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [flag, value])),
  ];
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('TWIN_')),
  );
  const child = spawn(process.execPath, args, {
    // The twin watches its parent where npm or this runs it.
    env: { npm_lifecycle_event: 'verify', ...environment },
    // The twin stops when the channel between both ends, so with this process, however this one ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Ctrl-C in a terminal goes to a whole group of processes; the twin answers until it is stopped.
    detached: process.platform !== 'win32',
  });
  const kill = () => child.kill('SIGTERM');
  process.once('exit', kill);
  let complaint = '';
  child.stderr?.on('data', (chunk) => (complaint += chunk));
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('\n')) resolve(printed.trim());
    });
    child.once('exit', () => reject(new UsageError(`The mock did not start: ${complaint.trim()}`)));
  }).finally(() => folder && rm(folder, { recursive: true }));
  return {
    url,
    stop: async () => {
      process.off('exit', kill);
      if (child.exitCode !== null) return;
      kill();
      await once(child, 'exit');
    },
  };
}
