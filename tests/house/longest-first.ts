import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The test files that take longest, longest first. */
export const longestFiles = [
  'tests/mock/console/control-panels.browser.test.ts',
  'tests/contracts/hostile/codings-and-values.test.ts',
  'tests/package/package.test.ts',
  'tests/contracts/judging/causes.test.ts',
  'tests/contracts/hostile/sizes.test.ts',
  'tests/tools/lab.test.ts',
  'tests/tools/corpus.test.ts',
  'tests/tools/mirror.test.ts',
  'tests/contracts/calibrate/calibrate.test.ts',
  'tests/mock/console/data-panels.browser.test.ts',
  'tests/mock/console/requests.browser.test.ts',
  'tests/examples/shared-fleet.test.ts',
  'tests/contracts/reference/reference.browser.test.ts',
  'tests/contracts/run/late-deployments.test.ts',
  'tests/mock/redis/unavailable.test.ts',
  'tests/contracts/command/verify-changes.test.ts',
  'tests/contracts/command/verify-by-itself.test.ts',
  'tests/contracts/command/verify-soft-deletes.test.ts',
  'tests/contracts/command/verify-computed.test.ts',
  'tests/contracts/command/verify-held-ids.test.ts',
  'tests/mock/pins/pins.test.ts',
  'tests/mock/pages/try-it.browser.test.ts',
  'tests/contracts/traffic/long-traffic.test.ts',
  'tests/contracts/look/outside-text.test.ts',
  'tests/contracts/judge/judge-command.test.ts',
  'tests/contracts/run/slow-answers.test.ts',
  'tests/mock/redis/replica-processes.test.ts',
  'tests/mock/redis/connection.test.ts',
  'tests/contracts/hostile/connections.test.ts',
  'tests/mock/files/watch.test.ts',
  'tests/mock/http/server.test.ts',
  'tests/mock/journal/requests.test.ts',
  'tests/examples/balancer.test.ts',
  'tests/contracts/checks/holds-can-fail.test.ts',
  'tests/contracts/command/verify-command.test.ts',
  'tests/contracts/command/verify-har.test.ts',
  'tests/mock/process/command.test.ts',
  'tests/contracts/command/interrupted-run.test.ts',
  'tests/contracts/proxy/proxy-command.test.ts',
  'tests/contracts/proxy/live-page.browser.test.ts',
  'tests/contracts/dredd/dredd.test.ts',
  'tests/contracts/checks/short-lists.test.ts',
  'tests/contracts/judging/case-ids.test.ts',
  'tests/mock/pages/start-page.browser.test.ts',
  'tests/mock/console/console.browser.test.ts',
  'tests/contracts/report/html-report.browser.test.ts',
  'tests/examples/scale-out.test.ts',
  'tests/mock/sqlite/kill.test.ts',
  'tests/mock/faults/fault-room.test.ts',
];

/**
 * Starts the longest test files first: started last, one of them would run alone. Those that share
 * no modules come before all, as they would take the worker of others that do.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId, project }: TestSpecification) => {
      if (project.config.isolate) return -1;
      const path = relative(project.config.root, moduleId).replaceAll('\\', '/');
      const index = longestFiles.indexOf(path);
      return index === -1 ? longestFiles.length : index;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => rankOf(left) - rankOf(right));
  }
}
