import type { Extra } from '../extra.ts';

/** The console: a page of the admin. */
export const console: Extra = ({ served, host }) => ({
  adminPages: {
    '/console': async (origin) => {
      const { toConsolePage } = await import('./late.ts');
      return toConsolePage(origin, { ...host, ...served });
    },
  },
});
