import express, { type Router } from 'express';
import type { Extra } from '../extra.ts';

/** The start page with its calls to try, the reference, and the files that pages load. */
export const pages: Extra = ({ served, host, settings }) => {
  let opened: Promise<Router> | undefined;
  const open = async () => {
    const { mountPages } = await import('./late.ts');
    const router = express.Router({ caseSensitive: true, strict: true });
    mountPages(router, { ...host, ...settings, served });
    return router;
  };
  return {
    mountBehind(app) {
      app.use(async (request, response, next) => {
        if (!/^\/(?:$|__pages|__docs)/.test(request.path)) return next();
        opened ??= open();
        (await opened)(request, response, next);
      });
    },
  };
};
