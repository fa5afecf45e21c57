import { toVisible } from '../../common/look/visible.ts';
import { toShellWord } from '../curl/shell.ts';
import type { Explanation } from '../explain/explanation.ts';
import { toActionLines } from '../explain/to-text.ts';
import { settingList } from '../settings/settings.ts';

/** A document, and the files that are written for it. */
export type Project = {
  spec: string;
  /** Left out where the document needs no correction. */
  overlay?: string;
  config: string;
  test: string;
  /** The command that runs the test. */
  runTest: string;
  /** The base path of the document's server. */
  basePath: string;
  asksForKeys: boolean;
  /** Whether the project has a lock file of npm. */
  hasLock: boolean;
};

/** Settings that a project may want besides, each with a value to begin with. */
const offered: Readonly<Record<string, string>> = {
  items: '20',
  data: 'data.yaml',
  behaviours: 'behaviours.ts',
  watch: 'true',
  'rate-limits': '"off"',
  auth: 'any',
  'strict-requests': 'true',
  store: 'sqlite:twin.db',
  'webhook-url': 'http://127.0.0.1:3000/webhooks',
  'log-level': 'debug',
};

/** Returns the text of a config file in which each setting has a comment. */
export function toConfigFile({ spec, overlay, config }: Project): string {
  const chosen = { spec, ...(overlay && { overlay }), port: 4010, seed: 1 };
  const help = (flag: string) => settingList.find((one) => one.flag === flag)?.help ?? '';
  const lines = [
    ...Object.entries(chosen).map(([flag, value]) => ['', flag, toScalar(value)]),
    ...Object.entries(offered).map(([flag, value]) => ['# ', flag, value]),
  ].map(([off, flag = '', value]) => `# ${help(flag)}\n${off}${flag}: ${value}\n`);
  return `# Settings of the mock: npx petstore-twin mock --config ${config}
# Flags and environment variables (TWIN_PORT) override them. docs/options.md has more settings.

${lines.join('\n')}`;
}

/**
 * Returns the text of an overlay that gives state to operations without it, as `explain` offers;
 * undefined if it offers nothing.
 */
export function toOverlayFile({ document, operations }: Explanation): string | undefined {
  const actions = operations.flatMap(({ method, path, because, overlay }) =>
    overlay
      ? [`  # ${toVisible(`${method} ${path}: ${because}`)}`, ...toActionLines(overlay, '  ')]
      : [],
  );
  if (actions.length === 0) return undefined;
  const title = JSON.stringify(`Corrections of ${document.title}`);
  return `# Corrects how the mock reads ${toVisible(document.file)}, without a change of that file. Each action gives state to an
# operation that has none; the comment above says why it has none. Remove those that are wrong.
overlay: 1.0.0
info: { title: ${title}, version: 1.0.0 }
actions:
${actions.join('\n')}
`;
}

/** Returns the text of a workflow of GitHub Actions. */
export function toWorkflowFile(project: Project): string {
  const { spec, config, runTest, basePath, asksForKeys, hasLock } = project;
  const prepare = `      - uses: actions/checkout@v7
      - uses: actions/setup-node@v7
        with: { node-version: 24${hasLock ? ', cache: npm' : ''} }
      - run: ${hasLock ? 'npm ci' : 'npm install'}`;
  const keys = `
      # Keys of the deployment, one a line.
      TARGET_KEYS: \${{ secrets.DEPLOYMENT_KEYS }}`;
  return `# Runs the tests against the mock, and checks a deployment against the document.
name: API
on: [push]
permissions: { contents: read }
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
${prepare}
      # A mock for tests that need an address. Those that start one with createTwin need no such step.
      - run: npx petstore-twin mock --config ${toShellWord(config)} &
      - run: curl -fsS --retry 30 --retry-delay 1 --retry-all-errors http://127.0.0.1:4010/__admin/health
      - run: ${runTest}
        env:
          API_URL: http://127.0.0.1:4010${toVisible(basePath)}
  verify:
    runs-on: ubuntu-latest
    env:
      # The base URL of the deployment, as a secret of the repository; without it, nothing is called.
      DEPLOYMENT_URL: \${{ secrets.DEPLOYMENT_URL }}${asksForKeys ? keys : ''}
    steps:
${prepare}
      # Reads only: it creates, changes and deletes nothing there.
      - if: env.DEPLOYMENT_URL != ''
        run: >-
          npx petstore-twin verify --spec ${toShellWord(spec)}
          --target "$DEPLOYMENT_URL" --read-only --github
`;
}

function toScalar(value: string | number): string {
  return /^[\w./][\w./-]*$/.test(String(value)) ? String(value) : JSON.stringify(value);
}
