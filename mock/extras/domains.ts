import type { Authority } from '../domains/authority.ts';
import type { Extra, RoutesTools } from '../extra.ts';
import { oncePer } from '../json/once-per.ts';

/** The authority issues certificates for the same names whatever is served. */
const authorityOf = oncePer(async ({ domainCa }: RoutesTools): Promise<Authority> => {
  const { createAuthority } = await import('./late.ts');
  return createAuthority(domainCa);
});

/** Custom domains: the hosts that they are served at, and their operations of the admin. */
export const domains: Extra = ({ served, settings, tools, enter }) => {
  const { document } = served;
  const rulesOf = oncePer(async (_: RoutesTools) => {
    const { createReadDomainRules } = await import('./late.ts');
    return createReadDomainRules(document);
  });
  const open = oncePer(async ({ sandboxes }: RoutesTools) => {
    const { createFindIdentity, createServeDomain } = await import('./late.ts');
    const authority = await authorityOf(tools);
    const readRules = await rulesOf(tools);
    return {
      serve: createServeDomain({ ...tools, document, readRules, enter }),
      findIdentity: createFindIdentity({ sandboxes, readRules, authority }),
    };
  });
  return {
    serveHost: async (request, response) => (await open(tools)).serve(request, response),
    findIdentity: async (name) => (await open(tools)).findIdentity(name),
    groups: {
      async domains() {
        const { createDomainHandlers } = await import('./late.ts');
        const authority = await authorityOf(tools);
        const readRules = await rulesOf(tools);
        return createDomainHandlers({ ...settings, readRules, authority });
      },
    },
  };
};
