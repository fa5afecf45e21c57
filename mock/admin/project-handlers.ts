import { toJsonAnswer } from '../answers/answer.ts';
import type { ReadDomainRules } from '../domains/domain-rules.ts';
import type { Project } from '../domains/domains-state.ts';
import { toHostName } from '../domains/host-name.ts';
import { changeProject, projectOf } from '../domains/project.ts';
import type { AdminHandlers } from './admin.ts';
import { circumstancesOf, notHostName } from './domain-answers.ts';

/** Show and change the project that is published. */
export function createProjectHandlers(readRules: ReadDomainRules): AdminHandlers {
  return {
    getProject: async ({ sandbox }) =>
      toJsonAnswer(projectOf(sandbox.domains.state(), await readRules())),
    setProject: async ({ sandbox, body }) => {
      const given = { ...(body as Partial<Project>) };
      for (const field of ['target', 'authority'] as const) {
        const name = given[field];
        if (name === undefined) continue;
        const canonical = toHostName(name);
        if (canonical === undefined) return notHostName(field, name);
        given[field] = canonical;
      }
      const circumstances = await circumstancesOf(sandbox, readRules);
      const changed = changeProject(sandbox.domains.state(), given, circumstances);
      sandbox.domains.change(changed);
      return toJsonAnswer(changed.project);
    },
  };
}
