import { createReadDomainRules } from '../domains/project.ts';
import type { Extra } from '../extra.ts';
import type { ServeDomain } from '../pages/serve-domain.ts';

/** Custom domains: the hosts that they are served at, and their operations of the admin. */
export const domains: Extra = ({ served, settings, tools, enter }) => {
  const { document } = served;
  const readRules = createReadDomainRules(document);
  let serve: Promise<ServeDomain> | undefined;
  const open = async () => {
    const { createServeDomain } = await import('./late.ts');
    return createServeDomain({ ...tools, document, readRules, enter });
  };
  return {
    async serveHost(request, response) {
      serve ??= open();
      return (await serve)(request, response);
    },
    groups: {
      async domains() {
        const { createDomainHandlers } = await import('./late.ts');
        const { authority } = tools;
        return createDomainHandlers({ ...settings, readRules, authority });
      },
    },
  };
};
